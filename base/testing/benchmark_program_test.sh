#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# The main() of benchmarks: --data, --out, --help and the exit codes.
set -uo pipefail

program=$TEST_SRCDIR/$TEST_WORKSPACE/base/testing/benchmark_program_example
data=$TEST_TMPDIR/data
mkdir -p "$data/docs" "$TEST_TMPDIR/out"
touch "$data/docs/b_tf.txt" "$data/docs/c.txt" "$data/a.csv"
failures=0

# expect STATUS WORDS ARGUMENT...: the program ends with STATUS; its output has
# the WORDS.
expect() {
  local status=$1 words=$2 got=0
  shift 2
  "$program" --benchmark_min_time=0 "$@" >"$TEST_TMPDIR/log" 2>&1 || got=$?
  if [ "$got" -ne "$status" ] || ! grep -qF -e "$words" "$TEST_TMPDIR/log"; then
    printf 'exit code %s of %s, expected %s and "%s":\n' "$got" "$*" "$status" \
      "$words"
    cat "$TEST_TMPDIR/log"
    failures=$((failures + 1))
  fi
}

# Names in the order of the suffixes; folders of a folder are searched.
names=$("$program" --data="$data" --benchmark_list_tests | paste -sd ' ')
if [ "$names" != "b/real_time a/real_time" ]; then
  printf 'names: %s\n' "$names"
  failures=1
fi
expect 0 "c" --data="$data/docs/c.txt" --benchmark_list_tests
expect 0 "mean_seconds" --data="$data" --out="$TEST_TMPDIR/out"
grep -q '"mean_seconds"' "$TEST_TMPDIR/out/benchmark_program_example.json" ||
  failures=$((failures + 1))
expect 0 '"name": "b/real_time"' --data="$data" --benchmark_format=json
expect 1 "the edges differ" --data="$data" --fail="the edges differ"
expect 0 "skipped: no library" --data="$data" --fail="skipped: no library"
expect 2 "expected another flag" --data="$data" --fail=register
expect 2 "expected only flags, found x" x
expect 1 "Unknown command line flag" --nosuch
# Abseil ends with 1.
expect 1 "message of a failed check" --help

[ "$failures" -eq 0 ]
