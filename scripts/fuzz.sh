#!/usr/bin/env bash
# Runs every fuzz target for so many seconds: fuzz.sh FUZZ_BUILD RELEASE_BUILD SECONDS. What a target has found worth
# keeping stays in FUZZ_BUILD/corpus for the next time. An input that breaks it, or keeps it busy for a minute, is left
# beside that and ends the target's run; exit status 1 then, after the other targets.
set -euo pipefail
fuzz=$(realpath "$1")
release=$(realpath "$2")
seconds=$3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Of which a recording is made that is then edited.
export FUZZ_RECORDING=$fuzz/corpus/small.wft
status=0

run() {
  local target=$1
  shift
  local log=$fuzz/corpus/$target.log
  mkdir -p "$fuzz/corpus/$target"
  echo "== $target"
  if (cd "$fuzz" && "./${target}_fuzz" -max_total_time="$seconds" -timeout=60 -artifact_prefix="corpus/$target-" \
    -print_final_stats=1 "corpus/$target" "$@") >"$log" 2>&1; then
    tail -n 8 "$log"
  else
    status=1
    tail -n 60 "$log"
  fi
}

mkdir -p "$fuzz/corpus"
"$release/warpfork" record --limit 5000 -o "$FUZZ_RECORDING" -- "$release/workloads/spmd/radix" 2 tiny
run ptx "$root/tests/data/ptx"
run launch
run saved_launch
run fatbin
run x86
run recording
exit $status
