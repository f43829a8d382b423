#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# dclustr on embeddings: after every operation, a store has the clusters that
# oclustr finds in its present rows. Then what a store does not take.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
set -o pipefail

# rows N PATH: the first N rows of one collection.
rows() {
  "${tools}/generate" --kind=embeddings --n="$1" --dimensions=24 \
    --directions=45 --near_duplicates=0.1 --quiet --output="$2"
}
rows 900 all.jsonl
sed -n 1,400p all.jsonl >first.jsonl
sed -n 401,700p all.jsonl >second.jsonl
sed -n '701,$p' all.jsonl >third.jsonl

# Creation, additions, threads, standard input.
expect 0 dclustr --store=store --beta=0.6 --add=first.jsonl --print=none \
  --summary=s.json
has err "first.jsonl: read as JSON Lines with vectors" \
  "added 400 documents, removed 0" "store: store created"
is_json s.json
has s.json '"n":400' '"added":400' '"loaded_vector_bytes":0'
gzip -c second.jsonl >second.jsonl.gz
expect 0 dclustr --store=store --add=second.jsonl.gz --threads=1 --quiet \
  --summary=s.json
cp out found
# All 400 rows of 24 floats were read, and little else.
bytes="$(sed 's/.*"loaded_vector_bytes":\([0-9]*\).*/\1/' s.json)"
[[ "${bytes}" -ge 38400 && "${bytes}" -lt 40000 ]] || fail "read ${bytes} bytes"
cat first.jsonl second.jsonl >two.jsonl
expect 0 oclustr --input=two.jsonl --beta=0.6 --quiet
same found out
"${tools}/dclustr" --store=store --add=- --threads=3 --quiet <third.jsonl \
  >found || fail "standard input"
expect 0 oclustr --input=all.jsonl --beta=0.6 --quiet
same found out
cp out all.tsv

# Opened again: the same clusters, also as JSON, described by cosines.
expect 0 dclustr --store=store --verify --beta=0.60 --weighting=tf
same out all.tsv
has err "store: the store is sound"
expect 0 dclustr --store=store --format=json --quiet
cp out found
is_json found
has found '"inner_cosine":'
expect 0 oclustr --input=all.jsonl --beta=0.6 --format=json --quiet
same found out
expect 0 dclustr --store=store --report=page.html --titles=titles.tsv --quiet
has page.html "<html"

# In memory: the clusters of a store after the same batches, in both modes.
"${tools}/generate" --kind=embeddings --n=900 --dimensions=24 --directions=45 \
  --near_duplicates=0.1 --quiet --output=memory.npy
for mode in exact dclustr; do
  expect 0 dclustr --in_memory --mode="${mode}" --beta=0.6 --add=memory.npy \
    --batch=300 --summary=s.json
  cp out found
  is_json s.json
  has s.json '"n":900' '"added":900' "\"mode\":\"${mode}\""
  for part in 1,300 301,600 601,900; do
    sed -n "${part}p" all.jsonl >part.jsonl
    expect 0 dclustr --store="memory.${mode}" --mode="${mode}" --beta=0.6 \
      --add=part.jsonl --quiet
  done
  same found out
done
expect 0 dclustr --in_memory --beta=0.6 --add=all.jsonl --format=json --quiet
cp out found
expect 0 oclustr --input=all.jsonl --beta=0.6 --format=json --quiet
same found out

# Removals, modifications and additions in one run.
sed -n '10,60p;500,520p' all.jsonl | sed 's/.*"id":"\([^"]*\)".*/\1/' >gone
vector_of() { sed -n "$1p" all.jsonl | sed 's/.*"embedding"://'; }
printf '{"id":"%s","embedding":%s\n' 2 "$(vector_of 15)" \
  299 "$(vector_of 3)" >modified.jsonl
sed -n 20,30p all.jsonl >again.jsonl
expect 0 dclustr --store=store --remove=gone --modify=modified.jsonl \
  --add=again.jsonl
has err "added 13 documents, removed 74;"
cp out found
{
  sed '3d;10,60d;300d;500,520d' all.jsonl
  cat modified.jsonl again.jsonl
} >now.jsonl
expect 0 oclustr --input=now.jsonl --beta=0.6 --quiet
same found out
expect 0 dclustr --store=store --compact --verify --quiet
same found out
expect 0 dclustr --store=store --verify --print=none

# Rows without ids are numbered over all files, or named by --ids.
rows 900 all.npy
sed 's/"id":"[^"]*",//' third.jsonl >unnamed.jsonl
rows 700 two.npy
expect 0 dclustr --store=rows --beta=0.6 --add=two.npy --print=none
has err "two.npy: read as NPY (the name ends in .npy"
expect 0 dclustr --store=rows --add=unnamed.jsonl --quiet
same out all.tsv
expect 0 dclustr --store=rules --mode=dclustr --beta=0.6 --add=all.npy --quiet
[[ "$(cut -f1 out | sort -u | wc -l)" == 900 ]] || fail "not all are covered"
rows 2 pair.npy
printf '7\n850\n' >ids
expect 0 dclustr --store=rows --modify=pair.npy --ids=ids --quiet --verify
expect 0 dclustr --store=rows --add=pair.npy --quiet
grep -q "^901"$'\t' out || fail "numbers do not go on: $(tail -2 out)"
printf '{"key":"a","v":[1,-2]}\n{"key":"b","v":[-1,2]}\n' >fields.jsonl
expect 0 dclustr --store=fields --add=fields.jsonl --vector_field=v \
  --id_field=key --quiet
same out <(printf 'a\t0\nb\t1\n')
printf '{"id":"c","embedding":[1,-1]}\n' >c.jsonl
printf '{"id":"b","embedding":[2,-4]}\n' >b.jsonl
expect 0 dclustr --store=fields --modify=b.jsonl --add=c.jsonl --quiet --verify
same out <(printf 'a\t0\nb\t0\nc\t0\n')

# Counts, dense and sparse, give the same clusters after the same changes.
printf '1 1:3 2:1\n2 1:1 2:3\n3 2:5\n4\n5 1:6 2:2\n' >counts.svm
printf '{"embedding": [%s]}\n' '3, 1' '1, 3' '0, 5' '0, 0' '6, 2' >counts.jsonl
printf '1\n' >one
for input in counts.svm counts.jsonl; do
  expect 0 dclustr --store="${input}.store" --beta=0.6 --add="${input}" --quiet
  expect 0 dclustr --store="${input}.store" --remove=one --add="${input}" \
    --quiet --verify
  cp out "${input}.tsv"
done
same counts.svm.tsv counts.jsonl.tsv

# A store is of one kind and of one number of dimensions.
expect 0 dclustr --store=texts --add="${examples}/encyclopedia.jsonl" --quiet
expect 2 dclustr --store=texts --add=all.npy
has err "all.npy: expected texts, as in the store, found embeddings (npy)"
expect 2 dclustr --store=counts.svm.store --add=counts.jsonl
has err "counts.jsonl: expected vectors, as in the store, found embeddings" \
  "(jsonl_vectors)"
expect 2 dclustr --store=rows --add="${examples}/encyclopedia.jsonl"
has err "expected embeddings, as in the store, found texts (jsonl)"
expect 2 dclustr --store=rows --add=counts.svm
has err "counts.svm: expected embeddings, as in the store, found vectors"
"${tools}/generate" --kind=embeddings --n=3 --dimensions=7 --quiet \
  --output=seven.npy
expect 2 dclustr --store=rows --add=seven.npy
has err "seven.npy: row 0: expected 24 dimensions, as the documents before" \
  "have, found 7"
printf '\n{"embedding":[1,2]}\n' >short.jsonl
expect 2 dclustr --store=rows --add=short.jsonl
has err "short.jsonl:2: expected 24 dimensions, as the documents before have, found 2"
expect 2 dclustr --store=new --add=seven.npy --modify=c.jsonl
[[ ! -e new ]] || fail "a store that could not be created is there"
expect 0 dclustr --store=rows --verify --print=none
has err "902 documents"

# Errors name file, and line or row.
expect 2 dclustr --store=store --add=again.jsonl
has err "again.jsonl:1: document '19': expected an id that is new, found one of"
printf 'x\n0\n' >taken
expect 2 dclustr --store=rows --add=pair.npy --ids=taken
has err "taken:2: document '0': expected an id that is new, found one of"
expect 2 dclustr --store=store --modify=pair.npy
has err "pair.npy: document 0: expected the id of the document to replace"
printf '{"id":"0","embedding":[1,2]}\n{"id":"1","embedding":[1,NaN]}\n' >nan.jsonl
expect 2 dclustr --store=new --add=nan.jsonl
has err "nan.jsonl:2: expected a number"
printf '{"id":"#a","embedding":[1,2]}\n' >hash.jsonl
expect 2 dclustr --store=new --add=hash.jsonl
has err "hash.jsonl:1: expected an id that does not start with #"
expect 0 dclustr --store=hash --add=hash.jsonl --format=json --quiet
printf '{"embedding":[0.5,2]}\n' >half.jsonl
expect 2 dclustr --store=counts.jsonl.store --add=half.jsonl
has err "half.jsonl:1: expected whole numbers below 2^24 as weights"
"${tools}/generate" --kind=embeddings --n=2 --dimensions=2 --quiet \
  --output=half.npy
expect 2 dclustr --store=counts.jsonl.store --add=half.npy
has err "half.npy: row 0: expected whole numbers below 2^24 as weights"
[[ ! -e new ]] || fail "a store that could not be created is there"

# Flags without an effect.
for flag in stem stop_words text_field=body skip_bad_lines tensor=a \
  vector_field=v id_field=key explain; do
  expect 1 dclustr --store=new --add=all.npy --${flag}
  has err "--${flag%%=*} is for"
done
for flag in skip_bad_lines text_field=body; do
  expect 1 dclustr --store=new --add=all.jsonl --${flag}
  has err "--${flag%%=*} is for JSON Lines with texts, and the input is" \
    "jsonl_vectors"
done
for flag in stem explain; do
  expect 1 dclustr --store=rows --${flag}
  has err "--${flag%%=*} is for" "the store is of"
done
expect 2 dclustr --store=new --add=all.npy --weighting=tfidf
has err "all.npy: row 0: expected term counts, which tfidf weighs, found dense"
expect 1 dclustr --store=rows --reweight
expect 1 dclustr --in_memory --add=all.npy --explain=3
has err "--explain is for documents with terms, and the input is embeddings"
expect 2 dclustr --in_memory --add=all.npy --weighting=tfidf
has err "all.npy: add: expected term counts, which tfidf weighs, found dense"
expect 1 dclustr --store=store --remove=gone --tensor=a
has err "--tensor needs --add or --modify"
expect 1 dclustr --store=texts --add="${examples}/encyclopedia.jsonl" --tensor=a
has err "--tensor is for safetensors, and the input is jsonl"
[[ ! -e new ]] || fail "a store that could not be created is there"
finish
