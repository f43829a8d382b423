#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# online_cluster from end to end: the same lines with every method, live from a
# pipe, over several days, after an interrupt, and after a kill at any moment.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
set -o pipefail

# The defaults: clusters merge, and the last lines say which are one.
defaults() {
  expect 0 online_cluster
  [[ "$(wc -l <out)" == 423 ]] || fail "defaults: $(wc -l <out) lines"
  cp out expected
  "${tools}/evaluate" --truth="${examples}/headlines_truth.tsv" \
    --clusters=expected --format=tsv --quiet >measures || fail "evaluate"
  awk '$1 == "fbcubed" { found = 1; if ($2 < 0.98) exit 1 }
       END { exit !found }' measures || fail "defaults: $(cat measures)"
  expect 0 online_cluster --threshold=0.2 --terms=20 --merge_every=1000 \
    --merge_threshold=0.3 --weighting=tf
  same out expected
  "${tools}/generate" --kind=stream --n=3000 --quiet >merging.jsonl
  expect 0 online_cluster --input=merging.jsonl
  cp out expected
  grep -q "^#merged	" out || fail "nothing merges by default"
  for flags in --method=serial2 "--method=batched --batch=7" --threads=1; do
    # shellcheck disable=SC2086
    expect 0 online_cluster --input=merging.jsonl ${flags}
    same out expected
  done
  # --final: the merges applied; evaluate applies them itself.
  expect 0 online_cluster --input=merging.jsonl --final
  cp out final
  awk -F'\t' 'BEGIN { n = 0 } /^#merged/ { into[$2] = $3; next } { id[n] = $1; c[n++] = $2 }
    END { for (i = 0; i < n; ++i) {
            while (c[i] in into) c[i] = into[c[i]]
            print id[i] "\t" c[i] } }' expected >merged
  same final merged
  "${tools}/evaluate" --truth=expected --clusters=final --format=tsv --quiet >out
  has out $'fbcubed\t1.000000'
  expect 0 online_cluster --input=merging.jsonl --final --state=final_state \
    --output=final.tsv
  same final.tsv final
  # One stream in two runs.
  head -1700 merging.jsonl >first.jsonl
  tail -n +1701 merging.jsonl >second.jsonl
  for part in first second; do
    expect 0 online_cluster --input=${part}.jsonl --state=halves \
      --output=halves.tsv
  done
  same halves.tsv expected
  # The paper's methods keep what they had.
  expect 0 online_cluster --input=merging.jsonl --method=mdc2 \
    --summary=summary.json
  has summary.json '"threshold":0.1,' '"merge_every":0,'
  cp out expected
  expect 0 online_cluster --input=merging.jsonl --method=mdc2 --threshold=0.1 \
    --merge_every=0
  same out expected
  # --suggest: the first line of the table is what the note says.
  expect 0 online_cluster --input=merging.jsonl --suggest --summary=summary.json
  [[ "$(wc -l <out)" == 74 ]] || fail "--suggest: $(wc -l <out) lines"
  [[ "$(head -1 out)" == $'threshold\tterms\tclusters\texpected_fbcubed' ]] ||
    fail "--suggest: $(head -1 out)"
  tail -n +2 out | sort -s -t $'\t' -k 4,4nr | cmp -s - <(tail -n +2 out) ||
    fail "--suggest: not by expected FBCubed"
  read -r threshold terms _ <<<"$(sed -n 2p out)"
  has err "--suggest: --threshold=${threshold} --terms=${terms} has the highest" \
    "of 73 settings on the first 2,048 documents"
  is_json summary.json
  has summary.json "\"suggested\":\"--threshold=${threshold} --terms=${terms}\""
  cp out expected
  expect 0 online_cluster --input=merging.jsonl --suggest --threads=1
  same out expected
  expect 0 online_cluster --input=merging.jsonl --suggest --format=json
  is_json out
  [[ "$(grep -c expected_fbcubed out)" == 73 ]] || fail "--suggest: $(head -3 out)"
  head -10 merging.jsonl >few.jsonl
  expect 0 online_cluster --input=few.jsonl --suggest
  has err "--suggest: --threshold=0.2 --terms=20 by default: too few documents"
  [[ "$(wc -l <out)" == 1 ]] || fail "a suggestion by ten documents: $(cat out)"
  for flags in --threshold=0.2 --terms=5; do
    expect 1 online_cluster --suggest ${flags}
    has err "${flags%=*} is not for --suggest, which tries many"
  done
  for flags in --state=state --final --method=serial2; do
    expect 1 online_cluster --suggest ${flags}
    has err "is not for --suggest, which writes no clusters"
  done
  expect 1 online_cluster --suggest --weighting=tfidf
  has err "expected --weighting=tf, found tfidf"
  expect 1 online_cluster --final --format=json
  has err "--final is for --format=tsv"
  expect 1 online_cluster --final --state=state --resume
  has err "expected no --final"
}
defaults

# From here on without merging: a line for each document.
mkdir plain
for tool in dclustr evaluate generate oclustr vectorize; do
  ln -s "${tools}/${tool}" plain/
done
printf '#!/bin/bash\nexec "%s" --threshold=0.1 --merge_every=0 "$@"\n' \
  "${tools}/online_cluster" >plain/online_cluster
chmod +x plain/online_cluster
tools="${PWD}/plain"
PATH="${tools}:${PATH}"

# The bundled headlines, and how well they are clustered.
expect 0 online_cluster --summary=summary.json
has err "using the bundled example (examples/headlines.jsonl)" \
  "online_cluster: 423 documents, 42 clusters, 423 memberships;"
is_json summary.json
has summary.json '"tool":"online_cluster"' '"n":423,' '"clusters":42,' \
  '"memberships":423,' '"documents_seen":423' '"clusters_founded":42' \
  '"clusters_merged":0' '"documents_per_second":' '"mean_list_length":' \
  '"partial_products":' '"stopped":"no"' '"threshold":0.1,' '"method":"'
cp out headlines.expected
[[ "$(head -3 out)" == $'h001\t0\nh002\t1\nh003\t2' ]] || fail "$(head -3 out)"
evaluate --truth="${examples}/headlines_truth.tsv" --clusters=out \
  --format=tsv --quiet >measures || fail "evaluate"
awk '$1 == "fbcubed" { found = 1; if ($2 < 0.95) exit 1 }
     END { exit !found }' measures || fail "headlines: $(cat measures)"
expect 0 online_cluster --format=json
is_json out
has out '{"members":["h001"],"cluster":0,"size":1,"top_terms":["archaeologist","dig",' \
  '"top_terms":["harlow","dam","crack",'

# The same bytes with every exact method, batch size and number of threads, from
# text and from vectors.
documents="$(normally 10000 20000)"
generate --kind=stream --n="${documents}" --quiet >stream.jsonl
for threshold in 0.1 0.5; do
  for weighting in tf tfidf; do
    run=(--input=stream.jsonl "--threshold=${threshold}"
      "--weighting=${weighting}" --quiet)
    online_cluster "${run[@]}" >expected || fail "${run[*]}"
    [[ "$(wc -l <expected)" == "${documents}" ]] || fail "${run[*]}: lines"
    for flags in --method=serial2 "--method=batched --batch=7" \
      "--method=batched --batch=1024 --threads=1" "--batch=300 --threads=3" \
      --threads=6; do
      # shellcheck disable=SC2086
      online_cluster "${run[@]}" ${flags} >out || fail "${run[*]} ${flags}"
      same out expected
    done
  done
done
# Also of words, which more than two threads count side by side.
online_cluster --input=stream.jsonl --format=json --threads=1 --quiet >expected
online_cluster --input=stream.jsonl --format=json --threads=6 --quiet >out
same out expected
head -2000 stream.jsonl >short.jsonl
online_cluster --input=short.jsonl --threshold=0.3 --expire_after=12h \
  --merge_every=100 --merge_threshold=0.3 --quiet >expected || fail "options"
grep -q "^#merged	" expected || fail "nothing merged"
[[ "$(grep -vc '^#' expected)" == 2000 ]] || fail "lines beside merges"
for flags in --method=serial1 --method=serial2 "--method=batched --batch=33"; do
  # shellcheck disable=SC2086
  online_cluster --input=short.jsonl --threshold=0.3 --expire_after=12h \
    --merge_every=100 --merge_threshold=0.3 --quiet ${flags} >out ||
    fail "options ${flags}"
  same out expected
done
vectorize --input=short.jsonl --weighting=tfidf --vocabulary=terms.tsv \
  --frequencies --write_ids=ids --quiet >short.svm || fail "vectorize"
[[ "$(tail -1 terms.tsv)" == $'#documents\t2000' ]] || fail "$(tail -1 terms.tsv)"
online_cluster --input=short.svm --quiet | cut -f2 >vectors.expected
gzip -c short.jsonl | online_cluster --input=- --weighting=tfidf \
  --vocabulary=terms.tsv --quiet | cut -f2 >out
same out vectors.expected
online_cluster --input=short.svm --vocabulary=terms.tsv --format=json \
  --quiet >named.json
is_json named.json
has named.json "\"$(head -1 terms.tsv | cut -f1)\""
# Approximate: other clusters, which depend on the batch size alone.
online_cluster --input=stream.jsonl --method=approximate --batch=100 --quiet \
  >expected || fail "approximate"
cmp -s expected headlines.expected && fail "approximate"
# A note says that the method is approximate.
expect 0 online_cluster --method=approximate --batch=1000 --epsilon=0.05
has err "approximate: the documents of a batch of 1,000 do not see one another" \
  "less similar than the most similar one, by at most 0.05"
# The paper's names, with its defaults. mdc1 and mdc2 are one.
online_cluster --input=stream.jsonl --method=approximate --batch=1024 \
  --epsilon=0.0625 --quiet >paper || fail "approximate"
cmp -s paper expected && fail "16 buckets change nothing"
for method in mdc1 mdc2; do
  expect 0 online_cluster --input=stream.jsonl --method="${method}"
  same out paper
  has err "${method}: the documents of a batch of 1,024 do not see one another" \
    "less similar than the most similar one, by at most 0.0625"
done
online_cluster --method=serial2 --quiet >exact || fail "serial2"
for method in sc1 sc2; do
  expect 0 online_cluster --method="${method}" --quiet
  same out exact
done
# Another mean, the same by all exact methods and with mdc2 one at a time.
online_cluster --input=stream.jsonl --terms=5 --quiet >full || fail "full sums"
online_cluster --input=stream.jsonl --terms=5 --truncated_mean --quiet >mean ||
  fail "truncated mean"
cmp -s mean full && fail "a truncated mean changes nothing"
for method in "sc1" "sc2" "mdc2 --batch=1 --epsilon=0"; do
  # shellcheck disable=SC2086
  expect 0 online_cluster --input=stream.jsonl --terms=5 --truncated_mean \
    --quiet --method=${method}
  same out mean
done
expect 0 online_cluster
grep -q approximate err && fail "an exact method says: $(cat err)"
head -n 3000 stream.jsonl | while read -r line; do echo "${line}"; done |
  online_cluster --input=- --method=approximate --batch=100 --threads=1 \
    --quiet >out || fail "approximate, live"
same out <(head -n 3000 expected)

# Documents without an id are named by their number in the stream, over all runs
# with one state. Ids are not stored, so an id may equal such a number.
printf '{"id":"1","text":"tin"}\n{"text":"tin"}\n' >mixed.jsonl
expect 0 online_cluster --input=mixed.jsonl --state=mixed --quiet
printf '1\t0\n1\t0\n' >expected
same out expected
expect 0 online_cluster --input=mixed.jsonl --state=mixed --quiet
printf '1\t0\n3\t0\n' >expected
same out expected

# Bad lines: an error by default; skipped lines count as read, also behind the
# last document, and --resume does not meet them again.
printf '{"id":"a","text":"tin"}\nbad\n{"id":"b","text":"tin"}\nworse\n' >skip.jsonl
for threads in 1 2; do  # With 2, what follows is read ahead.
  expect 2 online_cluster --input=skip.jsonl "--threads=${threads}"
  has err "skip.jsonl:2: expected a JSON object"
  printf 'a\t0\n' >expected
  same out expected
done
(head -5000 stream.jsonl && echo bad && tail -n +5001 stream.jsonl) >far.jsonl
head -5000 stream.jsonl | online_cluster --input=- --quiet >expected ||
  fail "5000 documents"
for flags in --threads=1 --threads=2 "--threads=2 --state=far"; do
  # shellcheck disable=SC2086
  expect 2 online_cluster --input=far.jsonl ${flags}
  has err "far.jsonl:5001: expected a JSON object"
  same out expected
done
expect 0 online_cluster --input=skip.jsonl --skip_bad_lines --state=skip \
  --output=skip.tsv
has err "online_cluster: skip: state created"
has err "bad lines left out: 2 (lines 2, 4); skip.jsonl:2: expected a JSON object"
printf '{"id":"c","text":"tin"}\n' >>skip.jsonl
expect 0 online_cluster --input=skip.jsonl --state=skip --output=skip.tsv --resume
grep -q "bad lines" err && fail "met again: $(cat err)"
grep -q "created" err && fail "an old state is called new: $(cat err)"
has err "1 document,"
printf 'a\t0\nb\t0\nc\t0\n' >expected
same skip.tsv expected
for i in $(seq 12); do echo "bad ${i}"; done >>skip.jsonl
expect 0 online_cluster --input=skip.jsonl --state=skip --output=skip.tsv --resume \
  --skip_bad_lines
has err "bad lines left out: 12 (the first are lines 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)"
expect 0 online_cluster --input=skip.jsonl --state=skip --output=skip.tsv --resume
head -7 skip.jsonl >shorter.jsonl
expect 2 online_cluster --input=shorter.jsonl --state=skip --output=skip.tsv \
  --resume
has err "--resume: expected the 14 bad lines that earlier runs skipped, found 4"
same skip.tsv expected

# A JSON array with other names of fields, with a state: as JSON Lines.
head -100 stream.jsonl >lines.jsonl
online_cluster --input=lines.jsonl --expire_after=1h --quiet >expected
{
  echo "["
  sed 's/"text":/"body":/; s/"id":/"key":/; s/"time":/"at":/; $!s/$/,/' lines.jsonl
  echo "]"
} >array.json
fields=(--text_field=body --id_field=key --time_field=at)
expect 0 online_cluster --input=array.json --expire_after=1h --state=array \
  --output=array.tsv "${fields[@]}"
same array.tsv expected
expect 0 online_cluster --input=array.json --expire_after=1h --state=array \
  --output=array.tsv "${fields[@]}" --resume
has err "0 documents,"
same array.tsv expected

# CSV as JSON Lines: from a file, also with a state and a run that was cut short,
# and from standard input, where the header tells.
{
  echo "key,text,at"
  sed 's/{"id":"\([^"]*\)","time":"\([^"]*\)",.*"text":"\([^"]*\)"}/\1,"\3",\2/' \
    lines.jsonl
} >posts.csv
columns=(--id_column=key --time_column=at)
expect 0 online_cluster --input=posts.csv --expire_after=1h "${columns[@]}"
same out expected
has err "posts.csv: read as CSV (the name ends in .csv" \
  "posts.csv: texts from column 2 ('text'), ids from column 1 ('key'), times from"
for flags in "--input=-" "--input=- --input_format=csv"; do
  # shellcheck disable=SC2086
  online_cluster ${flags} --expire_after=1h "${columns[@]}" >out 2>err <posts.csv ||
    fail "${flags}: $(cat err)"
  same out expected
  # shellcheck disable=SC2086,SC2002
  cat posts.csv | online_cluster ${flags} --expire_after=1h "${columns[@]}" \
    >out 2>err || fail "${flags}, a pipe: $(cat err)"
  same out expected
done
head -40 posts.csv >begin.csv
expect 0 online_cluster --input=begin.csv --expire_after=1h --state=csv \
  --output=csv.tsv "${columns[@]}"
expect 0 online_cluster --input=posts.csv --expire_after=1h --state=csv \
  --output=csv.tsv "${columns[@]}" --resume
has err "61 documents,"
same csv.tsv expected
expect 1 online_cluster --input=lines.jsonl --time_column=at
has err "--time_column is for CSV, and the input is not"
expect 2 online_cluster --input=posts.csv --text_column=body
has err "posts.csv:1: --text_column: expected one column \"body\", found none"
oclustr --input=- --text_column=2 <posts.csv >out 2>err || fail "oclustr: $(cat err)"
has err "standard input: read as CSV (its first line names a column text"
tail -n +2 posts.csv | oclustr --input=- >out 2>err || fail "oclustr: $(cat err)"
has err "standard input: read as lines of text (no other format fits; it may be CSV" \
  "--input_format=csv"

# A warning names vocabulary terms that cannot occur.
expect 0 online_cluster --input=short.jsonl --vocabulary=terms.tsv
grep -q -e "--vocabulary" err && fail "said of good terms: $(cat err)"
printf 'tin\nNew York\n' >words
expect 0 online_cluster --input=mixed.jsonl --vocabulary=words
has err "--vocabulary: 1 of its 2 terms cannot occur in a text, such as 'New York'"
expect 0 online_cluster --input=short.svm --vocabulary=words
grep -q -e "--vocabulary" err && fail "said of vectors: $(cat err)"

# A line appears as soon as its document was read, although the pipe stays open.
# lines FILE N: waits until the file has N lines.
lines() {
  for _ in $(seq 1200); do
    [[ "$(wc -l <"$1")" -ge "$2" ]] && return
    sleep 0.05
  done
  fail "$1: expected $2 lines, found $(wc -l <"$1")"
}
mkfifo pipe
online_cluster --input=- --progress <pipe >live 2>err &
exec 3>pipe
for n in 1 2 3; do
  printf '{"id":"d%s","text":"flood in the old town"}\n' ${n} >&3
  lines live ${n}
done
printf '{"id":"d4","text":"half' >&3
sleep 1.2
[[ "$(wc -l <live)" == 3 ]] || fail "half a line was a document"
printf ' a line"}' >&3
exec 3>&-
wait $! || fail "live: $(cat err)"
has err "online_cluster: cluster, 1 s, 3 documents, " "/s, 1 cluster, lists of"
printf 'd1\t0\nd2\t0\nd3\t0\nd4\t1\n' >live.expected
same live live.expected

# So does a record of CSV, of which one is cut in a quoted field.
online_cluster --input=- <pipe >live 2>err &
exec 3>pipe
printf 'id,text\nd1,"flood in the old town"\n' >&3
lines live 1
printf 'd2,"flood in\nthe old' >&3
sleep 0.3
[[ "$(wc -l <live)" == 1 ]] || fail "half a record was a document"
printf ' town"\n' >&3
lines live 2
exec 3>&-
wait $! || fail "live CSV: $(cat err)"
has err "standard input: read as CSV"
printf 'd1\t0\nd2\t0\n' >live.expected
same live live.expected

# Daily runs give the lines of one run; so does a file that grows.
online_cluster --input=stream.jsonl --weighting=tfidf --quiet >expected
split -l $((documents / 5)) stream.jsonl day.
methods=(serial2 batched auto serial2 batched)
for day in day.*; do
  online_cluster --input="${day}" --weighting=tfidf --state=days \
    --output=days.tsv --method="${methods[0]}" --quiet || fail "${day}"
  methods=("${methods[@]:1}")
done
same days.tsv expected
: >grown.jsonl
for day in day.*; do
  cat "${day}" >>grown.jsonl
  online_cluster --input=grown.jsonl --weighting=tfidf --state=grown --resume \
    --output=grown.tsv --quiet --summary=summary.json || fail "grown ${day}"
  has summary.json "\"n\":$((documents / 5)),"
done
same grown.tsv expected
# Without a file, the lines of each run go to standard output.
for day in day.*; do
  online_cluster --input=- --weighting=tfidf --state=piped --quiet <"${day}"
done >out
same out expected

# A kill at any moment loses no line and repeats none.
# kill_soon COMMAND...: starts a command and kills it within an eighth of a second.
# Returns its exit code.
kill_soon() {
  (
    "$@" 2>err &
    pid=$!
    sleep "$(printf '0.%03d' $((RANDOM % 125)))"
    kill -9 ${pid} 2>/dev/null
    wait ${pid}
    exit $?
  ) 2>/dev/null
}
RANDOM=1
kills=0
for round in 1 2 3; do
  run=(online_cluster --input=stream.jsonl --weighting=tfidf --state=killed
    --resume --output=killed.tsv --batch=4 --journal_bytes=$((round * 30000)))
  rm -rf killed*
  for _ in $(seq "$(normally 12 40)"); do
    kill_soon "${run[@]}"
    code=$?
    [[ "${code}" == 0 ]] && break
    if [[ "${code}" != 137 ]]; then
      fail "after a kill: exit code ${code}: $(cat err)"
      break
    fi
    kills=$((kills + 1))
  done
  [[ "${code}" == 0 ]] || "${run[@]}" --batch=1024 --quiet || fail "last run"
  same killed.tsv expected
done
echo "kills: ${kills}"
[[ "${kills}" -ge 5 ]] || fail "only ${kills} kills"
# In a pipe the lines of one block may be missing, but no line is repeated or
# wrong.
rm -rf killed*
for _ in $(seq 10); do
  kill_soon online_cluster --input=stream.jsonl --weighting=tfidf \
    --state=killed --resume --batch=4 | cat
done >out
[[ -z "$(cut -f1 out | sort | uniq -d)" ]] || fail "documents twice in a pipe"
[[ -z "$(sort out | comm -23 - <(sort expected))" ]] || fail "other lines"
# The run after a kill may also have new documents.
rm -rf killed*
kill_soon online_cluster --input=stream.jsonl --state=killed \
  --output=killed.tsv --batch=4
online_cluster --input=short.jsonl --state=killed --output=killed.tsv 2>err ||
  fail "new documents after a kill: $(cat err)"
total="$(wc -l <killed.tsv)"
[[ "${total}" -ge 2000 ]] || fail "lines after a kill: ${total}"
online_cluster --input=/dev/null --input_format=jsonl --state=killed --quiet \
  --summary=summary.json
has summary.json "\"documents_seen\":${total},"

# An interrupt ends the stream, although the input has not ended: state and output
# are complete, and the exit code is 0.
for signal in INT TERM; do
  rm -rf interrupted*
  (
    # With job control, since bash starts other background jobs with SIGINT
    # ignored.
    set -m
    online_cluster --input=- --state=interrupted --weighting=tfidf \
      --output=interrupted.tsv --summary=interrupted.json <pipe 2>err &
    pid=$!
    exec 3>pipe
    head -700 stream.jsonl >&3
    : >>interrupted.tsv
    lines interrupted.tsv 700
    kill -s "${signal}" "${pid}"
    wait "${pid}"
    exit $?
  ) 2>/dev/null
  code=$?
  [[ "${code}" == 0 ]] || fail "SIG${signal}: exit code ${code}: $(cat err)"
  has err "interrupted after 700 documents" "--resume with the same input"
  has interrupted.json '"stopped":"signal"' '"n":700,'
  online_cluster --input=stream.jsonl --state=interrupted --weighting=tfidf \
    --resume --output=interrupted.tsv --quiet || fail "after SIG${signal}"
  same interrupted.tsv expected
done
(
  set -m
  online_cluster --input=- --format=json --output=interrupted.out <pipe 2>err &
  pid=$!
  exec 3>pipe
  head -700 stream.jsonl >&3
  sleep 0.5
  kill -s INT "${pid}"
  wait "${pid}"
  exit $?
) 2>/dev/null
code=$?
[[ "${code}" == 0 ]] || fail "SIGINT and JSON: $(cat err)"
is_json interrupted.out
compgen -G "*tmp*" >/dev/null && fail "temporaries: $(ls)"

# With a state of other flags, nothing is written.
online_cluster --input=short.jsonl --state=good --output=good.tsv --quiet
cp -r good good.before
cp good.tsv good.tsv.before
for flags in --threshold=0.2 --terms=30 --expire_after=1d --merge_every=7 \
  --weighting=tfidf --nostem --nostop_words --vocabulary=terms.tsv; do
  expect 1 online_cluster --input=short.jsonl --state=good ${flags}
  has err "good: expected --" ", as when this state was made, found "
done
expect 1 online_cluster --input=short.jsonl --state=good --threshold=0.2
has err "good: expected --threshold to be 0.1, as when this state was made, found 0.2"
expect 1 online_cluster --input=short.svm --state=good
has err "good: expected the input to be texts, as when" "found vectors"
same good/data.mdb good.before/data.mdb
expect 2 online_cluster --input=stream.jsonl --state=good --resume \
  --output=other.tsv
has err "other.tsv: expected the output of earlier runs"
sed 1d short.jsonl >changed.jsonl
expect 2 online_cluster --input=changed.jsonl --state=good --resume
has err "--resume: expected the 2000 documents that earlier runs took"
echo '{"text":"one more"}' >>changed.jsonl
expect 2 online_cluster --input=changed.jsonl --state=good --resume
has err "found others"
same good.tsv good.tsv.before
cp -r good damaged
LC_ALL=C sed -i 's/--threshold/--threshole/' damaged/data.mdb
cp damaged/data.mdb damaged.before
expect 2 online_cluster --input=short.jsonl --state=damaged
has err "damaged: expected a value with its checksum"
same damaged/data.mdb damaged.before
cp short.jsonl foreign
expect 2 online_cluster --input=short.jsonl --state=foreign
has err "foreign: expected a directory for the state, found a file"
same foreign short.jsonl
# The snapshot and the journal of earlier versions.
printf 'WCONLINE\1\0\0\0' >earlier
printf 'WCJOURNL\1\0\0\0' >earlier.journal
for file in earlier earlier.journal; do
  cp $file kept
  expect 2 online_cluster --input=short.jsonl --state=$file
  has err "$file: expected a directory for the state" "of an earlier version" \
    "begin a new state under another name"
  same $file kept
done
mkdir others && cp short.jsonl others
expect 2 online_cluster --input=short.jsonl --state=others
has err "others: expected a store or an empty directory, found the file short.jsonl"
[[ "$(ls others)" == short.jsonl ]] || fail "left: $(ls others)"
dclustr --store=collection --add=short.svm --quiet >clusters.tsv
cp collection/data.mdb collection.before
rm collection/lock.mdb collection/writer.lock
ls collection >listed
expect 2 online_cluster --input=short.jsonl --state=collection
has err "collection: expected a store or an empty directory, found a database"
same collection/data.mdb collection.before
same <(ls collection) listed
expect 3 online_cluster --input=short.jsonl --state=foreign/state
has err "foreign/state: expected a directory"
# One process at a time.
online_cluster --input=- --state=good <pipe >first.out 2>&1 &
exec 3>pipe
printf '{"text":"one"}\n' >&3
lines first.out 1
expect 3 online_cluster --input=short.jsonl --state=good
has err "another process is updating good"
exec 3>&-
wait $!

# Only --resume removes foreign lines after those of a state. A removed output
# starts again.
for state in one other; do
  expect 0 online_cluster --input=short.jsonl --state="${state}" \
    --output=shared.tsv --quiet
done
expect 2 online_cluster --input=short.jsonl --state=one --output=shared.tsv
has err "shared.tsv: expected the output of earlier runs" "another program wrote to it"
[[ "$(wc -l <shared.tsv)" == 4000 ]] || fail "shared: $(wc -l <shared.tsv)"
expect 0 online_cluster --input=short.jsonl --state=other --output=shared.tsv
rm shared.tsv
expect 0 online_cluster --input=short.jsonl --state=other --output=shared.tsv
[[ "$(wc -l <shared.tsv)" == 2000 ]] || fail "anew: $(wc -l <shared.tsv)"
expect 0 online_cluster --input=short.jsonl --state=one --output=shared2.tsv
# The documents of a run that failed are decided again. Its output gets its missing
# lines even if the next run has another output.
{ head -50 short.jsonl && echo '{'; } >broken.jsonl
expect 2 online_cluster --input=broken.jsonl --state=moved --output=first.tsv
cp first.tsv first.expected
[[ "$(wc -l <first.tsv)" == 50 ]] || fail "before a mistake: $(cat first.tsv)"
head -c 100 first.expected >first.tsv
expect 0 online_cluster --input=short.jsonl --state=moved --output=second.tsv
has err "the last run was cut short: 50 documents"
same first.tsv first.expected
expect 2 online_cluster --input=broken.jsonl --state=moved2 --output=first.tsv
echo "mine now" >first.tsv
expect 0 online_cluster --input=short.jsonl --state=moved2
same first.tsv <(echo "mine now")
# With a state older than its output, such as a backup, only --resume truncates the
# output and takes the documents again.
: >none.jsonl
expect 0 online_cluster --input=none.jsonl --state=older --output=older.tsv
cp -r older older.before
expect 2 online_cluster --input=broken.jsonl --state=older --output=older.tsv
[[ "$(wc -l <older.tsv)" == 50 ]] || fail "older: $(cat older.tsv)"
rm -rf older && cp -r older.before older
expect 2 online_cluster --input=broken.jsonl --state=older --output=older.tsv
has err "older.tsv: expected the output of earlier runs, 0 bytes" \
  "the state is an older copy"
same older/data.mdb older.before/data.mdb
expect 0 online_cluster --input=short.jsonl --state=older --output=older.tsv \
  --resume
[[ "$(wc -l <older.tsv)" == 2000 ]] || fail "older: $(wc -l <older.tsv)"
mkfifo piped_state
expect 2 online_cluster --input=short.jsonl --state=piped_state
# An approximate method is a property of the state.
expect 2 online_cluster --input=broken.jsonl --state=rough --output=rough.tsv \
  --method=approximate --batch=20
for flags in "" --method=serial2 "--method=approximate" \
  "--method=approximate --batch=20 --epsilon=0.1"; do
  # shellcheck disable=SC2086
  expect 1 online_cluster --input=short.jsonl --state=rough ${flags}
  has err "expected --method to be approximate (--batch=20 --epsilon=0), as"
done
head -500 short.jsonl >shorter.jsonl
expect 0 online_cluster --input=shorter.jsonl --state=rough --output=rough.tsv \
  --method=approximate --batch=20 --resume
[[ "$(wc -l <rough.tsv)" == 500 ]] || fail "rough: $(wc -l <rough.tsv)"
# A file in two roles.
head -3 short.jsonl >both.jsonl
expect 1 online_cluster --input=both.jsonl --state=s1 --output=./both.jsonl
has err "--output would overwrite --input, both.jsonl"
online_cluster --input=- --state=s1 --output=both.jsonl <both.jsonl 2>err
[[ $? == 1 ]] || fail "appended to standard input: $(cat err)"
has err "--output would overwrite --input, -"
mkdir s1
for file in data.mdb lock.mdb writer.lock; do
  expect 1 online_cluster --input=both.jsonl --state=s1 --output=./s1/${file}
  has err "--output is s1/${file}, a file of the state"
done
same both.jsonl <(head -3 short.jsonl)
# The next file that is opened does not take the place of a closed standard
# stream.
online_cluster --input=- --state=closed <short.jsonl >&- 2>err
[[ $? == 3 ]] || fail "closed standard output: $(cat err)"
online_cluster --input=- --state=closed2 --output=closed2.tsv <&- 2>err
[[ $? == 3 ]] || fail "closed standard input: $(cat err)"
[[ -s closed2.tsv ]] && fail "documents of a closed stream: $(cat closed2.tsv)"
expect 0 online_cluster --input=short.jsonl --state=closed2 --quiet

# Documents before bad input are decided and, with a state, kept.
head -5 short.jsonl >bad.jsonl
for time in 1772368200999 1772368201; do
  echo "{\"text\":\"tin can\",\"time\":${time}}"
done >ms.jsonl
expect 0 online_cluster --input=ms.jsonl --expire_after=10
has err "beyond the year 9999: 1"
printf '0\t0\n1\t0\n' >expected
same out expected
echo '{"text":"x","time":"noon"}' >>bad.jsonl
expect 2 online_cluster --input=bad.jsonl
has err 'bad.jsonl:6: expected a time such as "2026-03-01T12:30:00Z"'
[[ "$(wc -l <out)" == 5 ]] || fail "lines before the bad one: $(cat out)"
expect 2 online_cluster --input=bad.jsonl --output=bad.tsv
[[ -e bad.tsv ]] && fail "half an output"
expect 2 online_cluster --input=bad.jsonl --output=bad.tsv --state=bad
sed -i 's/noon/2026-03-01/' bad.jsonl
expect 0 online_cluster --input=bad.jsonl --output=bad.tsv --state=bad --resume
[[ "$(wc -l <bad.tsv)" == 6 ]] || fail "lines after the repair: $(cat bad.tsv)"
printf '{"text":"x"}\n{"id":"#1","text":"x"}\n' >hash.jsonl
expect 2 online_cluster --input=hash.jsonl
has err "hash.jsonl:2: " "does not start with #" "--format=json takes any"
[[ "$(wc -l <out)" == 1 ]] || fail "lines before a bad id: $(cat out)"
expect 0 online_cluster --input=hash.jsonl --format=json
printf '1 1:1\n1 2147483647:1 \n' >far.svm
expect 0 online_cluster --input=far.svm --quiet
expect 0 online_cluster --input=far.svm --quiet --format=json
is_json out
expect 2 online_cluster --input=far.svm --weighting=tfidf
has err "expected indices up to"
mkdir folder
expect 2 online_cluster --input=folder
has err "expected a stream with one document per line, found a directory"
expect 2 online_cluster --input="${examples}/headlines.jsonl" \
  --weighting=tfidf --vocabulary=ids
has err "ids: expected a vocabulary with document frequencies"
: >empty
expect 0 online_cluster --input=empty
[[ -s out ]] && fail "clusters of nothing"
expect 0 online_cluster --input=empty --format=json
is_json out
printf '\n\nthe\n\n' | online_cluster --input=- --input_format=lines --quiet >out
printf '0\t0\n1\t1\n2\t2\n3\t3\n' >hollow.expected
same out hollow.expected
expect 0 online_cluster --input=short.svm --expire_after=3d
has err "no document has a \"time\""

# An output that fails ends the run, though more input may come.
mkfifo quiet
for threads in 1 2; do
  exec 3<>quiet
  printf '{"text": "a day"}\n' >&3
  timeout 60 "${tools}/online_cluster" --input=- --input_format=jsonl \
    --threads="${threads}" --output=/dev/full --quiet <&3 2>err
  found=$?
  exec 3>&-
  [[ "${found}" == 3 ]] ||
    fail "a full device with ${threads} threads: code ${found}"
  has err "/dev/full"
done

# Usage.
for flags in --threshold=1.1 --threshold=-0.1 --threshold=x --terms=0 \
  --terms=129 --expire_after=soon --merge_every=-1 --epsilon=0.1 --resume \
  --journal_bytes=5 --language=klingon --method=best --weighting=bm25; do
  expect 1 online_cluster ${flags}
done
for flags in --merge_every=0 --method=mdc2; do
  expect 1 online_cluster ${flags} --merge_threshold=0.3
  has err "--merge_threshold needs a --merge_every above 0"
done
expect 1 online_cluster --method=serial2 --batch=5
has err "--batch needs a method that works in batches"
expect 1 online_cluster --method=approximate --epsilon=2
expect 1 online_cluster --method=mdc2 --epsilon=few
has err "--epsilon: "
expect 1 online_cluster --method=sc2 --epsilon=0
has err "--epsilon needs --method=mdc1, mdc2 or approximate"
expect 1 online_cluster --state=
expect 1 online_cluster --state=s --output=o.gz
expect 1 online_cluster --state=s --output=s
expect 1 online_cluster --state=s --resume --format=json
has err "JSON describes a single run"

finish
