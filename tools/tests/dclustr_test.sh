#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# dclustr from end to end: after every operation, a store has the clusters that
# oclustr finds in its present documents. Then errors, damage and full disks.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
set -o pipefail

# expect_any TOOL ARGUMENTS...: as expect, for any exit code, which it leaves in
# `found`.
expect_any() {
  local tool="$1"
  shift
  "${tools}/${tool}" "$@" >out 2>err </dev/null
  found=$?
}

all="${examples}/encyclopedia.jsonl"

# The bundled example, in two batches, leaves nothing of its store.
mkdir temporary
TMPDIR="${work}/temporary" expect 0 dclustr
cp out example.tsv
has err "adding the bundled example (examples/encyclopedia.jsonl) to a" \
  "temporary store, in two batches" "added 207 documents, removed 0" \
  "414 documents, 2,071 edges, 120 clusters, 460 memberships, " \
  "88 documents alone in their clusters; cpu"
[[ -z "$(ls temporary)" ]] || fail "left: $(ls temporary)"
expect 0 oclustr --beta=0.25 --quiet
same example.tsv out

# Creation, additions, --print=none, two formats, threads.
sed -n 1,150p "${all}" >first.jsonl
sed -n 151,300p "${all}" >second.jsonl
sed -n '301,$p' "${all}" >third.jsonl
expect 0 dclustr --store=store --add=first.jsonl --print=none --summary=s.json
has err "dclustr: store: store created"
[[ ! -s out ]] || fail "--print=none wrote: $(head -3 out)"
is_json s.json
has s.json '"tool":"dclustr"' '"n":150' '"added":150' '"removed":0' \
  '"mode":"exact"' '"beta":0.25' '"weighting":"tf"' '"loaded_components":' \
  '"loaded_vertices":' '"loaded_bytes":' '"loaded_vector_bytes":' \
  '"components":' '"affected_components":' '"affected_vertices":' \
  '"relevance_device":"' '"idf_drift":' '"join":' '"commit":'
gzip -c second.jsonl >second.jsonl.gz
expect 0 dclustr --store=store --add=second.jsonl.gz --threads=1 --quiet
cat first.jsonl second.jsonl >two.jsonl
cp out found
expect 0 oclustr --beta=0.25 --input=two.jsonl --quiet
same found out
"${tools}/dclustr" --store=store --add=- --quiet <third.jsonl >found ||
  fail "standard input"
same found example.tsv

# In memory: the clusters of a store after the same batches, in both modes.
for mode in exact dclustr; do
  expect 0 dclustr --in_memory --mode="${mode}" --add="${all}" --batch=150 \
    --summary=s.json
  cp out found
  has err "read 94 of 94 parts" "414 documents, 2,071 edges, "
  is_json s.json
  has s.json '"n":414' '"added":414' "\"mode\":\"${mode}\"" \
    '"affected_connected":'
  for part in first second third; do
    expect 0 dclustr --store="memory.${mode}" --mode="${mode}" \
      --add="${part}.jsonl" --quiet
  done
  same found out
done
expect 0 dclustr --in_memory --add="${all}" --quiet
same out example.tsv
expect 0 dclustr --in_memory --add=/dev/null --input_format=lines
[[ ! -s out ]] || fail "nothing: $(head -3 out)"
cat first.jsonl first.jsonl >twice.jsonl
expect 2 dclustr --in_memory --add=twice.jsonl
has err "twice.jsonl: document 'element-hydrogen': expected an id that is new"
expect 1 dclustr --in_memory
has err "--in_memory needs documents: --add=PATH"
expect 1 dclustr --in_memory --store=store --add="${all}"
has err "needs a store, which --in_memory has not"
expect 1 dclustr --store=store --batch=3
has err "needs --in_memory"

# Opened again: the same clusters, also as JSON. Flags of the creation may be
# repeated.
expect 0 dclustr --store=store --verify --beta=0.250 --weighting=tf \
  --mode=exact --stem --language=english
same out example.tsv
grep -q "created" err && fail "an old store is called new: $(cat err)"
has err "store: the store is sound" "414 documents"
expect 0 dclustr --store=store --format=json --quiet
cp out found
is_json found
# A store has neither titles nor full words.
expect 0 oclustr --beta=0.25 --format=json --quiet
same <(sed 's/,"title":.*,"inner_cosine"/,"inner_cosine"/' found) \
  <(sed 's/,"title":.*,"inner_cosine"/,"inner_cosine"/' out)

# Removals, modifications and additions in one run. Modified documents come after
# the old ones, and added documents last.
expect 0 dclustr --store=store --quiet --remove=<(
  sed -n '10,60p;200,220p' "${all}" | sed 's/.*"id": *"\([^"]*\)".*/\1/'
)
sed '10,60d;200,220d' "${all}" >now.jsonl
cp out found
expect 0 oclustr --beta=0.25 --input=now.jsonl --quiet
same found out
# Two documents with the text of two others.
id_of() { sed -n "$1p" "${all}" | sed 's/.*"id": *"\([^"]*\)".*/\1/'; }
text_of() { sed -n "$1p" "${all}" | sed 's/.*"text": *\("[^"]*"\).*/\1/'; }
printf '{"id":"%s","text":%s}\n' "$(id_of 3)" "$(text_of 15)" \
  "$(id_of 300)" "$(text_of 3)" >modified.jsonl
sed -n 20,30p "${all}" >again.jsonl
id_of 400 >gone
expect 0 dclustr --store=store --modify=modified.jsonl --add=again.jsonl \
  --remove=gone
has err "added 13 documents, removed 3; added 87 edges, removed 15;"
cp out found
{
  sed '3d;10,60d;200,220d;300d;400d' "${all}"
  cat modified.jsonl again.jsonl
} >now.jsonl
expect 0 oclustr --beta=0.25 --input=now.jsonl --quiet
same found out

# --compact and --verify.
expect 0 dclustr --store=store --compact --verify
same found out
expect 0 dclustr --store=store --verify --print=none
has err "the store is sound"

# Vectors have no ids: they are numbered across files, or named by --ids.
expect 0 vectorize --input="${all}" --output=all.svm --quiet
sed -n 1,200p all.svm >a.svm
sed -n '201,$p' all.svm >b.svm
expect 0 dclustr --store=vectors --add=a.svm --beta=0.3 --print=none --quiet
expect 0 dclustr --store=vectors --add=b.svm --quiet
cp out found
expect 0 oclustr --input=all.svm --beta=0.3 --quiet
same found out
printf '7\n413\n' >ids
sed -n 5,6p all.svm >c.svm
expect 0 dclustr --store=vectors --modify=c.svm --ids=ids --quiet --verify
expect 0 dclustr --store=vectors --add=c.svm --quiet
grep -q "^414"$'\t' out || fail "numbers do not go on: $(tail -2 out)"
printf '# half\n0 1:1.5\n' >half.svm
expect 2 dclustr --store=vectors --add=half.svm
has err "half.svm:2: expected whole numbers below 2^24 as weights"

# tfidf keeps the document frequencies of the creation until --reweight.
expect 0 dclustr --store=idf --weighting=tfidf --add="${all}" --quiet
cp out found
expect 0 oclustr --beta=0.25 --weighting=tfidf --quiet
same found out
expect 0 dclustr --store=idf --remove=gone --summary=s.json --print=none
grep -q '"idf_drift":0,' s.json && fail "no drift: $(cat s.json)"
expect 0 dclustr --store=idf --reweight --verify --quiet
cp out found
sed 400d "${all}" >now.jsonl
expect 0 oclustr --beta=0.25 --input=now.jsonl --weighting=tfidf --quiet
same found out

# The rules of the paper cover every document too.
expect 0 dclustr --store=rules --mode=dclustr --add=two.jsonl --quiet
expect 0 dclustr --store=rules --add=third.jsonl --quiet --verify
[[ "$(cut -f1 out | sort -u | wc -l)" == 414 ]] || fail "not all are covered"

# Each document without terms is a cluster of its own; an empty store has no
# clusters.
: >empty
expect 0 dclustr --store=hollow --add=empty --verify
[[ ! -s out ]] || fail "clusters of nothing: $(cat out)"
has err "added 0 documents, removed 0" "0 documents, 0 edges, 0 clusters"
expect 0 dclustr --store=hollow --format=json --quiet
is_json out
printf '{"id":"%s","text":"%s"}\n' a tin b "" c the d tin >hollow.jsonl
expect 0 dclustr --store=hollow --add=hollow.jsonl --verify --quiet
printf 'a\t0\nb\t1\nc\t2\nd\t0\n' >hollow.expected
same out hollow.expected
printf 'a\nb\nc\nd\n' >hollow.ids
expect 0 dclustr --store=hollow --remove=hollow.ids --verify --compact --quiet
[[ ! -s out ]] || fail "clusters of nothing: $(cat out)"
expect 0 dclustr --store=hollow --add=hollow.jsonl --quiet
same out hollow.expected

# Usage.
for flag in --add=a.svm --modify=a.svm --remove=gone --verify --compact \
  --reweight --ids=ids; do
  expect 1 dclustr "${flag}"
  has err "needs a store: --store=DIR"
done
expect 1 dclustr --store=
expect 1 dclustr --store=store --beta=0.3
has err "--beta: expected 0.25, with which the store was created, found 0.3"
expect 1 dclustr --store=store --weighting=tfidf
expect 1 dclustr --store=store --mode=dclustr
expect 1 dclustr --store=store --nostem
has err "--stem: expected true, with which the store was created, found false"
expect 1 dclustr --store=store --reweight
expect 1 dclustr --store=new --add="${all}" --reweight
has err "--reweight: the store was created with tf, which never changes"
for flag in --stem --nostop_words --language=english; do
  expect 1 dclustr --store=vectors "${flag}"
  has err "is for texts, and the store is of vectors"
done
for file in --output=store/data.mdb --summary=./store/../store/writer.lock \
  --output=store/lock.mdb --output=store/commits; do
  cp store/data.mdb before.mdb
  expect 1 dclustr --store=store "${file}"
  has err "would overwrite" "a file of the store"
  same store/data.mdb before.mdb
done
for flag in --output=written --format=json; do
  expect 1 dclustr --store=store --print=none "${flag}"
  has err "${flag%=*} has no effect with --print=none"
done
expect 1 dclustr --store=store --remove=gone --input_format=jsonl
has err "--input_format needs --add or --modify"
expect 1 dclustr --store=new --add=a.svm --beta=0.001
has err "--beta: expected above 1/256"
expect 1 dclustr --store=new --add=a.svm --language=klingon
expect 1 dclustr --store=store --add=- --remove=-
expect 1 dclustr --store=vectors --add=a.svm --modify=c.svm --ids=ids
[[ ! -e new ]] || fail "a store that could not be created is there"

# Bad input changes nothing.
expect 0 dclustr --store=store --quiet
cp out before.tsv
expect 2 dclustr --store=nowhere
has err "nowhere: expected a store, found none; --add=PATH creates one"
[[ ! -e nowhere ]] || fail "asking created a store"
expect 2 dclustr --store=store --add=again.jsonl
has err "again.jsonl:1: document '$(id_of 20)'"
expect 2 dclustr --store=store --remove=ids
has err "found '7'"
expect 2 dclustr --store=store --modify=<(echo '{"id":"unknown","text":"a"}')
has err "found 'unknown'"
expect 2 dclustr --store=store --modify=<(echo '{"text":"a"}')
has err "expected the id of the document to replace, found none"
expect 2 dclustr --store=store --add=a.svm
has err "a.svm: expected texts, as in the store, found vectors"
printf '{"text":"a"}\n{"text":\n' >broken.jsonl
expect 2 dclustr --store=store --add=broken.jsonl
has err "broken.jsonl:2: "
printf 'x\nx\n' >twice
expect 2 dclustr --store=store --remove=twice
has err "twice:2: "
cat first.jsonl first.jsonl >double.jsonl
expect 2 dclustr --store=new --add=double.jsonl
[[ ! -e new ]] || fail "a store whose first documents failed is there"
expect 0 dclustr --store=store --verify --quiet
same out before.tsv

# What is left if a run is killed while it creates a store.
mkdir new
: >new/data.mdb
expect 2 dclustr --store=new
has err "new: expected a store, found none"
expect 0 dclustr --store=new --add=hollow.jsonl --quiet
same out hollow.expected

# Errors name the files. Times are ignored, as by oclustr.
printf 'b\n' >known.ids
printf '{"id": "nobody", "text": "tin"}\n' >unknown.jsonl
expect 2 dclustr --store=new --remove=unknown.jsonl
has err "unknown.jsonl:1: expected the id of a stored document, found" \
  "'{\"id\": \"nobody\", \"text\": \"tin\"}'"
expect 2 dclustr --store=new --modify=unknown.jsonl
has err "unknown.jsonl:1: expected the id of a stored document, found 'nobody'"
expect 2 dclustr --store=new --remove=known.ids --modify=unknown.jsonl
has err "unknown.jsonl:1: expected the id of a stored document, found 'nobody'"
expect 2 dclustr --store=new --remove=known.ids \
  --modify=<(printf '\n{"id":"b","text":"zinc"}\n')
has err ":2: expected each id once, found 'b' twice"
printf '\nb\n\nnobody\n' >two.ids
expect 2 dclustr --store=new --remove=two.ids
has err "two.ids:4: expected the id of a stored document, found 'nobody'"
expect 2 dclustr --store=new --add=hollow.jsonl
has err "hollow.jsonl:1: document 'a': expected an id that is new, found one of"
printf '{"id":"n","text":""}\n\n{"id":"n","text":""}\n' >twice.jsonl
expect 2 dclustr --store=new --add=twice.jsonl
has err "twice.jsonl:3: document 'n': expected an id that is new, found one that"
printf '{"id":"a","text":""}\n' >first.jsonl
expect 2 dclustr --store=new --modify=first.jsonl --add=twice.jsonl
has err "twice.jsonl:3: document 'n': expected an id that is new, found one that"
"${tools}/dclustr" --store=new --add=- <twice.jsonl 2>err && fail "twice"
has err "standard input:3: document 'n'"
printf '0 1:1\n0 2:1\n' >two.svm
printf 'x\nx\n' >x.ids
expect 2 dclustr --store=vectors --add=two.svm --ids=x.ids
has err "x.ids:2: expected"
printf 'x\ny\n' >xy.ids
expect 0 dclustr --store=vectors --add=two.svm --ids=xy.ids --quiet
expect 2 dclustr --store=vectors --add=two.svm --ids=xy.ids
has err "xy.ids:1: document 'x': expected an id that is new, found one of"
mkdir texts
echo tin >texts/a.txt
expect 0 dclustr --store=texts.store --add=texts --quiet
expect 2 dclustr --store=texts.store --add=texts
has err "texts: document 'a.txt': expected an id that is new, found one of"
printf '{"id":"t","time":"at noon","text":"zinc"}\n' >times.jsonl
expect 0 oclustr --beta=0.25 --input=times.jsonl --quiet
expect 0 dclustr --store=times --add=times.jsonl --quiet
same out <(printf 't\t0\n')
expect 0 dclustr --store=new --quiet
same out hollow.expected

# One process writes, others read; a second writer is refused.
mkfifo pipe
"${tools}/dclustr" --store=new --add=pipe --input_format=jsonl --print=none \
  --quiet 2>writer_err &
writer=$!
exec 9>pipe # waits until the writer, which has the store by then, reads it
expect 3 dclustr --store=new --remove=hollow.ids --print=none
has err "another process is updating new"
expect 0 dclustr --store=new --quiet
same out hollow.expected
echo '{"id":"e","text":"lead"}' >&9
exec 9>&-
wait "${writer}" || fail "the writer: $(cat writer_err)"
expect 0 dclustr --store=new --verify --quiet
grep -q "^e"$'\t' out || fail "what the writer added is not there"

# On a full disk the update is lost, the store is not.
(
  trap '' XFSZ
  ulimit -f $(($(stat -c %s store/data.mdb) / 1024 + 8))
  sed 's/"id": *"/&more-/' "${all}" >more.jsonl
  "${tools}/dclustr" --store=store --add=more.jsonl --print=none 2>err
)
[[ $? == 3 ]] || fail "a full disk: $(cat err)"
expect 0 dclustr --store=store --verify --quiet
same out before.tsv

# Damaged stores: damage gives an error or does not matter. If the header of a
# page is damaged, LMDB may also end the process.
mkdir other
head -c 8192 /dev/zero >other/data.mdb
expect_any dclustr --store=other
[[ "${found}" == 2 ]] || fail "zeros: exit code ${found}: $(cat err)"
cp -r store short
truncate -s 20000 short/data.mdb
expect 2 dclustr --store=short
has err "short/data.mdb: "
expect 0 dclustr --store=new --quiet
cp out before.tsv
errors=0
crashes=0
places=(10 1000 3900)
for ((page = 0; page < $(stat -c %s new/data.mdb) / 4096; page++)); do
  for at in $(normally "${places[page % 3]}" "${places[*]}"); do
    rm -rf damaged
    cp -r new damaged
    head -c 64 "${tools}/dclustr" | tr '\0' '\251' | dd of=damaged/data.mdb \
      bs=1 seek=$((page * 4096 + at)) conv=notrunc 2>/dev/null
    expect_any dclustr --store=damaged --verify --quiet
    case "${found}" in
      0) same out before.tsv ;;
      2) errors=$((errors + 1)) ;;
      13[0-9]) crashes=$((crashes + 1)) ;;
      *) fail "page ${page} at ${at}: exit code ${found}: $(cat err)" ;;
    esac
  done
done
echo "damage: ${errors} errors, ${crashes} ends of the process"
[[ "${errors}" -gt 3 ]] || fail "damage that was seen: ${errors} times"

# Files of somebody else are neither joined nor changed.
mkdir folder
cp gone folder/letters
for work in --add=hollow.jsonl --modify=hollow.jsonl --remove=gone; do
  expect 2 dclustr --store=folder "${work}"
  has err "folder: expected a store or an empty directory, found the file" \
    "letters; give the store a directory of its own"
  [[ "$(ls folder)" == letters ]] || fail "left: $(ls folder)"
done
expect 0 online_cluster --input=hollow.jsonl --state=state
cp state/data.mdb state.before
for work in --add=hollow.jsonl --modify=hollow.jsonl --remove=gone; do
  expect 2 dclustr --store=state "${work}"
  has err "state: expected a store or an empty directory, found a database"
  same state/data.mdb state.before
done
expect 0 online_cluster --input=hollow.jsonl --state=state
# A file beside a store is no harm.
expect 0 dclustr --store=mine --add=hollow.jsonl --quiet
[[ ! -s err ]] || fail "--quiet says: $(cat err)"
cp gone mine/letters
expect 0 dclustr --store=mine --remove=known.ids --quiet

# A store that lost its newest commit, or its file, is refused.
expect 0 dclustr --store=lost --add=hollow.jsonl --quiet
cp lost/data.mdb older
echo '{"id":"z","text":"gold"}' >gold.jsonl
expect 0 dclustr --store=lost --add=gold.jsonl --quiet
truncate -s "$(stat -c %s lost/data.mdb)" older
cp older lost/data.mdb
for work in --verify --add=hollow.jsonl; do
  expect 2 dclustr --store=lost "${work}"
  has err "lost: expected 3 commits, as lost/commits says, found 2"
done
rm lost/data.mdb
for work in --verify --add=hollow.jsonl; do
  expect 2 dclustr --store=lost "${work}"
  has err "lost/data.mdb: expected at least" "and 3 commits"
  [[ ! -e lost/data.mdb ]] || fail "begun anew"
done
finish
