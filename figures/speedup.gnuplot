# speedup: ratio time A / time B with its interval against the sweep; above 1 B is faster.
# Reads: series, series_name, x, speedup, lo, hi, floor_lo, floor_hi, verdict.
set title title_text
set ylabel sprintf("speedup in %s (above 1: faster)", metric)
set xlabel x_label
# In pixels of the SVG, above the note: the key and the label below the frame.
longest = 0
do for [i = 0 : series_count - 1] {
	length = strlen(value(sprintf("series_name_%d", i)))
	if (length > longest) { longest = length }
}
key_rows = ceil((series_count + 2) / (longest > 50 ? 1.0 : longest > 20 ? 2.0 : 3.0))
set key at screen 0.97, screen foot / HEIGHT bottom right vertical maxrows key_rows samplen 2
set bmargin at screen (foot + 18.0 * key_rows + 56) / HEIGHT
set grid ytics lt 1 lw 0.5 lc rgb "#dddddd"
if (x_log) set logscale x
set format x "%.0f"
set yrange [0<*:*] # there is no ratio below 0
if (y_log) { set logscale y; set yrange [*:*]; set format y "%g" }
if (x_named) {
	eval sprintf("set xtics (%s)", x_ticks)
	set xrange [-0.5:x_count - 0.5]
} else {
	set offsets graph 0.06, graph 0.06, graph 0.05, 0
}
array points[6] = [7, 5, 9, 13, 11, 4]
pick(s) = int(s) % 6 + 1
name(s) = value(sprintf("series_name_%d", s))
set style fill solid 0.3 noborder
last = series_count - 1
# Beside each other at a place that has a name.
aside(s) = x_named ? (s - last / 2.0) * 0.7 / series_count : 0
half(x) = x_named ? 0.4 : 0.1 * abs(x) + (x == 0)
# A point without an interval has a bar without a length.
or(x, y) = x == x ? x : y
if (shown == 0) {
	eval NOTHING
} else { if (x_named || x_count < 2) {
	plot for [s = 0:last] data index s using 3:7:($3 - half($3)):($3 + half($3)):7:8 \
	         with boxxyerror lc rgb "#999999" title (s == 0 ? "noise floor" : ""), \
	     1 with lines lc rgb "#000000" dt 2 title "1: no difference", \
	     for [s = 0:last] data index s using ($3 + aside(s)):4:(or($5, $4)):(or($6, $4)) with yerrorbars \
	         lc rgb colour[pick(s)] pt points[pick(s)] ps 1.2 lw 1.5 title name(s)
} else {
	plot for [s = 0:last] data index s using 3:7:8 \
	         with filledcurves lc rgb "#999999" title (s == 0 ? "noise floor" : ""), \
	     1 with lines lc rgb "#000000" dt 2 title "1: no difference", \
	     for [s = 0:last] data index s using 3:4:(or($5, $4)):(or($6, $4)) with yerrorlines \
	         lc rgb colour[pick(s)] pt points[pick(s)] ps 1 lw 1.5 title name(s)
} }
