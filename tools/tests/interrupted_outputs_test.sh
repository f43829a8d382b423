#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# No half-written outputs: every tool, with all its outputs, is ended by signals
# at several moments, by a full disk, and by a limit of file sizes. Each output is
# then absent, or as before the run, or what an undisturbed run writes, and nothing
# else is left in its folder.

# Without it the commands below would work in, and remove, other folders.
source "${TEST_SRCDIR:?}/${TEST_WORKSPACE:?}/tools/tests/testing.sh" || exit 1
: "${TEST_TMPDIR:?}" "${work:?}" "${tools:?}"
seed="${SEED:-${RANDOM}}"
echo "SEED=${seed}"
RANDOM="${seed}"
ulimit -c 0
# For temporary directories.
scratch="${work}/scratch"
mkdir "${scratch}" || exit 1
export TMPDIR="${scratch}"

# check FILE KIND: whether a disturbed run may have left this file in now/, given
# the file of an undisturbed run in whole/.
#   same    the undisturbed run's
#   json    one whole object (a summary has times in it)
#   ids     the undisturbed run's first column (the best partition so far)
#   last    the undisturbed run's last line, of a table with times in it
#   prefix  the undisturbed run's first lines (a stream ended early)
check() {
  local file="$1" kind="$2"
  [[ -e "now/${file}" ]] || return "${was_there}"
  [[ "${was_there}" == 1 && "$(cat "now/${file}")" == old ]] && return 0
  case "${kind}" in
    same) cmp -s "now/${file}" "whole/${file}" ;;
    json) grep -q '^{"tool":.*}$' "now/${file}" &&
      [[ "$(wc -l <"now/${file}")" == 1 ]] ;;
    ids) cmp -s <(cut -f1 "now/${file}" | sort) \
      <(cut -f1 "whole/${file}" | sort) ;;
    last) cmp -s <(tail -n 1 "now/${file}") <(tail -n 1 "whole/${file}") ;;
    prefix) head -n "$(wc -l <"now/${file}")" "whole/${file}" |
      cmp -s "now/${file}" - ;;
  esac
}

# An output has no name until it is complete. To replace a file, it then has a
# temporary name for a moment; on a file system without unnamed files it has that
# name all the time. The next run removes leftovers of killed runs, as
# base/io/text_writer_test.cc tests.
unnamed_files=1
leftovers=0
mkfifo waiting
"${tools}/oclustr" --input=waiting --input_format=lines --output=probe \
  >/dev/null 2>&1 &
exec 9>waiting # Waits until the tool reads.
compgen -G "probe.warpclust-tmp-*" >/dev/null && unnamed_files=0
kill -KILL "$!"
exec 9>&-
rm -f probe*

# begin: prepares the next run. Before every second run, its outputs exist.
was_there=0
begin() {
  rm -rf now
  mkdir now
  was_there=$((1 - was_there))
  [[ "${was_there}" == 0 ]] || for output in "${outputs[@]}"; do
    echo old >"now/${output%%:*}"
  done
}

# finished WHAT: checks the outputs of the run, and that nothing else is there.
runs=0
finished() {
  local output file
  runs=$((runs + 1))
  for output in "${outputs[@]}"; do
    check "${output%%:*}" "${output##*:}" ||
      fail "$1: ${output%%:*} is $(wc -c 2>&1 <"now/${output%%:*}") bytes"
  done
  if compgen -G "now/*.warpclust-tmp-*" >/dev/null; then
    leftovers=$((leftovers + 1))
    rm -f now/*.warpclust-tmp-*
  fi
  for file in now/*; do
    [[ -e "${file}" && " ${outputs[*]} " != *" ${file##*/}:"* ]] &&
      fail "$1 left ${file}"
  done
}

# scratch_is_empty WHAT: checks that an undisturbed run left no temporary
# directory, and removed those of killed runs.
scratch_is_empty() {
  [[ -z "$(ls -A "${scratch}")" ]] ||
    fail "$1 left $(ls -A "${scratch}") in TMPDIR"
}

# disturb TOOL FLAGS...: all disturbances. `outputs` lists the outputs as
# "file:kind"; the flags name them now/file.
disturb() {
  local tool="$1" output code begun took moment signal
  shift
  rm -rf now whole
  mkdir now
  begun=$(date +%s%N)
  "${tools}/${tool}" "$@" --quiet 2>err </dev/null ||
    fail "${tool} $*: $(cat err)"
  took=$((($(date +%s%N) - begun) / 1000000 + 1))
  mv now whole
  for output in "${outputs[@]}"; do
    [[ -s "whole/${output%%:*}" ]] || fail "${tool}: no ${output%%:*}"
  done

  # Moments all over the run, and near its end, when files get their names: one
  # of both per signal, or both.
  local late=0 early moments
  for signal in INT TERM HUP QUIT PIPE XCPU; do
    late=$((1 - late))
    early=$((RANDOM % took))
    moments=$((took * 9 / 10 + RANDOM % (took / 5 + 1)))
    [[ "${late}" == 1 ]] || moments="${early}"
    for moment in $(normally "${moments}" "${early} ${moments}"); do
      begin
      timeout -s "${signal}" "$(printf '%d.%03d' $((moment / 1000)) \
        $((moment % 1000 + 1)))" "${tools}/${tool}" "$@" --quiet 2>err </dev/null
      finished "${tool}, SIG${signal} after ${moment} of ${took} ms"
    done
  done

  # Files may not grow: not at all, and beyond 1 KiB.
  for size in 0 1; do
    begin
    (ulimit -f "${size}" && "${tools}/${tool}" "$@" --quiet </dev/null \
      2>/dev/null)
    code=$?
    finished "${tool}, ulimit -f ${size}"
    [[ "${size}" == 1 || "${code}" == 3 ]] ||
      fail "${tool}, ulimit -f ${size}: expected exit code 3, found ${code}"
  done

  # A full disk for one of the outputs.
  [[ -w /dev/full ]] || return
  for output in "${outputs[@]}"; do
    begin
    rm -f "now/${output%%:*}"
    ln -s /dev/full "now/${output%%:*}"
    "${tools}/${tool}" "$@" --quiet 2>err </dev/null
    code=$?
    [[ "${code}" == 3 ]] ||
      fail "${tool}, ${output} is full: expected exit code 3, found ${code}"
    has err "No space left"
    rm "now/${output%%:*}"
    [[ "${was_there}" == 0 ]] || echo old >"now/${output%%:*}"
    finished "${tool}, ${output%%:*} is full"
  done
}

"${tools}/generate" --kind=points --n=8000 --quiet >points.csv 2>err ||
  fail "generate: $(cat err)"

outputs=(o.svm:same o.terms:same o.ids:same o.json:json)
disturb vectorize --input="${examples}/encyclopedia.jsonl" --output=now/o.svm \
  --vocabulary=now/o.terms --write_ids=now/o.ids --summary=now/o.json
outputs=(o.tsv:same o.json:json)
disturb similarity_graph --beta=0.1 --output=now/o.tsv --summary=now/o.json
outputs=(o.tsv:same o.html:same o.json:json)
disturb oclustr --output=now/o.tsv --report=now/o.html --summary=now/o.json
disturb dclustr --output=now/o.tsv --report=now/o.html --summary=now/o.json
expect 0 dclustr --quiet
scratch_is_empty dclustr
outputs=(o.tsv:same o.json:json)
disturb evaluate --clusters="${examples}/encyclopedia_truth.tsv" \
  --truth="${examples}/encyclopedia_truth.tsv" --output=now/o.tsv \
  --summary=now/o.json
outputs=(o.tsv:last o.json:json)
disturb determinism_report --only=evaluation --limit=20 --output=now/o.tsv \
  --summary=now/o.json
# ... and with stores in its temporary directory.
for signal in INT PIPE; do
  begin
  timeout -s "${signal}" 0.5 "${tools}/determinism_report" --only=dclustr \
    --quiet --output=now/o.tsv --summary=now/o.json 2>err </dev/null
  finished "determinism_report --only=dclustr, SIG${signal}"
done
expect 0 determinism_report --only=evaluation --limit=20 --quiet
scratch_is_empty determinism_report
outputs=(o.tsv:same o.truth:same o.json:json)
disturb generate --kind=points --n=20000 --output=now/o.tsv \
  --truth=now/o.truth --summary=now/o.json
outputs=(o.tsv:same o.html:same o.json:json)
disturb density_peaks --input=points.csv --dc=1 --output=now/o.tsv \
  --decision_graph=now/o.html --summary=now/o.json
# Pages of what was found or read until an interrupt.
outputs=(o.tsv:ids o.html:last o.json:json)
disturb correlation_cluster --output=now/o.tsv --report=now/o.html \
  --summary=now/o.json
outputs=(o.tsv:prefix o.html:last o.json:json)
disturb online_cluster --input="${examples}/headlines.jsonl" --output=now/o.tsv \
  --report=now/o.html --summary=now/o.json

# A store is sound after an interrupted --compact, and the next run that writes to
# it removes the half-written copy.
"${tools}/dclustr" --store=store --add="${examples}/encyclopedia.jsonl" --quiet \
  >clusters 2>err || fail "dclustr: $(cat err)"
for moment in 0.01 0.03 0.06 0.1; do
  timeout -s TERM "${moment}" "${tools}/dclustr" --store=store --compact \
    --quiet >out 2>err </dev/null
  runs=$((runs + 1))
  expect 0 dclustr --store=store --verify --quiet
  same out clusters
  expect 0 dclustr --store=store --compact --quiet
  same out clusters
  [[ -e store/compact.tmp ]] && fail "SIGTERM after ${moment} s: $(ls store)"
done

# A state is saved completely, and the next run continues after the lines written.
"${tools}/online_cluster" --input="${examples}/headlines.jsonl" --quiet \
  >expected 2>err || fail "online_cluster: $(cat err)"
for signal in INT TERM HUP QUIT PIPE; do
  rm -rf days days.tsv
  for moment in 0.02 0.05 0.08; do
    timeout -s "${signal}" "${moment}" "${tools}/online_cluster" \
      --input="${examples}/headlines.jsonl" --state=days --resume --batch=4 \
      --journal_bytes=2000 --output=days.tsv --quiet 2>err </dev/null
    runs=$((runs + 1))
  done
  expect 0 online_cluster --input="${examples}/headlines.jsonl" --state=days \
    --resume --output=days.tsv --quiet
  same days.tsv expected
done
# A limit of file sizes gives a message, and nothing is lost.
for blocks in 0 1 2 4 8; do
  rm -rf days days.tsv
  (ulimit -f "${blocks}" && "${tools}/online_cluster" --state=days \
    --input="${examples}/headlines.jsonl" --output=days.tsv --batch=4 --quiet \
    </dev/null 2>/dev/null)
  code=$?
  runs=$((runs + 1))
  [[ "${code}" == 3 ]] ||
    fail "online_cluster, ulimit -f ${blocks}: expected 3, found ${code}"
  [[ ! -e days.tsv || -z "$(tail -c 1 days.tsv)" ]] ||
    fail "ulimit -f ${blocks} left half a line: $(tail -n 1 days.tsv)"
  expect 0 online_cluster --input="${examples}/headlines.jsonl" --state=days \
    --resume --output=days.tsv --quiet
  same days.tsv expected
  # The same for a store.
  rm -rf small
  (ulimit -f "${blocks}" && "${tools}/dclustr" --store=small --quiet \
    --add="${examples}/encyclopedia.jsonl" </dev/null >/dev/null 2>&1)
  code=$?
  runs=$((runs + 1))
  [[ "${code}" == 3 ]] ||
    fail "dclustr, ulimit -f ${blocks}: expected 3, found ${code}"
  expect 0 dclustr --store=small --add="${examples}/encyclopedia.jsonl" --quiet
  same out clusters
done

[[ "${unnamed_files}" == 0 || "${leftovers}" -le $((runs / 20)) ]] ||
  fail "${leftovers} of ${runs} runs left temporary files"
echo "${runs} runs, ${leftovers} left temporary files"
finish
