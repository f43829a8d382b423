#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# --report of the tools that cluster documents: a page that changes nothing else.
# What pages show is tested in a browser (tools/report/testing);
# correlation_test.sh has the page of correlation_cluster.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"

# report NAME TOOL ARGUMENTS...: runs a tool with and without --report; the
# output is the same, and NAME.html is a page.
report() {
  local name="$1" tool="$2"
  shift 2
  expect 0 "${tool}" "$@"
  mv out without
  expect 0 "${tool}" "$@" --report="${name}.html"
  same out without
  has "${name}.html" "<!doctype html>" "default-src 'none'" 'id="data-meta"' \
    "\"${tool}\",\"" "--report=${name}.html"
  grep -qE '(src|href) *=' <(sed 's/<script.*//' "${name}.html" | head -50) &&
    fail "${name}.html: loads something"
}
# data NAME PAGE: the element of that name.
data() {
  sed -n "s/.*id=\"data-$1\">\(.*\)<\/script>/\1/p" "$2"
}

for tool in oclustr dclustr online_cluster; do
  expect 0 "${tool}" --help
  has out "--report=PATH"
  expect 1 "${tool}" --report=
  expect 1 "${tool}" --output=one --report=one
  expect 3 "${tool}" --report=missing/report.html
done

# Documents with titles, in every format.
input="${examples}/encyclopedia.jsonl"
for format in tsv json csv gexf; do
  report documents oclustr --input="${input}" --format="${format}"
done
has documents.html "<h1>encyclopedia.jsonl</h1>" '"threshold":["β","0.25"]' \
  '["edges","2,071"]' '"clusters":120' '"element-helium"'
[[ "$(data words documents.html)" == *'"planet"'* ]] || fail "no top terms"
[[ -n "$(data why documents.html)" ]] || fail "no reasons"
report again oclustr --input="${input}"
cmp -s <(sed 's/again.html/documents.html/' again.html) \
  <(sed 's/"--format=gexf",//' documents.html) || fail "two runs differ"
for threads in 1 3; do
  expect 0 oclustr --input="${input}" --threads="${threads}" --report=t.html
  cmp -s <(grep -v 'id="data-meta"' t.html) \
    <(grep -v 'id="data-meta"' documents.html) || fail "${threads} threads"
done

# With --sweep the table is the output, and the page is that of --beta, which
# need not be in the table.
for beta in 0.02 0.25 0.26 0.7; do
  expect 0 oclustr --input="${input}" --sweep=0.1:0.5:0.05 --beta="${beta}" \
    --report=sweep.html
  [[ "$(data sweep-thresholds sweep.html)" == \
    '["0.1","0.15","0.2","0.25","0.3","0.35","0.4","0.45","0.5"]' ]] ||
    fail "thresholds of the page: $(data sweep-thresholds sweep.html)"
  mv out table
  expect 0 oclustr --input="${input}" --beta="${beta}" --report=plain.html
  cmp -s <(grep -v 'data-sweep\|data-meta' sweep.html) \
    <(grep -v 'data-meta' plain.html) || fail "the page of ${beta} differs"
  has sweep.html "\"threshold\":[\"β\",\"${beta}\"]"
done
report sweep oclustr --input="${input}" --sweep=0.1:0.5:0.05
same out table

# A graph has no terms.
expect 0 similarity_graph --input="${input}" --output=graph.tsv
report graph oclustr --input=graph.tsv
has graph.html '"nouns":["vertex","vertices"]' '"threshold":["",""]'
[[ "$(data words graph.html)" == '[]' ]] || fail "words of a graph"
report graph oclustr --input=graph.tsv --beta=0.5
has graph.html '"threshold":["β","0.5"]'

# Neither have embeddings; their cosines are known.
expect 0 generate --kind=embeddings --n=300 --output=vectors.npy
report dense oclustr --input=vectors.npy --beta=0.7
has dense.html "<h1>vectors.npy</h1>" '"documents":300'
[[ "$(data words dense.html)" == '[]' ]] || fail "words of embeddings"
[[ "$(data cosine-counts dense.html | tr -d 'A=')" != "" ]] ||
  fail "no cosines of embeddings"

# Texts that look like markup.
cat >markup.jsonl <<'TEXTS'
{"id":"</script><b>1","text":"red <script>alert(1)</script> apples pears","title":"<!-- \u2028 \u202e"}
{"id":"2\"'","text":"red apples and pears","title":"</title>"}
TEXTS
report markup oclustr --input=markup.jsonl
[[ "$(grep -o '</script>' markup.html | wc -l)" == \
  "$(grep -o '<script' markup.html | wc -l)" ]] || fail "scripts do not match"
grep -q '<b>1' markup.html && fail "an id became markup"

# Stores have no titles, and a threshold of their own.
report example dclustr
has example.html "<h1>encyclopedia.jsonl</h1>"
expect 0 dclustr --store=store --beta=0.3 --add="${input}"
report store dclustr --store=store
has store.html "<h1>store</h1>" '"threshold":["β","0.3"]' '"element-helium"'
expect 1 dclustr --store=store --report=store/data.mdb
expect 1 dclustr --store=store --print=none --report=store.html
report memory dclustr --in_memory --add="${input}"

# Streams have times.
stream="${examples}/headlines.jsonl"
report stream online_cluster --input="${stream}"
report stream online_cluster --input="${stream}" --format=json
has stream.html "<h1>headlines.jsonl</h1>" '"threshold":["T","0.2"]'
[[ -n "$(data time stream.html)" ]] || fail "no times"

finish
