#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# The command line of reproduce. What is in a report is tested by
# reproduce/quick_test.cc.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
# The stores wait for the disk; in memory they do not.
[[ ! -w /dev/shm ]] || export TMPDIR=/dev/shm

reproduce=reproduce/reproduce
expect 0 "${reproduce}" --help
has out --paper= --data=DIR --out=DIR --quick --only= --time_limit= --runs=

expect 0 "${reproduce}" --paper=correlation --quick --only="Table 4,Table 5" \
  --out=new/folder --threads=2 --device=cpu
[[ -s out ]] && fail "something on standard output"
has err "wrote new/folder/correlation.html and new/folder/correlation.json"
is_json new/folder/correlation.json
has new/folder/correlation.json '"exhibit":"Table 4"' '"exhibit":"Table 5"' \
  '--only=\"Table 5\"' '"stand_in":"Slashdot 1000"'
grep -q '"exhibit":"Table 2"' new/folder/correlation.json &&
  fail "--only is ignored"
has new/folder/correlation.html "<h2>Table 4. " "reproduce --paper=correlation"

# A file with another hash is used, and named.
mkdir -p data/signed
printf '0 1 1\n1 2 -1\n' | gzip -c >data/signed/slashdot_1000.txt.gz
expect 0 "${reproduce}" --paper=correlation --data=data --only="Figure 1" \
  --time_limit=1 --runs=1 --device=cpu
has err "slashdot_1000.txt.gz: expected sha256 " \
  "not the file that the report is about"
has correlation.json "Slashdot 2000 is not at hand" \
  '"data_set":"slashdot_1000.txt.gz","stand_in":null'

expect 1 "${reproduce}" --paper=kmeans
has err '--paper: expected'
expect 1 "${reproduce}" --paper=online --quick --data=data
has err "--data a quick run generates its data"
expect 1 "${reproduce}" --paper=online --only="Table 4"
has err '--only: expected some of Graph 1,Graph 2' 'found "Table 4"'
expect 2 "${reproduce}" --paper=online --data=missing
has err "missing: expected a folder"
touch file
expect 3 "${reproduce}" --paper=online --quick --out=file

finish
