# pairs: two variants beside each other in each row, and at the right how many times as fast the
# second is. Bars begin at 0; where the axis is logarithmic a bar would begin nowhere: points
# instead. Reads: row, a, a_sd, a_end, b, b_sd, b_end, speedup, lo, hi,
# end.
set multiplot title title_text font title_font
set xtics font ",10"
set grid xtics lt 1 lw 0.5 lc rgb "#dddddd"
# In pixels of the SVG, above the note: the key, then the labels below the panels.
set tmargin at screen 1 - 70.0 / HEIGHT
set bmargin at screen (foot + 82) / HEIGHT
width = 0.97 - left
set yrange [row_count - 0.4:-0.6]
names_font = sprintf(",%d", int(name_font))
set ytics () scale 0 font names_font
do for [r = 0:row_count - 1] { set ytics add (text_of("row", r) r) }
# What is written right of a bar takes 80 pixels, of a speedup 60.
wide = 0.56 * plot_pixels / (0.56 * plot_pixels - 80)
wide_speedup = 0.36 * plot_pixels / (0.36 * plot_pixels - 60)
box(x) = x_log ? NaN : x / scale
if (row_count == 0) {
	set lmargin at screen left
	set rmargin at screen 0.97
	eval NOTHING
} else {
	set lmargin at screen left
	set rmargin at screen left + 0.56 * width
	set key at screen 0.97, screen foot / HEIGHT bottom right vertical maxrows 2 samplen 2
	set label 2 "mean of the samples, with standard deviation" at graph 0, screen 1 - 42.0 / HEIGHT font ",10"
	set xlabel sprintf("%s of a sample (%s)", x_text, unit_text) offset 0, 0.3
	most = x_most / scale
	least = x_log ? 10.0 ** floor(log10(x_least / scale) - 0.1) : 0
	set xrange [least:(x_log ? least * (most / least) ** wide : most * wide)]
	if (x_log) { set logscale x; set format x "%g" }
	plot data using (box($2)):($1 - 0.19):(0):(box($2)):($1 - 0.36):($1 - 0.02) with boxxyerror \
	         lc rgb "#D55E00" fs pattern 4 border title (x_log ? "" : series_a), \
	     '' using (box($5)):($1 + 0.19):(0):(box($5)):($1 + 0.02):($1 + 0.36) with boxxyerror \
	         lc rgb "#0072B2" fs solid 0.75 border title (x_log ? "" : series_b), \
	     '' using (x_log ? $2 / scale : NaN):($1 - 0.19) with points pt 4 ps 1.1 lc rgb "#D55E00" title (x_log ? series_a : ""), \
	     '' using (x_log ? $5 / scale : NaN):($1 + 0.19) with points pt 7 ps 1.1 lc rgb "#0072B2" title (x_log ? series_b : ""), \
	     '' using ($2 / scale):($1 - 0.19):($3 / scale) with xerrorbars pt 0 ps 0 lw 1.2 lc rgb "#000000" notitle, \
	     '' using ($5 / scale):($1 + 0.19):($6 / scale) with xerrorbars pt 0 ps 0 lw 1.2 lc rgb "#000000" notitle, \
	     '' using ($4 / scale):($1 - 0.19):(digits($2 / scale) . " " . unit_text) with labels left offset 0.7, 0 font ",10" notitle, \
	     '' using ($7 / scale):($1 + 0.19):(digits($5 / scale) . " " . unit_text) with labels left offset 0.7, 0 font ",10" notitle
	set lmargin at screen left + 0.64 * width
	set rmargin at screen 0.97
	unset key
	unset logscale x
	set format x
	set label 2 "how many times as fast" at graph 0, screen 1 - 42.0 / HEIGHT font ",10"
	set xlabel "speedup with its interval" offset 0, 0.3
	unset ytics
	most = most_speedup > 1 ? most_speedup : 1
	lowest = least_speedup < 1 ? least_speedup : 1
	start = speedup_log ? 10.0 ** floor(log10(lowest) - 0.1) : 0
	set xrange [start:(speedup_log ? start * (most / start) ** wide_speedup : most * wide_speedup)]
	if (speedup_log) {
		set logscale x
		set format x "%g"
		if (most / start > 3e4) { set xtics 100 }
	}
	set arrow 1 from 1, graph 0 to 1, graph 1 nohead dt "-" lw 1.5 lc rgb "#000000" front
	set label 3 "x1 = no gain" at 1, screen 1 - 60.0 / HEIGHT center font ",9"
	plot data using (speedup_log ? NaN : $8):1:(0):8:($1 - 0.26):($1 + 0.26) with boxxyerror lc rgb "#009E73" fs solid 0.35 border, \
	     '' using (speedup_log ? $8 : NaN):1 with points pt 7 ps 1.1 lc rgb "#009E73", \
	     '' using 8:1:9:10 with xerrorbars pt 0 ps 0 lw 1.2 lc rgb "#000000", \
	     '' using 11:1:("x" . digits($8)) with labels left offset 0.7, 0 font ",10"
}
unset multiplot
