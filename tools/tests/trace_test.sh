#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# --trace of every tool: an event per line, in a total, one within another or
# apart on each thread.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"

event='\{"name":"[A-Za-z0-9_ ]+","ph":"X","pid":1,"tid":[0-9]+,"ts":[0-9]+'
event+=',"dur":[0-9]+\}'

# check TOOL ARGUMENTS...: leaves the names of the spans in `names`.
check() {
  rm -f trace.json
  expect 0 "$@" --device=cpu --trace=trace.json
  (echo '{"events":' && cat trace.json && echo '}') >object.json
  is_json object.json
  sed '1d;$d' trace.json | grep -vE "^${event},?\$" >other
  [[ -s other ]] && fail "$*: expected events, found: $(cat other)"
  sed -n 2p trace.json | grep -qF '"total","ph":"X","pid":1,"tid":0,"ts":0,' ||
    fail "$*: expected the total first"
  tr -d '"}' <trace.json | tr ':' ',' | awk -F, 'NF > 10 {
    thread = $8; begin = $10; end = begin + $12
    if ($2 == "total") { total = end; depth[0] = 0 }
    if (end > total || begin < last[thread]) print "outside the order: " $0
    while (depth[thread] > 0 && begin >= ends[thread, depth[thread]])
      --depth[thread]
    if (depth[thread] > 0 && end > ends[thread, depth[thread]])
      print "overlaps: " $0
    ends[thread, ++depth[thread]] = end
    last[thread] = begin
  }' >wrong
  [[ -s wrong ]] && fail "$*: $(cat wrong trace.json)"
  sed -nE 's/^\{"name":"([^"]*)".*/\1/p' trace.json | sort -u >names
}

# spans NAME...: the last trace has them.
spans() {
  local name
  for name in "$@"; do
    grep -qxF "${name}" names || fail "no span \"${name}\": $(cat trace.json)"
  done
}

check oclustr
spans total read compute graph relevance covering "useful clusters" write
cp out untraced
expect 0 oclustr --device=cpu
same out untraced
check density_peaks
spans total read compute cutoff build density dependent assignment write
check dclustr --store=store --add="${examples}/headlines.jsonl" \
  --input_format=jsonl
spans total read compute graph relevance "useful clusters" write
check online_cluster
spans total read "read block" "parse block" "merge block" compute write
check correlation_cluster
spans total read compute write
for tool in similarity_graph vectorize; do
  check "${tool}"
  spans total read write
done

# Several blocks of lines, on several threads.
expect 0 generate --kind=stream --n=20000 --output=stream.jsonl
check oclustr --input=stream.jsonl --threads=3 --output=clusters.tsv
spans "read block" "parse block" "merge block" "analyze texts" "merge terms" \
  "number terms"
grep -q '"tid":2,' trace.json || fail "expected spans of three threads"

if command -v python3 >/dev/null; then
  python3 "${tools}/benchmarks/trace_picture.py" trace.json trace.svg \
    "A & B" 2>err || fail "the picture: $(cat err)"
  has trace.svg "A &amp; B" ">main thread<" ">other threads<" "parse block, " \
    "useful clusters, " "</svg>"
fi

expect 3 oclustr --trace=missing/trace.json
has err "missing/trace.json"
expect 1 oclustr --input=stream.jsonl --trace=stream.jsonl

finish
