#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# The determinism report on a part of the bundled examples: all groups are equal,
# and no run is missing. determinism/run_table_test.cc tests that a difference is
# noticed.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
# There are more threads than cores: those that wait should sleep.
export OMP_WAIT_POLICY=passive
# The stores wait for the disk; in memory they do not.
[[ ! -w /dev/shm ]] || export TMPDIR=/dev/shm

# SuggestOnline compares 64 documents or more.
limit="$(normally 64 400)"
expect 0 determinism_report --limit="${limit}" --device=cpu --quiet
tail -n 1 out | grep -qE '^[0-9]+ runs in [0-9]+ groups: all equal$' ||
  fail "last line: $(tail -n 3 out)"
grep DIFFERENT out && fail "groups differ"
has out "encyclopedia.jsonl (${limit})" "headlines.jsonl (${limit})" \
  "random (${limit})" "points.csv (${limit})" "tribes.txt (16)" "serial1" "serial2" "batched" "dynamic vp tree, separate" \
  "store, with changes" "rules, tf" "cosine, cutoff" "ils" \
  "against labels" "batched per candidate" "cosine, 10 of new points" \
  "sweep of cutoffs" "sweep of k-NN" "sweep of adaptive k-NN"
for algorithm in "cosine graph" "cosine probe" relevance oclustr hierarchy dclustr online correlation \
  "density peaks" "nearest neighbors" evaluation; do
  for threads in 1 2 3 8; do
    grep -qE "^${algorithm} .* cpu  +${threads}  .* [0-9a-f]{16}  " out ||
      fail "no line of ${algorithm} with ${threads} threads"
  done
done
for algorithm in "cosine graph" oclustr dclustr online correlation "density peaks"; do
  for ranks in 1 2 3 7; do
    grep -qE "^${algorithm} .* cpu  +1  +${ranks}  .* [0-9a-f]{16}  " out ||
      fail "no line of ${algorithm} on ${ranks} ranks"
  done
done

# The digests do not depend on --only.
digests() { grep -E "^$1 " out | sed -E 's/ +[0-9.]+$//; s/  +/  /g'; }
digests evaluation >expected
expect 0 determinism_report --limit="${limit}" --device=cpu --quiet \
  --only=evaluation
digests evaluation >found
same found expected

expect 0 determinism_report --limit=50 --only=cosine_graph,correlation \
  --threads=5 --device=cpu
has err "no --documents: using the bundled example" "no --signed" \
  "no --embeddings: using 50 random ones"
grep -qE "  cpu  +5  " out || fail "--threads=5 is missing"
grep -q "^online" out && fail "--only is ignored"

expect 1 determinism_report --only=kmeans
has err '--only: expected some of cosine_graph,oclustr,' 'found "kmeans"'
expect 1 determinism_report --only=
has err '--only: expected some of cosine_graph,oclustr,' 'found ""'
expect 1 determinism_report --only=correlation --signed=x --documents=x
has err "--documents: no algorithm of --only reads it"
expect 1 determinism_report --only=oclustr --stream=x
has err "--stream: no algorithm of --only reads it"
"${tools}/generate" --kind=embeddings --n=50 --dimensions=8 --quiet \
  --output=v.npy
expect 0 determinism_report --only=oclustr --embeddings=v.npy --device=cpu
has out "v.npy (50)" "52 runs in 7 groups: all equal"
printf 'words\n' >words.txt
expect 2 determinism_report --only=oclustr --embeddings=words.txt --device=cpu
has err "words.txt: expected embeddings, found another format"
expect 1 determinism_report --only=correlation --embeddings=v.npy
has err "--embeddings: no algorithm of --only reads it"
expect 2 determinism_report --points=missing.csv --only=density_peaks
[[ -s out ]] && fail "a table in spite of an error"

finish
