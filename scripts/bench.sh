#!/usr/bin/env bash
# The speed of the simulator and its accuracy: bench.sh BUILD_FOLDER [PART…]. `./dev bench` builds and calls it.
set -euo pipefail
build=$(realpath "$1")
shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
times=$(mktemp)
trap 'rm -f "$times"' EXIT

title() { printf '\n== %s\n' "$1"; }

# The best of three runs: whatever else the machine does can only make them slower.
rate() {
  for _ in 1 2 3; do
    "$build/warpfork" run --host-time "$times" "$@" >/dev/null 2>&1 || { echo failed; return; }
    python3 -c 'import json, sys; print(format(json.load(open(sys.argv[1]))["warp_instructions_per_second"] / 1e6, ".3f"))' "$times"
  done | sort -n | tail -1
}

part_counts() {
  title "host instructions a simulated warp instruction; since: bench/speed/recorded.json"
  "$root/scripts/host_instructions.py" "$build"
}

part_parts() {
  title "parts, by Google Benchmark"
  "$build/simt_bench" --benchmark_counters_tabular=true 2>/dev/null
  "$build/lower_bench" --benchmark_counters_tabular=true 2>/dev/null
  "$build/memory_bench" --benchmark_counters_tabular=true 2>/dev/null
  (cd "$root" && "$build/gpu_bench" --benchmark_counters_tabular=true 2>/dev/null)
}

part_programs() {
  title "whole programs: million warp instructions a second of one core"
  printf '%-12s %16s %16s\n' program timing functional
  for program in mandelbrot hotspot bfs backprop nw lud raytrace mum; do
    printf '%-12s %16s %16s\n' "$program" "$(rate "$build/workloads/$program")" \
      "$(rate --functional-only "$build/workloads/$program")"
  done
}

part_mechanisms() {
  local mechanisms=(dual-path warp-subdivision multi-path multi-path-or thread-frontier convergence-barrier tbc capri) base own
  title "mechanisms: warp instructions a second, timing, of pdom's"
  printf '%-12s' program
  printf ' %13s' "${mechanisms[@]}"
  echo
  for program in mandelbrot bfs raytrace lud mc rend memc mum tpacf; do
    printf '%-12s' "$program"
    base=$(rate --divergence pdom "$build/workloads/$program")
    for mechanism in "${mechanisms[@]}"; do
      own=$(rate --divergence "$mechanism" "$build/workloads/$program")
      awk -v own="$own" -v base="$base" 'BEGIN { printf " %11.0f %%", 100 * own / base }'
    done
    echo
  done
}

part_cpu() {
  title "x86-64 programs on CPU cores"
  "$root/scripts/bench_cpu.py" "$build"
}

part_accuracy() {
  title "accuracy against GPGPU-Sim on the calibration kernels (* = more than 20 % off)"
  "$root/scripts/calibrate.py" "$build/warpfork" --speed
}

[ $# -gt 0 ] || set -- counts parts programs mechanisms cpu accuracy
for part in "$@"; do "part_$part"; done
