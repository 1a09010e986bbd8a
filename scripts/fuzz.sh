#!/usr/bin/env bash
# Runs every fuzz target for so many seconds, one a processor side by side: fuzz.sh FUZZ_BUILD RELEASE_BUILD SECONDS.
# What a target has found worth keeping stays in FUZZ_BUILD/corpus for the next time. An input that breaks it, or keeps
# it busy for a minute, is left beside that and ends the target's run; exit status 1 then, after the other targets.
set -euo pipefail
fuzz=$(realpath "$1")
release=$(realpath "$2")
seconds=$3
seeds=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/tests/data/ptx

# Of which a recording is made that is then edited.
export FUZZ_RECORDING=$fuzz/corpus/small.wft

run() {
  local target=$1 log=$fuzz/corpus/$1.log folders=("corpus/$1") lines=8 status=0
  [ "$target" != ptx ] || folders+=("$seeds")
  mkdir -p "$fuzz/corpus/$target"
  (cd "$fuzz" && "./${target}_fuzz" -max_total_time="$seconds" -timeout=60 -artifact_prefix="corpus/$target-" \
    -print_final_stats=1 "${folders[@]}") >"$log" 2>&1 || { status=1 && lines=60; }
  printf '== %s\n%s\n' "$target" "$(tail -n $lines "$log")"
  return $status
}
export fuzz seconds seeds
export -f run

mkdir -p "$fuzz/corpus"
"$release/warpfork" record --limit 5000 -o "$FUZZ_RECORDING" -- "$release/workloads/spmd/radix" 2 tiny
printf '%s\n' ptx launch saved_launch fatbin x86 recording | xargs -P "$(nproc)" -I{} bash -c 'run {}' || exit 1
