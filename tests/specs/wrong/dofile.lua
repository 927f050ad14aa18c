dofile "x"
