# runs: every sample in the order it was taken. Colour: the variant; shape: the phase and the
# place inside the pair. Reads: panel, x, value, kind = 1000 * phase + 2 * treatment + (slot - 1).
set grid ytics lt 1 lw 0.5 lc rgb "#dddddd"
count = int(treatment_count)
key_rows = ceil((count + 6) / 3.0)
# In pixels of the SVG, above the note: the key and the label below the panels.
set multiplot title title_text
top = 1 - 40.0 / HEIGHT
bottom = (foot + 15.0 * key_rows + 24) / HEIGHT
step = (top - bottom) / panel_count
set lmargin at screen 0.13
set rmargin at screen 0.97

name(t) = t < treatment_count ? value(sprintf("name_%d", t)) : name_0 . "' (copy, control)"
# warm-up: crosses; A/A: squares, A/B: circles; filled for the first of the pair
shape(phase, slot) = phase == 0 ? 2 : phase == 1 ? (slot == 0 ? 5 : 4) : (slot == 0 ? 7 : 6)
label(phase, slot) = phase == 0 ? "warm-up" : sprintf("%s %s", phase == 1 ? "A/A" : "A/B", slot == 0 ? "1st" : "2nd")
phase_of(k) = k == 0 ? 0 : k < 3 ? 1 : 2
is(kind, phase, t, slot) = kind == 1000 * phase + 2 * t + slot
XLABEL = "group, in the order of launches"
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
	set xrange [0:group_count + 1]
	set offsets 0, 0, graph 0.05, graph 0.05
	plot for [t = 0:count] for [phase = 0:2] for [slot = 0:1] data index p \
	         using ($2):(is($4, phase, t, slot) ? $3 / value_scale : NaN) with points \
	         pt shape(phase, slot) ps 0.5 lc rgb colour[t % 6 + 1] notitle, \
	     for [t = 0:count] NaN with points pt 7 ps 1 lc rgb colour[t % 6 + 1] title name(t), \
	     for [k = 0:4] NaN with points lc rgb "#000000" ps 0.9 \
	         pt shape(phase_of(k), (k + 1) % 2) title label(phase_of(k), (k + 1) % 2)
	unset label 2
}
unset multiplot
