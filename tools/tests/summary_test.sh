#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# The --summary of every tool has the common fields in their order and with their
# types, then the fields that the page of the tool names.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
pages="${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/docs"

number='-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?'
size='(null|[0-9]+)'
scalar="(${number}|\"[^\"]*\"|true|false|null)"
# The trace of a search and the centers of density peaks are the only lists.
trace="\[(\[${number},${number}\],?)*\]"
centers='\[(\{"peak":[0-9]+,"rho":[0-9]+,"saddle":[0-9]+'
centers+=",\"sigma\":${number}\},?)*\]"
common='^\{"tool":"TOOL","version":"[0-9.]+","device":"cpu","threads":[0-9]+'
common+=",\"seed\":[0-9]+,\"n\":${size},\"edges\":${size},\"clusters\":${size}"
common+=",\"memberships\":${size},\"objective\":(null|${number}),\"seconds\":"
common+="\{\"read\":${number},\"compute\":${number},\"write\":${number}"
common+=",\"total\":${number}(,\"[a-z_]+\":${number})*\}"
common+=',"peak_rss_bytes":[0-9]+,"peak_device_bytes":[0-9]+'
common+=",\"options\":\{\"[a-z_]+\":${scalar}(,\"[a-z_]+\":${scalar})*\}"
# Why --device=auto chose its device.
common+="(,\"device_choice\":\{\"cpu_seconds\":${number}"
common+=",\"cuda_seconds\":${number},\"cuda_start_seconds\":${number}"
common+=',"why":"[^"]*"\})?'
extra="(,\"[a-z_]+\":${scalar}|,\"improvements\":${trace}"
extra+="|,\"centers\":${centers})*"

# check TOOL ARGUMENTS...
check() {
  local tool="$1" field
  rm -f summary.json
  expect 0 "$@" --summary=summary.json
  is_json summary.json
  grep -qE "${common/TOOL/${tool}}${extra}\}\$" summary.json ||
    fail "$*: the summary is not as said: $(cat summary.json)"
  sed -E "s/${common/TOOL/${tool}}//" summary.json |
    grep -oE ',"[a-z_]+":' | tr -d ',":' >fields
  while read -r field; do
    grep -qE "\b${field}\b" "${pages}/${tool}.md" ||
      fail "docs/${tool}.md does not say what ${field} in the summary is"
  done <fields
  # Every flag, as given.
  "${tools}/${tool}" --help |
    sed -nE '/^  --/ { s/^  --(\[no\])?([a-z_]+).*/\2/; p; }' |
    sort >flags
  sed -E 's/.*"options":(\{[^}]*\}).*/\1/' summary.json |
    grep -oE '[{,]"[a-z_]+":' | tr -d '{,":' | sort >options
  same options flags
}

printf '{"id":"a","text":"tin"}\n{"id":"b","text":"tin can"}\n' >two.jsonl
printf '{"id":"c","text":"tin"}\n' >one.jsonl
printf '0,0\n1,1\n5,5\n' >points.csv

check correlation_cluster
check correlation_cluster --method=ils --iterations=1
check dclustr
check dclustr --store=store --add=two.jsonl --weighting=tfidf
has summary.json '"n":2,"edges":0,"clusters":2,'
check dclustr --store=store --add=one.jsonl --print=none --reweight
check dclustr --store=store --compact --verify
check dclustr --store=counts --add=two.jsonl
mv fields fields.update
# Without a change: the same fields, of the present collection.
check dclustr --store=counts
same fields fields.update
has summary.json '"n":2,"edges":1,"clusters":1,"memberships":2,' '"commit":0' \
  '"added":0,"removed":0,"new_edges":0,"removed_edges":0,"components":1,' \
  '"loaded_vector_bytes":0,"relevance_device":"cpu","idf_drift":0}'
check dclustr --store=counts --print=none
same fields fields.update
has summary.json '"n":2,"edges":1,"clusters":null,"memberships":null,'
check dclustr --store=store --print=none
same fields fields.update
check density_peaks
check density_peaks --sweep=0.01:0.1:3
check density_peaks --input=points.csv --insert=points.csv --dc=2
check determinism_report --only=correlation
check evaluate --truth="${examples}/encyclopedia_truth.tsv" \
  --clusters="${examples}/encyclopedia_truth.tsv"
for kind in documents points signed stream; do
  check generate --kind="${kind}" --n=10
done
check oclustr
check online_cluster
check online_cluster --method=approximate --state=state
check similarity_graph
check vectorize

finish
