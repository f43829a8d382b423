#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Converts the corpus of a fuzz target between this repository's form, a file with
# one input per line in hexadecimal digits, and libFuzzer's, a folder with one file
# per input.
#
#   third_party/fuzz_corpus.sh unpack sparse/fuzz/corpus/svmlight_fuzzer.txt DIR
#   bazel-bin/sparse/fuzz/svmlight_fuzzer -max_total_time=600 DIR
#   third_party/fuzz_corpus.sh pack DIR sparse/fuzz/corpus/svmlight_fuzzer.txt
#
# pack keeps what the file has and adds new inputs of DIR of up to 256 bytes. To add
# a finding, put the crash file into DIR. Minimize DIR before:
# svmlight_fuzzer -merge=1 SMALL DIR.
set -euo pipefail

usage() {
  sed -n '5,17s/^# \{0,1\}//p' "$0" >&2
  exit 1
}

unpack() {
  local line bytes i number=0
  mkdir -p "$2"
  while read -r line; do
    case $line in
      '#'*) continue ;;
    esac
    number=$((number + 1))
    bytes=
    for ((i = 0; i < ${#line}; i += 2)); do
      bytes+="\\x${line:i:2}"
    done
    printf '%b' "$bytes" >"$2/$(printf '%05d' "$number")"
  done <"$1"
}

pack() {
  local file
  {
    if [ -f "$2" ]; then
      cat "$2"
    fi
    for file in "$1"/*; do
      if [ "$(stat -c %s "$file")" -le 256 ]; then
        od -An -v -tx1 "$file" | tr -d ' \n'
        printf '\n'
      fi
    done
  } | awk '!seen[$0]++' >"$2.new"
  mv "$2.new" "$2"
}

case ${1-} in
  unpack | pack) if [ $# -ne 3 ]; then usage; fi ;;
  *) usage ;;
esac
"$@"
