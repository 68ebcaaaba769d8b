#!/bin/sh
# Runs pytest with each of its arguments, all at once: the first run speaks, what the others say follows at the end.
set -u

# Threads of torch that share a core wait by spinning, and a fork of a process that has some may hang at its first sum.
export OMP_NUM_THREADS=1
# What hundreds of processes import is compiled once.
export PYTHONDONTWRITEBYTECODE=

pytest=$1 first=$2
shift 2
said=$(mktemp -d)
others=
trap 'kill $others; rm -rf "$said"; exit 130' INT TERM
for words; do
    $pytest $words >"$(mktemp "$said/XXXXXX")" 2>&1 &
    others="$others $!"
done
$pytest $first
failed=$?
for other in $others; do
    wait "$other" || failed=1
done
[ -z "$others" ] || cat "$said"/*
rm -rf "$said"
exit $failed
