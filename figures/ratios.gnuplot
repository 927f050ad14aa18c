# ratios: the speedup of each pair, AB and BA apart, with the interval; the A/A pairs beside them
# as the same ratio of two identical programs. Reads: panel, kind, x, y; kind 0 A/A, 1 AB, 2 BA,
# 3 the interval (x lo, y hi), 4 (x estimate, y noise floor in log).
set datafile separator comma
set grid ytics lc rgb "#dddddd"
array colour[6] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
array filled[6] = [7, 5, 9, 13, 11, 15]
count = int(treatment_count)
set multiplot title title_text
top = 1 - 40.0 / HEIGHT
bottom = 70.0 / HEIGHT
step = (top - bottom) / panel_count
set lmargin at screen 0.13
set rmargin at screen 0.97
if (strlen(note) > 0) { set label 1 note at screen 0.01, screen 0.012 font ",9" }

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
	if (p == 0) { set key at screen 0.97, screen 12.0 / HEIGHT horizontal bottom right font ",10" }
	stats data index p using ($2 == 3 ? $3 : NaN) nooutput
	lo = STATS_records > 0 ? STATS_min : NaN
	stats data index p using ($2 == 3 ? $4 : NaN) nooutput
	hi = STATS_records > 0 ? STATS_min : NaN
	stats data index p using ($2 == 4 ? $3 : NaN) nooutput
	estimate = STATS_records > 0 ? STATS_min : NaN
	set object 1 rectangle from graph 0, first lo to graph 1, first hi behind \
	    fillcolor rgb "#0072B2" fillstyle solid 0.15 noborder
	plot data index p using ($2 == 0 ? $3 : NaN):4 with points pt 8 ps 1 lc rgb "#777777" title "A/A (identical programs)", \
	     data index p using ($2 == 1 ? $3 : NaN):4 with points pt 7 ps 0.9 lc rgb colour[1] title "AB: A first", \
	     data index p using ($2 == 2 ? $3 : NaN):4 with points pt 4 ps 0.9 lc rgb colour[2] title "BA: B first", \
	     estimate with lines lc rgb "#0072B2" lw 1.5 title "estimate, interval shaded", \
	     1 with lines dt 2 lc rgb "#000000" title "1: no difference"
	unset object 1
	unset label 2
}
unset multiplot
