#!/usr/bin/env python3
"""The sum of 1 to the first argument."""
import sys

total = 0
for i in range(1, int(sys.argv[1]) + 1):
    total += i
print(total)
