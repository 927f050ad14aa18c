rule "copy" { command = "cp $in $out" }
build { rule = "copy", inputs = "data/1.txt", outputs = "build/x" }
build { rule = "copy", inputs = "data/1.txt", outputs = "build/./x" }
