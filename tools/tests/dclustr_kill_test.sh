#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# dclustr is killed (SIGKILL) at random moments of 25 updates, or 200. Each time
# the store opens, is sound, and has the clusters from before or after the update,
# as oclustr finds them.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
set -o pipefail
updates="$(normally 25 200)"
seed="${SEED:-${RANDOM}}"
echo "SEED=${seed}"
RANDOM="${seed}"
all="${examples}/encyclopedia.jsonl"
documents=$(wc -l <"${all}")

# clusters_of JSONL TSV: the clusters that the store should have.
clusters_of() {
  "${tools}/oclustr" --input="$1" --input_format=jsonl --beta=0.25 --quiet >"$2" ||
    fail "oclustr $1"
}

sed -n 1,120p "${all}" >now.jsonl
expect 0 dclustr --store=store --add=now.jsonl --print=none
clusters_of now.jsonl before.tsv

# How many milliseconds an update takes, measured with a cold cache: kills fall
# all over it, and some after it.
begin=$(date +%s%N)
expect 0 dclustr --store=store --add=/dev/null --input_format=jsonl --print=none
took=$((($(date +%s%N) - begin) / 1000000 + 2))

were_before=0
for update in $(seq "${updates}"); do
  # Adds five documents and removes up to three of the present ones.
  first=$((RANDOM % (documents - 5) + 1))
  sed -n "${first},$((first + 4))p" "${all}" |
    sed "s/\"id\": *\"/&${update}-/" >added.jsonl
  present=$(wc -l <now.jsonl)
  for _ in 1 2 3; do
    sed -n "$((RANDOM % present + 1))p" now.jsonl
  done | sed 's/.*"id": *"\([^"]*\)".*/\1/' | sort -u >removed
  sed 's/.*/"id": *"&"/' removed | grep -v -f - now.jsonl >next.jsonl
  cat added.jsonl >>next.jsonl
  clusters_of next.jsonl after.tsv

  "${tools}/dclustr" --store=store --add=added.jsonl --remove=removed \
    --print=none --quiet 2>err &
  pid=$!
  sleep "$(printf '0.%03d' $((RANDOM % took)))"
  kill -KILL "${pid}" 2>/dev/null
  wait "${pid}" 2>/dev/null

  expect 0 dclustr --store=store --verify --quiet
  if cmp -s out before.tsv; then
    were_before=$((were_before + 1))
  else
    same out after.tsv
    mv next.jsonl now.jsonl
    mv after.tsv before.tsv
  fi
  [[ "${failures}" == 0 ]] || break
done
echo "${were_before} of ${updates} updates were lost, ${took} ms each"
finish
