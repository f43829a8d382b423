#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# dclustr on 1 to 4 processes of mpirun: the lines and the store of one process;
# one message after an error; ranks that are killed leave the store as it was before
# or after the update. WARPCLUST_FULL_TESTS=1: 50 kills.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/ranks/on_ranks.sh"
all="${examples}/encyclopedia.jsonl"
make() {
  "${tools}/generate" "$@" --quiet || fail "generate $*"
}

# Batches, and what is removed.
sed -n 1,250p "${all}" >first.jsonl
sed -n '251,400p' "${all}" >second.jsonl
sed -n '401,$p' "${all}" >third.jsonl
sed -n 's/.*"id": *"\([^"]*\)".*/\1/p' first.jsonl | sed -n '7p;100,120p' >removed
sed -n 40,60p first.jsonl | sed 's/"text": *"/&again /' >modified.jsonl
make --kind=embeddings --n=700 --dimensions=24 --output=first.npy
make --kind=embeddings --n=90 --dimensions=24 --seed=2 --output=second.npy
make --kind=documents --n=500 --output=vectors.svm
head -n 300 vectors.svm >first.svm
tail -n +301 vectors.svm | gzip >second.svm.gz

# update N STORE ARGUMENTS...: one more run on a store, on N ranks or (0) without
# mpirun; its lines go to STORE.out.
update() {
  local ranks="$1" store="$2"
  shift 2
  if [[ "${ranks}" == 0 ]]; then
    expect 0 dclustr --store="${store}" --threads=1 --quiet "$@"
  else
    on "${ranks}" dclustr --store="${store}" --threads=1 --quiet "$@" </dev/null ||
      fail "${ranks} ranks, $*: $(cat err)"
  fi
  cat out >>"${store}.out"
}

# 1. The same bytes: of the lines, and of the store after each history.
for ranks in 0 1 2 3 4; do
  update "${ranks}" "texts.${ranks}" --add=first.jsonl --beta=0.2
  update "${ranks}" "texts.${ranks}" --add=second.jsonl --remove=removed
  update "${ranks}" "texts.${ranks}" --modify=modified.jsonl --format=json
  update "${ranks}" "texts.${ranks}" --add=third.jsonl --verify
  update "${ranks}" "tfidf.${ranks}" --add=first.jsonl --weighting=tfidf --mode=dclustr
  update "${ranks}" "tfidf.${ranks}" --add=second.jsonl --reweight --compact
  update "${ranks}" "rows.${ranks}" --add=first.npy --beta=0.6 --print=none
  update "${ranks}" "rows.${ranks}" --add=second.npy --verify
  update "${ranks}" "vectors.${ranks}" --add=first.svm --beta=0.3
  update "${ranks}" "vectors.${ranks}" --add=second.svm.gz --verify
  [[ "${ranks}" == 0 ]] && continue
  for store in texts tfidf rows vectors; do
    same "${store}.${ranks}.out" "${store}.0.out"
    same "${store}.${ranks}/data.mdb" "${store}.0/data.mdb"
  done
done
expect 0 dclustr --quiet
mv out expected.tsv
on 2 dclustr --quiet </dev/null || fail "the example: $(cat err)"
same out expected.tsv
on 3 dclustr --store=piped --add=- --beta=0.2 --quiet --summary=summary.json <first.jsonl ||
  fail "standard input: $(cat err)"
has summary.json '"ranks":3' '"bytes_sent":' '"added":250'

# 2. Errors: the code, one message, the store unchanged.
# refused CODE TEXT ARGUMENTS...
refused() {
  local code="$1" text="$2"
  shift 2
  on 3 dclustr --quiet "$@" </dev/null
  local found=$?
  [[ "${found}" == "${code}" ]] || fail "$*: expected ${code}, found ${found}: $(cat err)"
  has err "${text}"
  [[ "$(grep -c '^dclustr: ' err)" == 1 ]] || fail "$*: one message: $(cat err)"
}
cp texts.0/data.mdb before.mdb
refused 1 '--in_memory needs one process' --in_memory --add=first.jsonl
refused 1 'expected a path without %r' --store=texts.0 --output=part-%r.tsv
refused 2 'expected a store, found none' --store=nowhere
refused 2 'first.jsonl:1: ' --store=texts.0 --add=first.jsonl
sed '3s/.*/{"text": 7}/' third.jsonl >bad.jsonl
refused 2 'bad.jsonl:3: expected a string as text' --store=texts.0 --add=bad.jsonl
same texts.0/data.mdb before.mdb

# 3. Ranks that are killed.
for copy in $(seq 12); do
  sed "s/\"id\": *\"/&${copy}-/" "${all}"
done >large.jsonl
expect 0 dclustr --store=before --add=large.jsonl --beta=0.15 --threads=1 --quiet
mv out before.tsv
cp -r before after
begin=$(date +%s%N)
start 3 dclustr --store=after --add="${all}" --threads=1 --quiet
wait "${job}" || fail "an update on 3 ranks: $(cat err)"
took=$((($(date +%s%N) - begin) / 1000000))
mv out after.tsv
RANDOM="${SEED:-${RANDOM}}"
were_killed=0
were_before=0
for _ in $(seq "$(normally 6 50)"); do
  rm -rf killed killed.tsv
  cp -r before killed
  start 3 dclustr --store=killed --add="${all}" --threads=1 --quiet --output=killed.tsv
  if kill_within 3 "${took}"; then
    were_killed=$((were_killed + 1))
  else
    took=$((took * 2 / 3 + 1)) # The jobs have become faster.
  fi
  wait "${job}"
  code=$?
  [[ "${code}" != 124 ]] || fail "a job hangs after a kill"
  if [[ -e killed.tsv ]]; then
    same killed.tsv after.tsv
  elif [[ "${code}" == 0 ]]; then
    fail "no output and no error"
  fi
  compgen -G 'killed.tsv?*' >/dev/null && fail "left $(echo killed.tsv?*)"
  expect 0 dclustr --store=killed --verify --quiet
  if cmp -s out before.tsv; then
    were_before=$((were_before + 1))
  else
    same out after.tsv
  fi
done
echo "killed ${were_killed} ranks; ${were_before} updates were lost"
[[ "${were_killed}" -gt 0 ]] || fail "no rank was killed"

finish
