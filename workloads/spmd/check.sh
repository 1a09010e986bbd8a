#!/usr/bin/env bash
# check.sh PROGRAM: runs an SPMD program in its tiny size with 1, 3 and 8 threads. Each run must check itself and exit
# with 0, and all must print the same. A processor without AVX2 is replaced by QEMU.
set -euo pipefail
program=$1
export OMP_WAIT_POLICY=passive # there may be fewer processors than threads: waiting must not take theirs
run=()
if [[ $program == *-avx2 ]] && ! grep -qw avx2 /proc/cpuinfo; then run=(qemu-x86_64 -cpu max); fi

expected=
for threads in 1 3 8; do
  status=0
  printed=$("${run[@]}" "$program" "$threads" tiny) || status=$?
  echo "$threads threads: $printed"
  if [ $status -ne 0 ] || [ "$printed" != "${expected:=$printed}" ]; then
    echo "$program: exit status $status or another result with $threads threads" >&2
    exit 1
  fi
done
