#!/bin/sh
# The sum of 1 to $1, by a loop of the shell.
sum=0
i=1
while [ "$i" -le "$1" ]; do
	sum=$((sum + i))
	i=$((i + 1))
done
echo "$sum"
