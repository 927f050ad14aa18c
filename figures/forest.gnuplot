# forest: every comparison of the study with its interval; right of 1 the variant is faster.
# Reads: row, speedup, lo, hi, verdict.
set title title_text
set xlabel "speedup over the baseline (above 1: faster)"
set grid xtics lt 1 lw 0.5 lc rgb "#dddddd"
# In pixels of the SVG, above the note: the key and the label below the frame.
set key at screen 0.97, screen foot / HEIGHT bottom right vertical maxrows 1 samplen 2
set bmargin at screen (foot + 74.0) / HEIGHT
set lmargin at screen 0.42
set rmargin at screen 0.97
if (row_count == 0) {
	eval NOTHING
} else {
	set yrange [row_count - 0.5:-0.5]
	set ytics ()
	do for [r = 0:row_count - 1] { set ytics add (value(sprintf("row_%d", r)) r) }
	set arrow 1 from 1, graph 0 to 1, graph 1 nohead dt 2 lc rgb "#000000"
	set offsets graph 0.05, graph 0.05, 0, 0
	plot data using ($5 == 0 ? $2 : NaN):1:3:4 with xerrorbars pt 6 ps 1 lc rgb "#555555" title "not decided", \
	     data using ($5 == 1 ? $2 : NaN):1:3:4 with xerrorbars pt 7 ps 1 lc rgb "#0072B2" title "faster", \
	     data using ($5 == 2 ? $2 : NaN):1:3:4 with xerrorbars pt 5 ps 1 lc rgb "#D55E00" title "slower"
}
