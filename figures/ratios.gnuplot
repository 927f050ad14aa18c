# ratios: the speedup of each pair, AB and BA apart, with the interval; the A/A pairs beside them
# as the same ratio of two identical programs. Reads: panel, kind, x, y; kind 0 A/A, 1 AB, 2 BA.
set grid ytics lt 1 lw 0.5 lc rgb "#dddddd"
count = int(treatment_count)
key_rows = ceil(5 / 3.0)
# In pixels of the SVG, above the note: the key and the label below the panels.
set multiplot title title_text
top = 1 - 40.0 / HEIGHT
bottom = (foot + 15.0 * key_rows + 24) / HEIGHT
step = (top - bottom) / panel_count
set lmargin at screen 0.13
set rmargin at screen 0.97

XLABEL = "pair"
set offsets 0.5, 0.5, graph 0.05, graph 0.05
set ylabel "time first / second (A/A), A / B"
do for [p = 0:panel_count - 1] {
	set tmargin at screen top - p * step - 26.0 / HEIGHT
	set bmargin at screen top - (p + 1) * step + 26.0 / HEIGHT
	set label 2 value(sprintf("panel_%d", p)) at graph 0.01, graph 1.07
	unset key
	unset xlabel
	if (p == panel_count - 1) { set xlabel XLABEL offset 0, 0.5 }
	if (p == 0) { set key at screen 0.97, screen foot / HEIGHT bottom right vertical maxrows key_rows samplen 2 font ",10" }
	if (value(sprintf("shown_%d", p)) == 0) { eval NOTHING; continue }
	set xtics ceil(value(sprintf("pair_count_%d", p)) / 20.0)
	estimate = value(sprintf("estimate_%d", p))
	lo = value(sprintf("lo_%d", p))
	hi = value(sprintf("hi_%d", p))
	if (lo == lo) { set object 1 rectangle from graph 0, first lo to graph 1, first hi behind \
	    fillcolor rgb "#0072B2" fillstyle solid 0.15 noborder }
	plot data index p using ($2 == 0 ? $3 : NaN):4 with points pt 8 ps 1 lc rgb "#777777" title "A/A (identical programs)", \
	     data index p using ($2 == 1 ? $3 : NaN):4 with points pt 7 ps 0.9 lc rgb colour[1] title "AB: A first", \
	     data index p using ($2 == 2 ? $3 : NaN):4 with points pt 4 ps 0.9 lc rgb colour[2] title "BA: B first", \
	     estimate with lines lc rgb "#0072B2" lw 1.5 title "estimate, interval shaded", \
	     1 with lines dt 2 lc rgb "#000000" title "1: no difference"
	unset object 1
	unset label 2
}
unset multiplot
