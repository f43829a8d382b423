#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# correlation_cluster, density_peaks and online_cluster on 1 to 4 processes of
# mpirun: the bytes of one process, one message after an error, and ranks that are
# killed. WARPCLUST_FULL_TESTS=1: 50 kills of each.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/ranks/on_ranks.sh"

make() {
  "${tools}/generate" "$@" --quiet || fail "generate $*"
}
make --kind=signed --n=150 --density=0.1 --output=sparse.txt
make --kind=signed --n=60 --density=0.7 --output=dense.txt
make --kind=points --n=3000 --output=points.csv
make --kind=stream --n=2500 --output=stream.jsonl
make --kind=embeddings --n=400 --dimensions=24 --output=points.npy

awk -F, '{ print NR - 1 "," $0 }' points.csv | sed '1s/.*/id,x,y/' >counted.csv
gzip -k points.csv
# 1. The same bytes, also of the bundled examples.
while read -r tool setting; do
  read -ra flags <<<"${setting}"
  expect 0 "${tool}" "${flags[@]}" --threads=1 --quiet
  mv out expected.tsv
  for ranks in 1 2 3 4; do
    on "${ranks}" "${tool}" "${flags[@]}" --threads=1 --quiet </dev/null ||
      fail "${tool} ${setting} on ${ranks} ranks: $(cat err)"
    same out expected.tsv
  done
done <<'RUNS'
correlation_cluster --seed=2
correlation_cluster --input=sparse.txt --iterations=3 --format=json
correlation_cluster --input=dense.txt --iterations=2
correlation_cluster --input=dense.txt --method=seq_grasp --no_improvement=20
correlation_cluster --input=sparse.txt --method=ils_cudavnd --iterations=3 --perturbation_max=2
density_peaks --rule=drop
density_peaks --input=points.csv
density_peaks --input=points.csv --dc=20 --peaks=12 --rho_min=3 --marks
density_peaks --input=points.csv.gz --rule=drop
density_peaks --input=counted.csv --rule=drop
density_peaks --input=counted.csv --id_column=1 --rule=drop
density_peaks --input=points.csv --metric=manhattan --dc_fraction=0.01 --gamma=5000
density_peaks --input=points.npy --metric=angular --rule=drop
online_cluster --final
online_cluster --input=stream.jsonl
online_cluster --input=stream.jsonl --threshold=0.4 --batch=50 --merge_every=100 --final
online_cluster --input=stream.jsonl --threshold=0.1 --expire_after=1h --format=json
online_cluster --input=stream.jsonl --method=batched
online_cluster --input=stream.jsonl --method=batched --threshold=0.4 --batch=50 --final
online_cluster --input=stream.jsonl --method=batched --expire_after=1h --format=json
RUNS

# Parts, standard input, and a state that one process continues.
expect 0 density_peaks --input=points.npy --rule=drop --quiet
mv out expected.tsv
on 3 density_peaks --input=points.npy --rule=drop --output=part-%r.tsv --quiet </dev/null ||
  fail "parts: $(cat err)"
cat part-0.tsv part-1.tsv part-2.tsv >out
same out expected.tsv
expect 0 online_cluster --input=stream.jsonl --quiet
mv out expected.tsv
on 3 online_cluster --input=- --quiet <stream.jsonl || fail "standard input: $(cat err)"
same out expected.tsv
head -n 1000 stream.jsonl >first.jsonl
tail -n +1001 stream.jsonl >second.jsonl
on 2 online_cluster --input=first.jsonl --state=state --output=both.tsv --quiet </dev/null ||
  fail "a state: $(cat err)"
expect 0 online_cluster --input=second.jsonl --state=state --output=both.tsv --quiet
same both.tsv expected.tsv

# 2. Errors: the code, one message, no output.
# refused CODE TEXT TOOL ARGUMENTS...
refused() {
  local code="$1" text="$2"
  shift 2
  rm -f none.tsv
  on 3 "$@" --output=none.tsv </dev/null
  local found=$?
  [[ "${found}" == "${code}" ]] || fail "$*: expected ${code}, found ${found}: $(cat err)"
  has err "${text}"
  [[ ! -e none.tsv ]] || fail "$*: half an output"
}
refused 1 'standard input goes to one rank only' correlation_cluster --input=-
refused 2 'missing.txt' correlation_cluster --input=missing.txt
refused 1 '--halo needs all points in one process' density_peaks --halo --marks
refused 1 'several ranks write --format=tsv' density_peaks --format=json
printf '1,2\n3,x\n' >bad.csv
refused 2 'bad.csv:2: expected a number' density_peaks --input=bad.csv
refused 1 'the method auto or batched on several ranks' online_cluster --method=mdc1
refused 2 'missing.jsonl' online_cluster --input=missing.jsonl
# On the GPU of rank 0, if there is one.
if "${tools}/online_cluster" --device=cuda --quiet >/dev/null 2>&1; then
  on 2 online_cluster --input=stream.jsonl --device=cuda --quiet </dev/null ||
    fail "--device=cuda: $(cat err)"
  same out expected.tsv
else
  refused 3 'online_cluster: ' online_cluster --device=cuda
fi
refused 3 'documents with terms only' online_cluster --input=points.npy

# 3. Ranks that are killed, at any time: the job ends, with a whole output or none.
make --kind=stream --n=60000 --output=long.jsonl
make --kind=points --n=100000 --output=many.csv
RANDOM="${SEED:-${RANDOM}}"
were_killed=0
while read -r tool setting; do
  read -ra flags <<<"${setting}"
  begin=$(date +%s%N)
  start 3 "${tool}" "${flags[@]}" --threads=1 --quiet --output=whole.tsv
  wait "${job}" || fail "${tool}, 3 ranks: $(cat err)"
  took=$((($(date +%s%N) - begin) / 1000000))
  for _ in $(seq "$(normally 2 50)"); do
    rm -f killed.tsv
    start 3 "${tool}" "${flags[@]}" --threads=1 --quiet --output=killed.tsv
    kill_within 3 "${took}" && were_killed=$((were_killed + 1))
    wait "${job}"
    code=$?
    [[ "${code}" != 124 ]] || fail "${tool}: a job hangs after a kill"
    if [[ -e killed.tsv ]]; then
      same killed.tsv whole.tsv
    elif [[ "${code}" == 0 ]]; then
      fail "${tool}: no output and no error"
    fi
    compgen -G 'killed.tsv?*' >/dev/null && fail "${tool}: left $(echo killed.tsv?*)"
  done
done <<'RUNS'
correlation_cluster --input=dense.txt --iterations=20
density_peaks --input=many.csv --rule=drop
online_cluster --input=long.jsonl
online_cluster --input=long.jsonl --method=batched --threshold=0.4 --merge_every=0
RUNS
echo "killed ${were_killed} ranks"
[[ "${were_killed}" -gt 0 ]] || fail "no rank was killed"

echo "${failures} failures"
[[ "${failures}" == 0 ]]
