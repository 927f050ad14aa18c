# bars: the mean of each variant's samples with their standard deviation, or their rate, one panel
# a case; written beside each how it stands to the best. Rows below the variants are measured
# peaks, each with a line through the panel. Where the axis is logarithmic a bar would begin
# nowhere: points instead. Reads: panel, row, value, mean, sd, kept, relative, end, lacks.
set xtics font ",10"
set grid xtics lt 1 lw 0.5 lc rgb "#dddddd"
rows = int(treatment_count + peak_count)
set multiplot title title_text font title_font
# In pixels of the SVG: the label below the panels, in two lines.
top = 1 - 34.0 / HEIGHT
bottom = (foot + 44) / HEIGHT
step = (top - bottom) / panel_count
set lmargin at screen left
set rmargin at screen 0.97
unset key
set style textbox opaque noborder margins 0.5, 0.3 fc rgb "#ffffff" # numbers stand before the lines of peaks

what = rate ? sprintf("work over %s (%s)", x_text, unit_text) : sprintf("%s of a sample (%s)", x_text, unit_text)
more = rate ? "triangle, line: mean and standard deviation of the samples' rates; share of the best in percent" \
            : "mean and standard deviation of the samples; x: how many times as much as the " . best_text
is_peak(row) = row >= treatment_count
share(x) = rate ? digits(100 * x) . " %" : "x" . (x < 100 ? sprintf("%.2f", x) : digits(x))
beside(x) = digits(x / scale) . " " . unit_text
# What is written right of a bar takes 150 pixels.
wide = plot_pixels / (plot_pixels - 150.0)

set yrange [rows - 0.4:-0.6]
names_font = sprintf(",%d", int(name_font))
set ytics () scale 0 font names_font
do for [r = 0:rows - 1] { set ytics add (text_of("name", r) r) }
if (x_log) { set logscale x; set format x "%g" }
do for [p = 0:panel_count - 1] {
	set tmargin at screen top - p * step - 22.0 / HEIGHT
	set bmargin at screen top - (p + 1) * step + 24.0 / HEIGHT
	set label 2 text_of("panel", p) at graph 0, screen top - p * step - 12.0 / HEIGHT
	unset xlabel
	if (p == panel_count - 1) { set xlabel what . "\n" . more offset 0, 0.3 font ",10" }
	if (value(sprintf("shown_%d", p)) == 0) { eval NOTHING; continue }
	most = value(sprintf("x_most_%d", p)) / scale
	least = x_log ? 10.0 ** floor(log10(value(sprintf("x_least_%d", p)) / scale) - 0.1) : 0
	set xrange [least:(x_log ? least * (most / least) ** wide : most * wide)]
	do for [r = treatment_count:rows - 1] {
		i = 10 + r - treatment_count
		unset arrow i
		peak = value(sprintf("peak_%d_%d", p, r - treatment_count)) / scale
		if (peak == peak) { set arrow i from peak, graph 0 to peak, graph 1 nohead dt "-" lw 1.5 lc rgb "#D55E00" back }
	}
	plot data index p using ($2 < treatment_count && !x_log ? $3 / scale : NaN):2:(0):($3 / scale):($2 - 0.34):($2 + 0.34) \
	         with boxxyerror lc rgb "#0072B2" fs solid 0.35 border, \
	     '' index p using ($2 < treatment_count && !x_log && $7 == 1 ? $3 / scale : NaN):2:(0):($3 / scale):($2 - 0.34):($2 + 0.34) \
	         with boxxyerror lc rgb "#0072B2" fs solid 0.8 border, \
	     '' index p using ($2 < treatment_count && x_log ? $3 / scale : NaN):2 with points pt (rate ? 6 : 7) ps 1.2 lw 1.5 lc rgb "#0072B2", \
	     '' index p using ($4 / scale):2:($5 / scale) with xerrorbars pt (rate ? 8 : 0) ps 0.9 lw 1.2 lc rgb "#000000", \
	     '' index p using ($8 / scale):2:(beside($3) . "  " . share($7)) with labels left boxed offset 0.8, 0 font ",10", \
	     '' index p using (is_peak($2) ? $8 / scale : NaN):2:(beside($3)) with labels left boxed offset 0.8, 0 font ",10", \
	     '' index p using (least):($9 == 1 ? $2 : NaN):(rate ? "no rate" : "no value") with labels left boxed offset 0.8, 0 font ",10"
	unset label 2
}
unset multiplot
