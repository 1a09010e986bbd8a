#!/usr/bin/env bash
# What a profile-guided build goes by: train.sh BUILD_FOLDER runs the programs of ./dev bench, timed, functionally and under
# every mechanism, and a recorded one on each CPU core. `./dev build --profiled` calls it.
set -euo pipefail
build=$(realpath "$1")
recording=$(mktemp --suffix=.wft)
trap 'rm -f "$recording"' EXIT
run() { "$build/warpfork" "$@" >/dev/null 2>&1 || { echo "train.sh: failed: warpfork $*" >&2; exit 1; }; }

for program in "mandelbrot 96" "hotspot 128" "bfs 6000" "backprop 256" "nw 8" "lud 8" "raytrace 48" "mum 512"; do
  read -r name input <<<"$program"
  for options in --functional-only "--divergence pdom" "--divergence multi-path" "--divergence tbc"; do
    read -ra words <<<"$options"
    run run "${words[@]}" "$build/workloads/$name" "$input"
  done
done
run record -o "$recording" -- "$build/workloads/spmd/blackscholes" 8 1024 4
for core in smt ditva simt-x; do run cpu run "$recording" --core "$core"; done
