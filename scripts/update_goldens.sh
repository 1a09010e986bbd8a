#!/bin/sh
# Rewrites the expected part of every golden file from what the programs print now. Review the diff before committing it.
#   scripts/update_goldens.sh [BUILD_FOLDER]      (default build/release, in which ./dev test has built the tests)
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release}
for program in "$build"/test_*; do
  if [ -x "$program" ] && [ ! -d "$program" ]; then
    WARPFORK_UPDATE_GOLDENS=1 "$program" --gtest_filter='*Golden*' --gtest_brief=1
  fi
done
git --no-pager diff --stat -- tests/golden
