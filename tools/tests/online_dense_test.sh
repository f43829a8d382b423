#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Streams of embeddings: one stream in several formats, methods, batches and
# runs gives the same clusters; what is not valid is refused.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
set -o pipefail
PATH="${tools}:${PATH}"

flags="--kind=embeddings --n=2000 --dimensions=32 --near_duplicates=0.1 --quiet"
# shellcheck disable=SC2086
generate ${flags} --output=v.npy --truth=truth.tsv
# shellcheck disable=SC2086
generate ${flags} --output=v.jsonl

expect 0 online_cluster --input=v.npy --output=expected --summary=summary.json
has err "v.npy: read as NPY (the name ends in .npy" \
  "online_cluster: 2,000 documents, "
has summary.json '"method":"batched"' '"threshold":0.7' '"merge_every":0'
evaluate --truth=truth.tsv --clusters=expected --quiet >out
fbcubed="$(sed -n 's/.*"fbcubed":\([0-9.]*\),*/\1/p' out)"
awk -v f="${fbcubed}" 'BEGIN { exit !(f > 0.9) }' ||
  fail "FBCubed of the directions is ${fbcubed}"
for more in --method=serial1 --method=batched --batch=7 --threads=1 \
  --threads=3 --threshold=0.7; do
  expect 0 online_cluster --input=v.npy ${more} --quiet
  same out expected
  expect 0 online_cluster --input=v.jsonl ${more} --quiet
  same out expected
done
for input in v.npy v.jsonl; do
  gzip -c ${input} >packed.gz
  expect 0 online_cluster --input=packed.gz --quiet
  same out expected
  # shellcheck disable=SC2002
  cat ${input} | online_cluster --input=- --quiet >out
  same out expected
done
{
  echo '['
  sed '$!s/$/,/' v.jsonl
  echo ']'
} >array.jsonl
expect 0 online_cluster --input=array.jsonl --quiet
same out expected
expect 0 online_cluster --input=v.npy --threshold=0.9
cmp -s out expected && fail "the threshold has no effect"

# Dense and sparse, the same vectors without negative values.
awk 'BEGIN {
  x = 1
  for (d = 1; d <= 300; ++d) {
    printf "%d", d > "s.svm"
    printf "{\"embedding\":[" > "s.jsonl"
    for (k = 1; k <= 20; ++k) {
      x = (x * 1103 + 12345) % 65536
      v = int(x / 4096)
      v = (v > 11) ? v - 11 : 0
      if (v != 0) printf " %d:%d", k, v > "s.svm"
      printf "%s%d", (k == 1) ? "" : ",", v > "s.jsonl"
    }
    print "" > "s.svm"
    print "]}" > "s.jsonl"
  }
}'
for more in --threshold=0.5 "--threshold=0.8 --merge_every=40 --merge_threshold=0.75"; do
  # shellcheck disable=SC2086
  expect 0 online_cluster --input=s.svm ${more} --quiet
  cp out sparse.tsv
  # shellcheck disable=SC2086
  expect 0 online_cluster --input=s.jsonl ${more} --quiet
  same out sparse.tsv
done
has out "#merged"

# Each line in gives a line out.
mkfifo pipe
online_cluster --input=- <pipe >live.tsv 2>live.err &
exec 3>pipe
head -3 v.jsonl >&3
for ((i = 0; i < 200; ++i)); do
  [[ "$(wc -l <live.tsv)" == 3 ]] && break
  sleep 0.1
done
exec 3>&-
wait $! || fail "a live stream: $(cat live.err)"
same live.tsv <(head -3 expected)

# A stream in two runs, and one that is resumed.
head -700 v.jsonl >first.jsonl
tail -n +701 v.jsonl >second.jsonl
for input in first second; do
  expect 0 online_cluster --input=${input}.jsonl --state=s1 --output=two.tsv
done
same two.tsv expected
for input in v.npy v.jsonl; do
  { head -700 v.jsonl && echo '{'; } >broken.jsonl
  if [[ ${input} == v.npy ]]; then
    expect 0 online_cluster --input=v.npy --state=r.npy --output=r.npy.tsv
  else
    expect 2 online_cluster --input=broken.jsonl --state=r.${input} \
      --output=r.${input}.tsv
    has err "broken.jsonl:701: expected"
    [[ "$(wc -l <r.${input}.tsv)" == 700 ]] || fail "before a mistake"
  fi
  expect 0 online_cluster --input=${input} --state=r.${input} --resume \
    --output=r.${input}.tsv
  same r.${input}.tsv expected
done
# Times, names and fields, in the state too.
{
  echo '{"name":"a","at":10,"v":[1,0]}'
  echo '{"name":"b","at":"1970-01-01T00:00:12Z","v":[1,0.1]}'
  echo '{"name":"c","at":60,"v":[1,0.2]}'
  echo '{"at":61,"v":[-1,-0.2]}'
} >named.jsonl
named="--vector_field=v --id_field=name --time_field=at --expire_after=30"
printf 'a\t0\nb\t0\nc\t1\n3\t2\n' >named.expected
# shellcheck disable=SC2086
expect 0 online_cluster --input=named.jsonl ${named}
same out named.expected
{ head -2 named.jsonl && echo '{'; } >cut.jsonl
# shellcheck disable=SC2086
expect 2 online_cluster --input=cut.jsonl --state=n --output=named.tsv ${named}
# shellcheck disable=SC2086
expect 0 online_cluster --input=named.jsonl --state=n --output=named.tsv \
  --resume ${named}
same named.tsv named.expected
expect 0 online_cluster --input=named.jsonl --vector_field=v --format=json
is_json out
has out '"members":["0","1","2"],"cluster":0,"size":3}'
expect 0 online_cluster --input=broken.jsonl --skip_bad_lines --quiet
same out <(head -700 expected)

# What a state was made of.
expect 1 online_cluster --input="${examples}/headlines.jsonl" --state=s1
has err "s1: expected the input to be embeddings, as when" "found texts"
expect 1 online_cluster --input=v.npy --state=s1 --threshold=0.8
has err "expected --threshold to be 0.7"
echo '{"embedding": [1, 2]}' >short.jsonl
expect 2 online_cluster --input=short.jsonl --state=s1
has err "short.jsonl: expected embeddings of 32 numbers, as those before, found 2"
expect 0 online_cluster --input=second.jsonl --state=s1 --quiet

# Flags without an effect.
for flag in weighting=tfidf stem stop_words terms=30 truncated_mean \
  vocabulary=truth.tsv titles=t.tsv report=r.html text_field=body \
  skip_bad_lines id_field=key time_field=at tensor=a vector_field=v; do
  expect 1 online_cluster --input=v.npy --${flag}
  has err "--${flag%%=*} is for" "npy"
done
for method in serial2 mdc1 mdc2 approximate; do
  expect 1 online_cluster --input=v.npy --method=${method}
  has err "expected the method auto, serial1 or batched for dense documents"
done
expect 1 online_cluster --input=v.npy --merge_threshold=0.5
has err "--merge_threshold needs --merge_every, which is 0 for embeddings"
expect 1 online_cluster --vector_field=v
has err '--vector_field: expected a first line with an array "v", found none'
expect 1 online_cluster --input=v.jsonl --vector_field=time \
  --input_format=jsonl_vectors
has err "two fields"

# Bad inputs.
printf '{"embedding": [1, 2]}\n{"embedding": [1]}\n' >ragged.jsonl
expect 2 online_cluster --input=ragged.jsonl
has err "ragged.jsonl:2: expected an array of 2 numbers"
same out <(printf '0\t0\n')
printf '{"id": "a", "embedding": [1, 2]}\n{"id": "b"}\n' >missing.jsonl
expect 2 online_cluster --input=missing.jsonl
has err 'missing.jsonl:2: expected a field "embedding"' \
  "(--vector_field=NAME reads another field)"
printf '{"embedding": [1, 2], "time": "noon"}\n' >noon.jsonl
expect 2 online_cluster --input=noon.jsonl
has err "noon.jsonl:1: expected a time"
head -c 1000 v.npy >short.npy
expect 2 online_cluster --input=short.npy
has err "short.npy: expected 2000 x 32 elements"

finish
