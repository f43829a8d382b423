#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# The grid of jobs runs, writes a row per run, and judges --device=auto.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
grid="${tools}/benchmarks/device_grid.py"

if ! command -v python3 >/dev/null; then
  echo "python3 is not here: nothing is tested" >&2
  exit 0
fi

python3 "${grid}" --tools="${tools}" --devices=cpu,auto --max_n=1000 \
  --threads=2 --job_seconds=1 --out=rows.jsonl >table 2>err || fail "the grid: $(cat err)"
has table 'oclustr documents_500_76.svm --weighting=tf --beta=0.25' \
  'online_cluster stream_1000_10.jsonl' 'density_peaks points_1000_2.csv'
has rows.jsonl '"device": "cpu", "repeat": 1, "error": "", "wall": ' \
  '"device": "auto"' '"seconds": {"read": ' '"n": 500, '
if grep -v -e '"error": ""' -e '"error": "too long"' rows.jsonl; then
  fail "a job has an error"
fi
python3 "${grid}" --show=rows.jsonl >again || fail "--show fails"
same table again

# row JOB DEVICE WALL
row() {
  printf '{"job":"%s","device":"%s","ran_on":"cpu","error":"","wall":%s}\n' "$@"
}
{
  row good cpu 0.2
  row good cpu 0.1
  row good cuda 0.3
  row good auto 0.129
  row bad cpu 0.1
  row bad cuda 0.2
  row bad auto 0.131
} >rows.jsonl
python3 "${grid}" --show=rows.jsonl >table || fail "--show fails"
has table $'good\t0.100\t0.300\t0.129\tcpu\t0.130\tyes' \
  $'bad\t0.100\t0.200\t0.131\tcpu\t0.130\tno' 'on 1 of 2 jobs'

finish
