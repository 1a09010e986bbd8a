#!/usr/bin/env bash
# Runs every fuzz target for so many seconds: fuzz.sh FUZZ_BUILD RELEASE_BUILD SECONDS. What a target has found worth keeping stays
# in FUZZ_BUILD/corpus for the next time; an input that breaks it is left beside it and ends the run.
set -euo pipefail
fuzz=$(realpath "$1")
release=$(realpath "$2")
seconds=$3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Of which a recording is made that is then edited.
export FUZZ_RECORDING=$fuzz/corpus/small.wft

run() {
  local target=$1
  shift
  mkdir -p "$fuzz/corpus/$target"
  echo "== $target"
  (cd "$fuzz" && "./${target}_fuzz" -max_total_time="$seconds" -artifact_prefix="corpus/$target-" -print_final_stats=1 \
    "corpus/$target" "$@" 2>&1 | tail -n 12)
}

mkdir -p "$fuzz/corpus"
"$release/warpfork" record --limit 5000 -o "$FUZZ_RECORDING" -- "$release/workloads/spmd/radix" 2 tiny
run ptx "$root/tests/data/ptx"
run launch
run fatbin
run x86
run recording
