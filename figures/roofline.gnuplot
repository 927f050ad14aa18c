# roofline: what was reached against the arithmetic intensity, under the measured ceilings; both
# axes logarithmic. Reads: kind, number, intensity, rate, rate_lo, rate_hi; block r is roof r, the
# points are in the blocks behind.
set logscale xy
set grid xtics ytics lt 1 lw 0.5 lc rgb "#dddddd"
# In pixels of the SVG, above the note: the key, a line an entry, and the label below the frame.
set tmargin at screen 1 - 56.0 / HEIGHT
bottom = (foot + 15.0 * key_rows + 56) / HEIGHT
set bmargin at screen bottom
set lmargin at screen 0.11
set rmargin at screen 0.97
set label 3 title_text at screen 0.5, screen 1 - 18.0 / HEIGHT center font title_font
set label 2 "lines: what memory and arithmetic allow; x: the ridge; points: medians with intervals; done from 80 % of its roof on" \
	at screen 0.11, screen 1 - 42.0 / HEIGHT font ",10"
set xlabel "arithmetic intensity (FLOP/B)"
set ylabel sprintf("rate (%s)", unit_text)
unset key
if (point_count == 0) {
	unset logscale
	eval NOTHING
} else {
	y_top = 10.0 ** ceil(log10(y_hi * 1.3 / scale))
	y_top = y_hi * 3 / scale < y_top ? y_hi * 3 / scale : y_top
	y_low = y_lo / 2 / scale
	set xrange [x_lo:x_hi]
	set yrange [y_low:y_top]
	set format x "%g"
	set format y "%g"
	key_y(row) = (foot + 15.0 * (key_rows - row) - 4) / HEIGHT
	do for [r = 0:roof_count - 1] {
		x = value(sprintf("ridge_%d", r))
		set arrow 100 + r from x, graph 0 to x, first value(sprintf("peak_%d", r)) / scale nohead dt 3 lw 1.2 lc rgb "#555555"
		set label 600 + r "" at x, value(sprintf("peak_%d", r)) / scale point pt 2 ps 1.3 lw 2 lc rgb "#000000"
		set arrow 200 + r from screen 0.11, screen key_y(r) to screen 0.155, screen key_y(r) nohead lw 2 dt dash_of(r) lc rgb "#000000"
		set label 300 + r text_of("roof", r) at screen 0.165, screen key_y(r) font ",10"
	}
	do for [p = 0:point_count - 1] {
		row = roof_count + p / 2
		at = p % 2 == 0 ? 0.11 : 0.55
		set label 400 + p text_of("point", p) at screen at + 0.035, screen key_y(row) font ",10"
		set label 500 + p "" at screen at + 0.018, screen key_y(row) point pt mark_of(p) ps 1.1 lw 1.5 lc rgb colour_of(p)
	}
	# Of one roof alone the parts are named where they are; of several the names would lie on each other.
	if (roof_count == 1) {
		decade_x = 688.0 / log10(x_hi / x_lo)
		decade_y = HEIGHT * (1 - bottom - 56.0 / HEIGHT) / log10(y_top / y_low)
		x = sqrt(x_lo * ridge_0)
		set label 700 "memory: " . bandwidth_text_0 at x, peak_0 / scale * x / ridge_0 center \
			rotate by 57.29578 * atan2(decade_y, decade_x) offset -0.8, 0.8 font ",10"
		set label 701 "arithmetic: " . peak_text_0 at sqrt(ridge_0 * x_hi), peak_0 / scale center offset 0, 0.7 font ",10"
		set label 702 sprintf("ridge: %.3g FLOP/B", ridge_0) at ridge_0, graph 0.04 offset 0.8, 0 font ",10"
	}
	plot for [r = 0:roof_count - 1] data index r using 3:($4 / scale) with lines lw 2 dt dash_of(r) lc rgb "#000000", \
	     for [p = 0:point_count - 1] data index roof_count + p using 3:($4 / scale):($5 / scale):($6 / scale) with yerrorbars \
	         pt mark_of(p) ps 1.3 lw 1.5 lc rgb colour_of(p)
}
