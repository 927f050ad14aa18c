# distribution: how the groups' values are spread: the share of groups at or below a value
# (ECDF) and, below it, each group as a tick. Reads: panel, treatment, value.
set grid ytics lt 1 lw 0.5 lc rgb "#dddddd"
count = int(treatment_count)
key_rows = ceil(count / 3.0)
# In pixels of the SVG, above the note: the key and the label below the panels.
set multiplot title title_text
top = 1 - 40.0 / HEIGHT
bottom = (foot + 15.0 * key_rows + 24) / HEIGHT
step = (top - bottom) / panel_count
set lmargin at screen 0.13
set rmargin at screen 0.97

name(t) = value(sprintf("name_%d", t))
XLABEL = value_text
set ylabel "share of groups"
do for [p = 0:panel_count - 1] {
	set tmargin at screen top - p * step - 26.0 / HEIGHT
	set bmargin at screen top - (p + 1) * step + 26.0 / HEIGHT
	set label 2 value(sprintf("panel_%d", p)) at graph 0.01, graph 1.07
	unset key
	unset xlabel
	if (p == panel_count - 1) { set xlabel XLABEL offset 0, 0.5 }
	if (p == 0) { set key at screen 0.97, screen foot / HEIGHT bottom right vertical maxrows key_rows samplen 2 font ",10" }
	if (value(sprintf("shown_%d", p)) == 0) { eval NOTHING; continue }
	set offsets graph 0.02, graph 0.02, 0, 0
	set yrange [-0.08 * count:1.02]
	set ytics 0, 0.25, 1
	plot for [t = 0:count - 1] data index p using ($2 == t ? $3 / value_scale : NaN):(1.0) smooth cnormal \
	         with steps lw 1.5 dt t + 1 lc rgb colour[t % 6 + 1] title name(t), \
	     for [t = 0:count - 1] data index p using ($2 == t ? $3 / value_scale : NaN):(-0.04 - 0.07 * t) \
	         with points pt filled[t % 6 + 1] ps 0.6 lc rgb colour[t % 6 + 1] notitle
	unset label 2
}
unset multiplot
