# sizes: every sample against the size, lines through the means; of one case against its groups.
# The samples of the variants lie beside each other, so that none hides another. Reads: series,
# kind (0 line, 1 sample), x, value; blocks 2 s and 2 s + 1 are those of series s.
set grid ytics lt 1 lw 0.5 lc rgb "#dddddd"
# In pixels of the SVG, above the note: the key and the label below the frame.
set key at screen 0.97, screen foot / HEIGHT bottom right vertical maxrows key_rows samplen 5 font ",10"
set tmargin at screen 1 - 82.0 / HEIGHT
set bmargin at screen (foot + 15.0 * key_rows + 56) / HEIGHT
set lmargin at screen 0.11
set rmargin at screen 0.97
lines = by_group ? sprintf("lines: the %s of each group's samples", line_text) : "lines: means of the samples"
set label 3 title_text at screen 0.5, screen 1 - 18.0 / HEIGHT center font title_font
set label 2 lines . "; points: every sample" at screen 0.11, screen 1 - 44.0 / HEIGHT font ",10"
set ylabel sprintf("%s of a sample (%s)", y_text, unit_text)
set xlabel x_label
set xrange [x_lo:x_hi]
set format x "%.0f"
if (x_log) { set logscale x }
if (x_named) { eval sprintf("set xtics (%s)", x_ticks) }
if (strlen(x_places) > 0) { eval sprintf("set xtics (%s)", x_places) }
if (by_group) { set xtics ceil((x_hi - x_lo) / 20) }
if (y_log) {
	set logscale y
	set yrange [y_lo / scale / 1.3:y_hi / scale * 1.3]
	set format y "%g"
} else {
	# From 0, unless that would press everything together.
	if (y_hi > 1.5 * y_lo) { set yrange [0:1.05 * y_hi / scale] } else { set offsets 0, 0, graph 0.05, graph 0.05 }
}
do for [i = 0:cache_count - 1] {
	x = value(sprintf("cache_%d", i))
	set arrow i + 1 from x, graph 0 to x, graph 1 nohead dt 3 lw 1.5 lc rgb "#555555"
	set label 10 + i text_of("cache_name", i) at x, screen 1 - (i % 2 == 0 ? 74.0 : 62.0) / HEIGHT center font ",9"
}
# Samples take two fifths of the way to the next size, those of few variants less.
spread = series_count < 7 ? 0.06 * series_count : 0.4
aside(s) = series_count > 1 ? spread * (s / (series_count - 1.0) - 0.5) : 0
beside(x, s) = x_log ? x * x_step ** aside(s) : x + x_step * aside(s)
last = series_count - 1
if (shown == 0) {
	eval NOTHING
} else {
	plot for [s = 0:last] data index 2 * s + 1 using (beside($3, s)):($4 / scale) with points \
	         pt mark_of(s) ps 0.4 lc rgb colour_of(s) notitle, \
	     for [s = 0:last] data index 2 * s using 3:($4 / scale) with linespoints lw 1.5 dt dash_of(s) \
	         pt mark_of(s) ps 1.1 lc rgb colour_of(s) title text_of("series", s)
}
