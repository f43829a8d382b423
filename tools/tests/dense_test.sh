#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Embeddings: one collection in several formats gives the same clusters, on any
# number of threads; what is not valid is refused.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
set -o pipefail
PATH="${tools}:${PATH}"

flags="--kind=embeddings --n=2000 --dimensions=32 --near_duplicates=0.1 --quiet"
# shellcheck disable=SC2086
generate ${flags} --output=v.npy --truth=truth.tsv
# shellcheck disable=SC2086
generate ${flags} --output=v.npy.gz
# shellcheck disable=SC2086
generate ${flags} --format=npy >stdout.npy
# shellcheck disable=SC2086
generate ${flags} --output=v.jsonl
same stdout.npy v.npy
gzip -dc v.npy.gz >gunzipped.npy
same gunzipped.npy v.npy

oclustr --input=v.npy --beta=0.6 --output=expected 2>err || fail "$(cat err)"
has err "v.npy: read as NPY (the name ends in .npy" "oclustr: 2,000 documents, "
evaluate --truth=truth.tsv --clusters=expected --quiet >out
fbcubed="$(sed -n 's/.*"fbcubed":\([0-9.]*\),*/\1/p' out)"
awk -v f="${fbcubed}" 'BEGIN { exit !(f > 0.9) }' ||
  fail "FBCubed of the directions is ${fbcubed}"
for input in v.npy.gz v.jsonl gunzipped.npy; do
  oclustr --input="${input}" --beta=0.6 --quiet --threads=2 >out
  same out expected
done
for input in v.npy v.jsonl; do
  oclustr --input=- --beta=0.6 --quiet <"${input}" >out
  same out expected
  # shellcheck disable=SC2002
  cat "${input}" | oclustr --input=- --beta=0.6 --quiet >out
  same out expected
done
similarity_graph --input=v.npy --beta=0.6 --quiet --threads=1 >graph
similarity_graph --input=v.jsonl --beta=0.6 --quiet --threads=3 >out
same out graph
oclustr --input=graph --beta=0.6 --quiet >out
same out expected

# Counts, dense and sparse, give the same graph. 0.6 is exact: 6 / 10.
printf '1 1:3 2:1\n2 1:1 2:3\n3 2:5\n4\n' >counts.svm
{
  echo '{"embedding": [3, 1]}'
  echo '{"embedding": [1, 3.0], "other": "ignored"}'
  echo '{"embedding": [0, 5]}'
  echo '{"embedding": [0, 0]}'
} >counts.jsonl
for beta in 0.3 0.6 0.600000001 1; do
  similarity_graph --input=counts.svm --beta=${beta} --quiet >sparse
  similarity_graph --input=counts.jsonl --beta=${beta} --quiet >out
  same out sparse
done
has sparse "#vertex"

# Term vectors with negative weights are dense documents, up to 4,096 columns.
printf '1 1:3 2:-1\n2 1:-1 2:3\n3 2:5\n4 1:-3 2:1.0\n' >signed.svm
{
  echo '%%MatrixMarket matrix coordinate real general'
  echo '4 2 7'
  printf '1 1 3\n1 2 -1\n2 1 -1\n2 2 3\n3 2 5\n4 1 -3\n4 2 1\n'
} >signed.mtx
printf '{"embedding": [%s]}\n' '3, -1' '-1, 3' '0, 5' '-3, 1' >signed.jsonl
similarity_graph --input=signed.jsonl --beta=0.6 --quiet >expected.signed
has expected.signed "1	2	0.948683298" "1	3	0.6"
for input in signed.svm signed.mtx; do
  similarity_graph --input=${input} --beta=0.6 --quiet >out
  same out expected.signed
  oclustr --input=expected.signed --quiet >clusters.signed
  oclustr --input=${input} --beta=0.6 --quiet >out
  same out clusters.signed
  expect 1 oclustr --input=${input} --weighting=tfidf
  has err "--weighting is for weights that are not negative"
  expect 2 vectorize --input=${input}
  has err "expected a weight that is not negative"
done
printf '1 1:3 4096:-1\n' >wide.svm
expect 0 oclustr --input=wide.svm
printf '1 1:3 4097:-1\n' >wide.svm
expect 2 oclustr --input=wide.svm
has err "wide.svm: expected at most 4096 columns where weights are negative"

# Names, and the field of the vector.
echo '{"key": "a", "text": "t", "v": [1, -2]}' >fields.jsonl
echo '{"key": "b", "text": "u", "v": [-1, 2]}' >>fields.jsonl
expect 0 oclustr --input=fields.jsonl --vector_field=v --id_field=key
has out "a	0" "b	1"
expect 0 oclustr --input=fields.jsonl --vector_field=v \
  --input_format=jsonl_vectors --quiet
has out "0	0" "1	1"
printf 'x\ny\nz\nw\n' >names
expect 0 oclustr --input=counts.jsonl --ids=names --beta=0.6
has out "x	0" "w	1"
# A file with texts and embeddings is read as texts.
echo '{"text": "some words", "embedding": [1, 2]}' >both.jsonl
expect 0 oclustr --input=both.jsonl
has err "read as JSON Lines ("

# Flags without an effect.
for flag in weighting=tfidf stem stop_words max_terms=3 text_field=body \
  skip_bad_lines tensor=a vector_field=v id_field=key; do
  expect 1 oclustr --input=v.npy --${flag}
  has err "--${flag%%=*} is for" "npy"
done
# Without --beta, and with auto, one is chosen.
expect 0 oclustr --input=v.npy --threads=1 --summary=summary.json
has err "--beta=auto: --beta=" "has the highest expected FBCubed, " \
  "of 23 settings on 2,000 documents"
has summary.json '"compared_documents":2000,' '"compared_settings":23,'
cp out chosen
expect 0 oclustr --input=v.jsonl --beta=auto --threads=3
same out chosen
evaluate --truth=truth.tsv --clusters=chosen --quiet >out
fbcubed="$(sed -n 's/.*"fbcubed":\([0-9.]*\),*/\1/p' out)"
awk -v f="${fbcubed}" 'BEGIN { exit !(f > 0.9) }' ||
  fail "FBCubed of the chosen --beta is ${fbcubed}"
expect 1 similarity_graph --vector_field=v
has err '--vector_field: expected a first line with an array "v", found none'
printf '{"id": "a", "embedding": [1, 2]}\n{"id": "b"}\n' >missing.jsonl
expect 2 oclustr --input=missing.jsonl
has err 'missing.jsonl:2: expected a field "embedding"' \
  "(--vector_field=NAME reads another field)"
expect 1 oclustr --input=graph --tensor=a
has err "--tensor is for documents"
expect 1 oclustr --input=counts.jsonl --vector_field=id \
  --input_format=jsonl_vectors
has err "two fields"
expect 1 generate --kind=points --near_duplicates=0.1
expect 1 generate --kind=embeddings --format=svmlight
expect 1 generate --kind=documents --format=npy

# Bad inputs.
head -c 1000 v.npy >short.npy
expect 2 oclustr --input=short.npy
has err "short.npy: expected 2000 x 32 elements of 4 bytes, found the end of"
printf '{"embedding": [1, 2]}\n{"embedding": [1]}\n' >ragged.jsonl
expect 2 oclustr --input=ragged.jsonl
has err "ragged.jsonl:2: expected an array of 2 numbers"
printf '{"embedding": [1, 2]}\n{"embedding": [1, NaN]}\n' >nan.jsonl
expect 2 oclustr --input=nan.jsonl
has err "nan.jsonl:2: expected a number"
printf '\002\000\000\000\000\000\000\000{}' >none.safetensors
expect 2 oclustr --input=none.safetensors
has err "none.safetensors: expected a tensor of two dimensions, found none"
printf '\001\000\000\000\007\001\000\000\000\010' >bytes.bvecs
expect 0 oclustr --input=bytes.bvecs --beta=0.9
has out "0	0" "1	0"
expect 2 oclustr --input=bytes.bvecs --input_format=fvecs
has err "bytes.bvecs: document 1: expected a number of dimensions"

finish
