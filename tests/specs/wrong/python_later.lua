local k = python "kernels/k.py"
