#!/bin/sh
# The sum of 1 to $1, by two other programs.
seq 1 "$1" | awk '{ sum += $1 } END { print sum }'
