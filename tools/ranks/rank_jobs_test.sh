#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# The benchmark of jobs on ranks runs, writes a row per run and compares outputs.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/ranks/on_ranks.sh"

if ! python3 -c 'import numpy' 2>/dev/null; then
  [[ "${WARPCLUST_REQUIRE_PYTHON:-}" != 1 ]] || fail "python3 has no NumPy"
  echo "python3 with NumPy is not here: nothing is tested" >&2
  finish
  exit
fi

python3 "${tools}/benchmarks/rank_jobs.py" --tools="${tools}" --device=cpu --ranks=1,2 \
  --repeats=1 --scale=0.001 --only=cosine,dense,points_3,stream --out=rows.jsonl \
  >table 2>err || fail "the jobs: $(cat err)"
has table $'cosine\t1\t' $'cosine\t2\t' $'dense\t2\t' $'points_3\t2\t' $'stream\t2\t'
has rows.jsonl '"job": "dense", "ranks": 2, "error": ""' '"sha256": "'
if grep -q differ table; then
  fail "outputs differ: $(cat table)"
fi

finish
