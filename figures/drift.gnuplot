# drift: each group's value against time, the Theil-Sen line, and where the level steps.
# Reads: panel, treatment, run, seconds, value, line, step (1: the last run of a level).
set grid ytics lt 1 lw 0.5 lc rgb "#dddddd"
count = int(treatment_count)
key_rows = ceil((count + 2) / 3.0)
# In pixels of the SVG, above the note: the key and the label below the panels.
foot = foot + 4
set multiplot title title_text
top = 1 - 40.0 / HEIGHT
bottom = (foot + 15.0 * key_rows + 24) / HEIGHT
step = (top - bottom) / panel_count
set lmargin at screen 0.13
set rmargin at screen 0.97

name(t) = value(sprintf("name_%d", t))
XLABEL = "seconds since the first group"
set ylabel value_text
do for [p = 0:panel_count - 1] {
	set tmargin at screen top - p * step - 26.0 / HEIGHT
	set bmargin at screen top - (p + 1) * step + 26.0 / HEIGHT
	set label 2 value(sprintf("panel_%d", p)) at graph 0.01, graph 1.07
	unset key
	unset xlabel
	if (p == panel_count - 1) { set xlabel XLABEL offset 0, 0.5 }
	if (p == 0) { set key at screen 0.97, screen foot / HEIGHT bottom right vertical maxrows key_rows samplen 2 font ",10" }
	if (value(sprintf("shown_%d", p)) == 0) { eval NOTHING; continue }
	set offsets 0, graph 0.02, graph 0.05, graph 0.05
	plot for [t = 0:count - 1] data index p using ($2 == t ? $4 : NaN):($5 / value_scale) with points \
	         pt filled[t % 6 + 1] ps 0.8 lc rgb colour[t % 6 + 1] title name(t), \
	     for [t = 0:count - 1] data index p using ($2 == t ? $4 : NaN):($6 / value_scale) with lines lw 1.5 \
	         dt t + 1 lc rgb colour[t % 6 + 1] title (t == 0 ? "Theil-Sen line" : ""), \
	     data index p using ($7 == 1 ? $4 : NaN):($5 / value_scale) with points pt 6 ps 1.6 lw 1.5 lc rgb "#000000" \
	         title "last before a step"
	unset label 2
}
unset multiplot
