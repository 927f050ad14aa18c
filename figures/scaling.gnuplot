# scaling: how many times as fast as the serial program, against the processors; the ideal and the
# laws fitted to it. Reads: panel, series, processors, speedup, lo, hi; block panel * series_count
# + series.
set grid lt 1 lw 0.5 lc rgb "#dddddd"
columns = panel_count > 1 ? 2 : 1
rows = ceil(panel_count / (1.0 * columns))
key_rows = ceil((series_count + 4) / 2.0)
set multiplot title title_text font title_font
# In pixels of the SVG, above the note: the key, and the label below each panel.
top = 1 - 36.0 / HEIGHT
bottom = (foot + 18.0 * key_rows + 8) / HEIGHT
step = (top - bottom) / (rows > 0 ? rows : 1)
wide = 0.98 / columns
amdahl(x, p, s) = 1 / (value(sprintf("serial_%d_%d", p, s)) + value(sprintf("parallel_%d_%d", p, s)) / x)
gustafson(x, p, s) = x - value(sprintf("fraction_%d_%d", p, s)) * (x - 1)
usl(x, p, s) = value(sprintf("gamma_%d_%d", p, s)) * x / (1 + value(sprintf("alpha_%d_%d", p, s)) * (x - 1) + \
	value(sprintf("beta_%d_%d", p, s)) * x * (x - 1))
last = series_count - 1
# So that the intervals of two series do not lie on each other.
beside(x, s) = most > 16 ? x * 1.02 ** (s - last / 2.0) : x + 0.012 * most * (s - last / 2.0)
set ylabel "speedup over " . serial_name offset 1, 0
set samples 200
do for [p = 0:panel_count - 1] {
	column = p % columns
	row = p / columns
	set lmargin at screen column * wide + 0.075
	set rmargin at screen (column + 1) * wide - 0.01
	set tmargin at screen top - row * step - 24.0 / HEIGHT
	set bmargin at screen top - (row + 1) * step + 48.0 / HEIGHT
	set label 2 text_of("panel", p) at graph 0, graph 1.05 font ",10"
	set xlabel over offset 0, 0.4
	unset key
	if (p == 0) { set key at screen 0.97, screen foot / HEIGHT bottom right vertical maxrows key_rows samplen 4 font ",10" }
	if (value(sprintf("shown_%d", p)) == 0) { eval NOTHING; continue }
	if (most > 16) { set logscale x 2 } else { set xtics 1 }
	set xrange [most > 16 ? 0.9 : 0.75 : most > 16 ? 1.1 * most : most + 0.25]
	set yrange [0:1.05 * (highest > most ? highest : most)]
	plot (x < 1 || x > most ? NaN : x) with lines lw 1.2 lc rgb "#000000" dt 1 title "ideal: as many times as processors", \
	     1 with lines lw 1 lc rgb "#777777" dt 3 title serial_name . ", the serial program", \
	     for [s = 0:last] (x < 1 || x > most ? NaN : amdahl(x, p, s)) with lines lw 1.3 lc rgb colour_of(s) dt 2 notitle, \
	     for [s = 0:last] (x < 1 || x > most ? NaN : gustafson(x, p, s)) with lines lw 1.3 lc rgb colour_of(s) dt 4 notitle, \
	     for [s = 0:last] (x < 1 || x > most ? NaN : usl(x, p, s)) with lines lw 1.3 lc rgb colour_of(s) dt 5 notitle, \
	     for [s = 0:last] data index p * series_count + s using (beside($3, s)):4:5:6 with yerrorbars \
	         pt mark_of(s) ps 1.1 lw 1.5 lc rgb colour_of(s) title text_of("series", s), \
	     NaN with lines lw 1.3 lc rgb "#000000" dt 2 title "Amdahl (strong)", \
	     NaN with lines lw 1.3 lc rgb "#000000" dt 4 title "Gustafson (weak)", \
	     NaN with lines lw 1.3 lc rgb "#000000" dt 5 title "universal scalability law"
	unset label 2
}
unset multiplot
