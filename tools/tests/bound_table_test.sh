#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# The table of lower bounds has a row per network, the smallest file first.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"

if ! command -v python3 >/dev/null; then
  echo "python3 is not here: nothing is tested" >&2
  exit 0
fi

mkdir networks
gzip -c "${examples}/tribes.txt" >networks/tribes.txt.gz
"${tools}/generate" --kind=signed --n=60 --density=0.9 --output=dense.txt
gzip -c dense.txt >networks/dense.txt.gz
cp networks/dense.txt.gz networks/other.txt.gz
python3 "${tools}/benchmarks/bound_table.py" --tools="${tools}" --data=networks \
  --time_limit=0.1 --skip=other >table 2>err || fail "the table: $(cat err)"
sed -n 3p table | grep -E '^\| tribes \| 16 \| 58 \| 2 \| 2 \| optimal \| cycles \|' ||
  fail "the first row: $(cat table)"
sed -n 4p table |
  grep -E '^\| dense \| 60 \| [0-9,]+ \| [0-9]+ \| [0-9]+ \| [0-9.]+ % \| semidefinite ' ||
  fail "the second row: $(cat table)"
[[ "$(wc -l <table)" == 4 ]] || fail "rows: $(cat table)"

# A network that cannot be read does not end the table.
echo "GAVEV KOTUN many" | gzip -c >networks/broken.txt.gz
if python3 "${tools}/benchmarks/bound_table.py" --tools="${tools}" \
  --data=networks --time_limit=0.1 --skip=dense,other >table 2>err; then
  fail "a broken network: no error"
fi
grep -F "found 'many'" err || fail "the reason: $(cat err)"
grep -E '^\| tribes ' table || fail "the row behind it: $(cat table)"

finish
