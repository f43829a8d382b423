#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# oclustr on 1 to 4 processes of mpirun: the bytes of one process; one message and
# no output after an error; memory of four ranks where one has too little; ranks that
# are killed or stop. WARPCLUST_FULL_TESTS=1: 50 kills.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/ranks/on_ranks.sh"
all="${examples}/encyclopedia.jsonl"

# clusters_on N ARGUMENTS...: oclustr on N ranks, without standard input.
clusters_on() {
  on "$1" oclustr "${@:2}" </dev/null
}

# The example with other ids, in parts of many sizes, some of them gzip'ed.
for copy in 1 2 3; do
  sed "s/\"id\": *\"/&${copy}-/" "${all}"
done >whole.jsonl
mkdir parts
awk '{ print > sprintf("parts/%d.jsonl", NR % 97 < 50 ? 1 + NR / 400 : 7) }' whole.jsonl
gzip parts/2.jsonl parts/7.jsonl
zcat -f parts/* >whole.jsonl

# 1. The same bytes.
while read -r input ranks setting; do
  read -ra flags <<<"${setting}"
  expect 0 oclustr --input=whole.jsonl "${flags[@]}" --quiet
  mv out expected.tsv
  for n in ${ranks//,/ }; do
    clusters_on "${n}" --input="${input}" "${flags[@]}" --quiet ||
      fail "${n} ranks, ${input} ${setting}: $(cat err)"
    same out expected.tsv
  done
done <<'RUNS'
parts/* 1,2,3,4 --beta=0.2 --weighting=tfidf
whole.jsonl 2,3 --beta=0.3
parts/* 4 --beta=0.15 --max_terms=9
whole.jsonl 4 --beta=0.3 --nostem --weighting=tfidf
RUNS
expect 0 oclustr --input='parts/*' "${flags[@]}" --quiet
same out expected.tsv
for ranks in 1 3; do
  rm -f part-*
  clusters_on "${ranks}" --input='parts/*' "${flags[@]}" --output=part-%r.tsv \
    --summary=summary.json --trace=trace-%r.json || fail "parts of ${ranks} ranks: $(cat err)"
  [[ "$(echo part-*)" == "$(seq -f 'part-%g.tsv' -s ' ' 0 $((ranks - 1)))" ]] ||
    fail "parts of ${ranks} ranks: $(echo part-*)"
  [[ "$(grep -c '^oclustr: ' err)" == 1 ]] || fail "one summary line: $(cat err)"
  cat part-* >out
  same out expected.tsv
done
[[ "$(grep -l '"exchange rows"' trace-*)" == "$(printf 'trace-%d.json\n' 0 1 2)" ]] ||
  fail "a trace of each rank: $(wc -l trace-*)"
has summary.json '"ranks":3' '"bytes_sent":' '"documents_by":"host memory"'
sed 's/.*"text": *"\([^"]*\)".*/\1/' "${all}" >lines.txt
"${tools}/generate" --kind=embeddings --n=300 --dimensions=32 --output=vectors.npy --quiet
"${tools}/generate" --kind=embeddings --n=200 --dimensions=16 --output=vectors.jsonl --quiet
"${tools}/generate" --n=300 --output=documents.svm --quiet
gzip -k documents.svm vectors.npy
sed 's/\([0-9]*\):/\1:-/3' documents.svm | cut -d ' ' -f 1-9 |
  awk '{ for (i = 2; i <= NF; ++i) { split($i, e, ":"); print NR, e[1] % 50 + 1, e[2] } }' |
  sort -u -k 1,2 | tac >entries
(
  printf '%%%%MatrixMarket matrix coordinate real general\n300 50 %d\n' "$(wc -l <entries)"
  cat entries
) >negative.mtx
sed 's/-//' negative.mtx >positive.mtx
for input in lines.txt vectors.npy vectors.npy.gz vectors.jsonl documents.svm \
  documents.svm.gz negative.mtx positive.mtx; do
  expect 0 oclustr --input="${input}" --input_format=auto --beta=0.5 --quiet
  mv out expected.tsv
  for ranks in 2 3; do
    clusters_on "${ranks}" --input="${input}" --beta=0.5 --quiet || fail "${input}: $(cat err)"
    same out expected.tsv
  done
done

# Choosing, of texts with and without a weighting, vectors and embeddings. The notes
# say the same.
while read -r input whole weighting; do
  expect 0 oclustr --input="${whole}" ${weighting:+"${weighting}"}
  mv out expected.tsv
  grep 'beta=auto' err >expected_note
  clusters_on 3 --input="${input}" ${weighting:+"${weighting}"} || fail "beta=auto: $(cat err)"
  same out expected.tsv
  grep 'beta=auto' err >note
  same note expected_note
done <<'RUNS'
parts/* whole.jsonl
parts/* whole.jsonl --weighting=tf
documents.svm.gz documents.svm.gz
vectors.jsonl vectors.jsonl
negative.mtx negative.mtx
RUNS
seq -f 'name %g' 300 >names
for input in documents.svm vectors.npy; do
  expect 0 oclustr --input="${input}" --ids=names --beta=0.5 --quiet
  mv out expected.tsv
  clusters_on 3 --input="${input}" --ids=names --beta=0.5 --quiet || fail "names: $(cat err)"
  same out expected.tsv
done
split -n l/3 --additional-suffix=.svm documents.svm part_
expect 0 oclustr --input=documents.svm --weighting=tfidf --beta=0.2 --quiet
mv out expected.tsv
clusters_on 3 --input='part_*.svm' --weighting=tfidf --beta=0.2 --quiet ||
  fail "svmlight in parts: $(cat err)"
same out expected.tsv

# 2. Errors: the code, one message, no output.
# refused CODE TEXT ARGUMENTS...
refused() {
  local code="$1" text="$2"
  shift 2
  rm -f clusters-*
  clusters_on 3 "$@" --output=clusters-%r.tsv
  local found=$?
  [[ "${found}" == "${code}" ]] || fail "$*: expected ${code}, found ${found}: $(cat err)"
  has err "${text}"
  [[ "$(grep -c '^oclustr: ' err)" == 1 ]] || fail "$*: one message: $(cat err)"
  compgen -G 'clusters-*' >/dev/null && fail "$*: left $(echo clusters-*)"
}
refused 1 'unknown flag --betta' --betta=0.2
refused 1 '--beta' --input='parts/*' --beta=2
WARPCLUST_GPU_EXCHANGE=rings refused 1 'peers, nccl or host, found rings' --input='parts/*' --beta=0.2
refused 1 '--format=tsv' --input='parts/*' --beta=0.2 --format=json
refused 2 'no such files' --input='nothing/*' --beta=0.2
cp -r parts bad
sed -i '7s/.*/{"text": 7}/' bad/4.jsonl
refused 2 'bad/4.jsonl:7: expected a string as text' --input='bad/*' --beta=0.2
has err 'oclustr: rank ' ' of 3 on '
head -c 5000 parts/7.jsonl.gz >bad/2.jsonl.gz
refused 2 'bad/2.jsonl.gz' --input='bad/*' --beta=0.2

refused 1 '--id_field is for JSON Lines' --input=vectors.npy --beta=0.5 --id_field=name
# NaN in row 250, which only the last rank reads.
printf '\xff\xff\xff\x7f' |
  dd of=vectors.npy bs=4 seek=$((32 + 32 * 250 + 3)) conv=notrunc status=none
refused 2 'vectors.npy: document 250, dimension 3: expected a finite number' \
  --input=vectors.npy --beta=0.5
has err 'oclustr: rank 2 of 3 on '

sed -i '200s/.*/1 2:x/; 290s/.*/1/; 290s/$/ 7/' documents.svm
refused 2 'documents.svm:200: expected ' --input=documents.svm --beta=0.2
refused 1 'several ranks or files read' --input=positive.mtx* --beta=0.2 --input_format=csv

# A tool that does not share its work is not run twice.
timeout 60 mpirun --allow-run-as-root --oversubscribe --quiet -n 2 \
  "${tools}/generate" --kind=points --n=10 --output=points.csv >out 2>err
[[ $? == 3 ]] || fail "generate on two ranks: $(cat err)"
has err 'expected one process, found 2 ranks'

# 3. Four ranks fit where one does not.
for copy in $(seq 20); do
  sed "s/\"id\": *\"/&${copy}-/" "${all}"
done >large.jsonl
expect 0 oclustr --input=large.jsonl --beta=0.02 --threads=1 --quiet
mv out expected.tsv
# shellcheck disable=SC2016
limited=(bash -c 'ulimit -v "$1"; shift; exec "$@"' limited)
"${limited[@]}" 225000 "${tools}/oclustr" --input=large.jsonl --beta=0.02 --threads=1 \
  --quiet >out 2>err
[[ $? == 3 ]] || fail "one process of 225 MB: $(cat err)"
timeout 120 mpirun --allow-run-as-root --oversubscribe --quiet -n 4 \
  "${limited[@]}" 225000 "${tools}/oclustr" --input=large.jsonl --beta=0.02 --threads=1 \
  --quiet >out 2>err || fail "four ranks of 225 MB: $(cat err)"
same out expected.tsv
# Too little for them too: the code and the message of one process.
timeout 120 mpirun --allow-run-as-root --oversubscribe --quiet -n 4 \
  "${limited[@]}" 140000 "${tools}/oclustr" --input=large.jsonl --beta=0.02 --threads=1 \
  --quiet --output=none.tsv >out 2>err
[[ $? == 3 ]] || fail "four ranks of 140 MB: $(cat err)"
has err 'oclustr: rank ' 'not enough memory'
[[ "$(grep -c '^oclustr: ' err)" == 1 ]] || fail "one message: $(cat err)"
[[ ! -e none.tsv ]] || fail "half an output"

# 4. Ranks that are killed, at any time: the job ends, with whole outputs or none.
large=(oclustr --input=large.jsonl --threads=1 --quiet)
expect 0 "${large[@]}" --beta=0.1
mv out expected.tsv
begin=$(date +%s%N)
start 3 "${large[@]}" --beta=0.1 --output=killed.tsv
wait "${job}" || fail "3 ranks: $(cat err)"
took=$((($(date +%s%N) - begin) / 1000000))
same killed.tsv expected.tsv
RANDOM="${SEED:-${RANDOM}}"
were_killed=0
for _ in $(seq "$(normally 4 50)"); do
  rm -f killed.tsv
  start 3 "${large[@]}" --beta=0.1 --output=killed.tsv
  if kill_within 3 "${took}"; then
    were_killed=$((were_killed + 1))
  else
    took=$((took * 2 / 3 + 1)) # The jobs have become faster.
  fi
  wait "${job}"
  code=$?
  [[ "${code}" != 124 ]] || fail "a job hangs after a kill"
  if [[ -e killed.tsv ]]; then
    same killed.tsv expected.tsv
  elif [[ "${code}" == 0 ]]; then
    fail "no output and no error"
  fi
  compgen -G 'killed.tsv?*' >/dev/null && fail "left $(echo killed.tsv?*)"
done
echo "killed ${were_killed} ranks"
[[ "${were_killed}" -gt 0 ]] || fail "no rank was killed"

# 5. A rank that stops is taken for lost.
for copy in 1 2; do
  sed "s/\"id\": *\"/&${copy}-/" large.jsonl
done >larger.jsonl
start 3 oclustr --input=larger.jsonl --threads=1 --quiet --beta=0.02 --output=stopped.tsv \
  --rank_timeout=2
for _ in $(seq 100); do
  mapfile -t ranks < <(members)
  [[ "${#ranks[@]}" == 3 ]] && break
  sleep 0.02
done
sleep 0.5 # Of 2 s on an idle machine.
kill -STOP "${ranks[1]}"
wait "${job}"
code=$?
# mpirun itself may crash (139) if a rank stops while MPI starts, as it does on a
# machine under load.
[[ "${code}" == 3 || "${code}" == 139 ]] ||
  fail "a stopped rank: expected 3, found ${code}: $(cat err)"
has err 'taken for lost'
[[ ! -e stopped.tsv ]] || fail "half an output"

# 6. Two hosts: mpirun starts its daemons by an agent, which gives each a host name
# of its own on this machine. Needs root.
cat >agent <<'AGENT'
#!/bin/bash
host="$1"
shift
exec unshare --uts bash -c 'hostname "$0"; exec "$@"' "${host}" bash -c "$*"
AGENT
chmod +x agent
on_hosts() {
  timeout 60 mpirun --allow-run-as-root --quiet --host first,second \
    --mca plm_rsh_agent "${PWD}/agent" -n 2 "${tools}/oclustr" "$@" >out 2>err </dev/null
}
if unshare --uts true 2>err; then
  expect 0 oclustr --input="${all}" --beta=0.2 --quiet
  mv out expected.tsv
  on_hosts --input="${all}" --beta=0.2 --quiet || fail "two hosts: $(cat err)"
  same out expected.tsv
  sed '400s/.*/{"text": 7}/' "${all}" >bad.jsonl
  on_hosts --input="${PWD}/bad.jsonl" --beta=0.2 --output="${PWD}/none.tsv"
  code=$?
  [[ "${code}" == 2 ]] || fail "two hosts: expected 2, found ${code}"
  has err 'oclustr: rank 1 of 2 on second: ' 'bad.jsonl:400: expected a string as text'
  [[ ! -e none.tsv ]] || fail "half an output"
else
  echo "no host names: $(cat err)"
fi

echo "${failures} failures"
[[ "${failures}" == 0 ]]
