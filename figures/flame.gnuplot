# flame: stacks of functions, the outermost at the bottom, each as wide as the share of instructions
# that is done in it. Reads: depth, begin, end, share, shade, text.
unset key
unset border
unset ytics
set title title_text font title_font
set lmargin at screen 0.05
set rmargin at screen 0.95
set tmargin at screen 1 - 34.0 / HEIGHT
set bmargin at screen (foot + 48) / HEIGHT
set xrange [0:1]
set yrange [0:(depths > 3 ? depths : 3)]
set format x "%.0f %%"
set xtics 0, 0.1 scale 0.5 nomirror font ",10"
set xtics ("0 %%" 0, "20 %%" 0.2, "40 %%" 0.4, "60 %%" 0.6, "80 %%" 0.8, "100 %%" 1)
set xlabel "share of the instructions" font ",10" offset 0, 0.4
# From a light to a darker orange, dark enough in black and white and light enough for the names.
tint(s) = 65536 * int(250 - 20 * s) + 256 * int(232 - 73 * s) + int(200 - 200 * s)
if (depths == 0) { eval NOTHING } else {
plot data using (($2 + $3) / 2):($1 + 0.5):2:3:1:($1 + 1):(tint($5)) with boxxyerror fs solid 1.0 border lc rgb "#555555" lw 0.7 fc rgb variable, \
     '' using (($2 + $3) / 2):($1 + 0.5):6 with labels font ",10"
}
