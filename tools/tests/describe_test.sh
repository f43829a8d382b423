#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Titles, terms and reasons of clusters, and files for other programs.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
PATH="${tools}:${PATH}"

# Markup, quotes, a line separator, marks of direction and control characters, as
# ids, titles and words.
printf '%s\n' \
  '{"id":"<script>","title":"</script><b>\u2028\"A\"","text":"rivers and dams, rivers"}' \
  '{"id":"a,\"b\"","text":"<img onerror=1> river\u202E dams & '"'"'dam'"'"'\u0001"}' \
  '{"id":"c&d","title":"\u200Fright\tto\nleft","text":"rivers dams floods"}' \
  '{"id":"alone","text":"sun"}' '{"id":"empty","text":""}' >odd.jsonl

# Fields of JSON, after those that were there before.
expect 0 oclustr --input=odd.jsonl --format=json --titles=titles.tsv
mv out odd.json
is_json odd.json
has odd.json '"title":"</script><b> \"A\""' '"terms":["rivers","dams"' \
  '"members":["<script>","a,\"b\"","c&d"],"center":' '"linked":[],"title":' \
  '"title":"empty","terms":[],"inner_cosine":1,"exemplars":[],"neighbors":[]' \
  '"exemplars":[{"id":'
# One line per cluster, whatever the titles hold.
[[ "$(wc -l <titles.tsv)" == 4 ]] || fail "titles.tsv: $(cat titles.tsv)"
has titles.tsv "$(printf 'cluster\tsize\ttitle\tterms')" \
  "$(printf '0\t3\t</script><b> "A"\trivers dams')" "$(printf '1\t1\tsun\tsun')"
# Titles change nothing else.
expect 0 oclustr --input=odd.jsonl
mv out plain.tsv
expect 0 oclustr --input=odd.jsonl --titles=again.tsv
same out plain.tsv
same again.tsv titles.tsv
for threads in 1 3; do
  expect 0 oclustr --threads="${threads}" --format=json --titles="t${threads}"
  mv out "j${threads}"
done
same j1 j3
same t1 t3

# adds_up FILE ID CENTER: the shares in the explanations of a file add up to the
# cosine that similarity_graph prints, to the last digit.
adds_up() {
  awk -F '\t' -v id="$2" -v center="$3" '
    # Decimals as whole numbers of units of 10^-12; awk is exact up to 2^53.
    function units(text, parts) {
      split(text, parts, ".")
      return parts[1] * 1e12 + substr(parts[2] "000000000000", 1, 12)
    }
    FNR == NR {
      if (($1 == id && $2 == center) || ($1 == center && $2 == id)) printed = $3
      next
    }
    $1 == id && $3 == center { sum += units($6); cosine = $4 }
    END { exit !(printed != "" && printed == cosine && sum == units(printed)) }
  ' edges "$1" || fail "the shares of $2 and $3 do not add up"
}
similarity_graph --quiet --beta=0.01 >edges
expect 0 oclustr --explain
mv out all
compared=0
for id in space-juno element-nitrogen element-radon invention-battery \
  medicine-cisplatin; do
  expect 0 oclustr --explain="${id}"
  grep "^${id}$(printf '\t')" all | cmp -s - out || fail "--explain=${id}: $(cat out)"
  while IFS= read -r center; do
    [[ "${center}" == "${id}" ]] && continue
    adds_up all "${id}" "${center}"
    # The same for the pair.
    expect 0 similarity_graph --explain="${id},${center}"
    same <(cut -f 3- out) <(awk -F '\t' -v id="${id}" -v center="${center}" \
      '$1 == id && $3 == center' all | cut -f 4-)
    compared=$((compared + 1))
  done < <(grep "^${id}$(printf '\t')" all | cut -f 3 | sort -u)
done
[[ "${compared}" -ge 5 ]] || fail "compared ${compared} memberships"
# Every membership is explained.
same <(cut -f 1,2 all | uniq) <(oclustr --quiet)
# Weights of other kinds, more digits, JSON.
expect 0 similarity_graph --explain=space-juno,moon-callisto --weighting=tfidf \
  --digits=17 --format=json
is_json out
has out '{"u":"space-juno","v":"moon-callisto","cosine":0.' '"term":"jupiter","adds":'
expect 0 oclustr --explain=space-juno --format=json
is_json out
has out '{"id":"space-juno","cluster":25,"center":"moon-callisto","cosine":0.250217297,"terms":[{"term":"jupiter"'
expect 0 oclustr --input=odd.jsonl --explain=empty
has out "$(printf 'empty\t2\tempty\t0\t\t0')"
expect 0 similarity_graph --input=odd.jsonl --format=json '--explain=a,"b",<script>'
has out '"u":"a,\"b\"","v":"<script>"' '"term":"rivers"'
expect 1 oclustr --explain=nobody
has err '--explain: expected the id of a document' nobody
expect 1 similarity_graph --explain=space-juno
has err '--explain: expected the ids of two documents, A,B'
expect 1 oclustr --explain --format=csv
expect 1 similarity_graph --format=json
expect 1 oclustr --input=edges --explain
has err '--explain is for documents'

# Vectors have terms if there is a vocabulary.
vectorize --quiet --output=v.svm --vocabulary=v.txt
expect 0 oclustr --input=v.svm --titles=numbers.tsv
[[ "$(cut -f 4 numbers.tsv | sort -u | tr -d '\n')" == terms ]] || fail "terms without words"
expect 0 oclustr --input=v.svm --titles=words.tsv --vocabulary=v.txt
has words.tsv 'symbol'
expect 0 oclustr --input=v.svm --explain=0
expect 1 oclustr --vocabulary=v.txt
has err '--vocabulary is for vectors'
head -5 v.txt >few.txt
expect 2 oclustr --input=v.svm --titles=words.tsv --vocabulary=few.txt
has err 'few.txt: expected at least'

# Embeddings have no terms.
printf '{"id":"%s","embedding":[%s],"text":"the %s\\n words"}\n' \
  a '1,0.1' 1st b '1,0' 2nd c '-1,0.5' 3rd >rows.jsonl
rows=(--input=rows.jsonl --input_format=jsonl_vectors)
expect 0 oclustr "${rows[@]}" --beta=0.8 --format=json --titles=rows.tsv
is_json out
has out '"title":"' '"terms":[],"inner_cosine":0.99' '"exemplars":[{"id":"'
[[ "$(wc -l <rows.tsv)" == 3 ]] || fail "rows.tsv: $(cat rows.tsv)"
has rows.tsv "$(printf '1\t1\tthe 3rd words\t')"
expect 0 oclustr "${rows[@]}" --beta=0.8 --format=gexf
has out 'weight="0.99'
expect 0 similarity_graph "${rows[@]}" --beta=0.8 --format=csv
has out 'source,target,weight' 'a,b,0.99'
expect 1 oclustr "${rows[@]}" --explain=a
has err '--explain is for documents with terms, and the input is embeddings'

# A store has no texts: ids and stems.
expect 0 dclustr --store=store --add="${examples}/encyclopedia.jsonl" \
  --titles=stored.tsv --format=json
is_json out
has out '"title":"element-rubidium","terms":["atom"' '"neighbors":[{"cluster":'
expect 0 dclustr --store=store --explain=space-juno
same <(cut -f 1-4,6 out) <(oclustr --explain=space-juno --quiet | cut -f 1-4,6)
expect 0 dclustr --in_memory --add="${examples}/encyclopedia.jsonl" \
  --titles=memory.tsv --batch=100
same memory.tsv t1
expect 1 dclustr --store=store --titles=store/data.mdb

# Streams: times, sizes over time, the whole run as one.
expect 0 online_cluster --format=json --titles=stream.tsv
is_json out
has out '"top_terms":["harlow"' '"title":"' '"first_time":' '"last_time":' \
  '"interval":' '"times":[[' '"terms":["harlow"'
mv out stream.json
for options in --batch=1 --batch=64 --threads=1 --method=serial1; do
  expect 0 online_cluster --format=json --titles=other.tsv "${options}"
  same out stream.json
  same other.tsv stream.tsv
done
expect 0 online_cluster --titles=live.tsv
same live.tsv stream.tsv
expect 0 online_cluster --input=odd.jsonl --titles=live.tsv
has live.tsv '</script><b> "A"' 'rivers'

# Other programs read the files back.
for tool in oclustr similarity_graph; do
  for format in graphml gexf csv; do
    expect 0 "${tool}" --format="${format}"
    mv out "${tool}.${format}"
    expect 0 "${tool}" --format="${format}" --input=odd.jsonl
    mv out "odd_${tool}.${format}"
    ! grep -q '<script' "odd_${tool}.${format}" || [[ "${format}" == csv ]] ||
      fail "markup in odd_${tool}.${format}"
  done
done
expect 0 correlation_cluster --format=gexf
mv out signed.gexf
correlation_cluster --quiet >signed_clusters
expect 0 oclustr --input=edges --format=gexf
mv out edges.gexf
oclustr --quiet >clusters
similarity_graph --quiet >graph
if ! python3 -c 'import networkx' 2>/dev/null; then
  [[ -z "${WARPCLUST_REQUIRE_NETWORKX:-}" ]] ||
    fail "python3-networkx is not installed"
  echo "python3-networkx is not installed: files are not read back" >&2
  finish
fi
python3 - <<'PYTHON' || fail "files that NetworkX or csv read otherwise"
import csv
import networkx


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


clusters = {}
for name, cluster in rows("clusters"):
    clusters.setdefault(name, []).append(cluster)
edges = {frozenset(row[:2]): float(row[2]) for row in rows("graph")
         if row[0] != "#vertex"}


def read(path):
    graph = (networkx.read_gexf(path) if path.endswith("gexf")
             else networkx.read_graphml(path))
    names = {node: data["label"] for node, data in graph.nodes(data=True)}
    found = {frozenset((names[u], names[v])): data["weight"]
             for u, v, data in graph.edges(data=True)}
    return graph, names, found


for kind in ("graphml", "gexf"):
    for tool in ("oclustr", "similarity_graph"):
        graph, names, found = read(f"{tool}.{kind}")
        assert not graph.is_directed()
        assert set(names.values()) == set(clusters)
        assert found == edges, (tool, kind)
        if tool == "oclustr":
            for node, data in graph.nodes(data=True):
                own = clusters[names[node]]
                assert data["clusters"].split() == own, data
                assert data["cluster"] == int(own[0])
                assert data["title"]
        _, names, _ = read(f"odd_{tool}.{kind}")
        assert sorted(names.values()) == sorted(
            ["<script>", 'a,"b"', "c&d", "alone", "empty"]), names
graph, names, _ = read("edges.gexf")
assert len(names) == len(clusters) and "cluster" in graph.nodes["n0"]

graph, names, found = read("signed.gexf")
assert {weight > 0 for weight in found.values()} == {True, False}
assert sorted([names[node], str(data["cluster"])]
              for node, data in graph.nodes(data=True)) == sorted(
                  rows("signed_clusters"))

with open("oclustr.csv", newline="", encoding="utf-8") as table:
    members = list(csv.DictReader(table))
assert [(row["id"], row["cluster"]) for row in members] == [
    tuple(row) for row in rows("clusters")]
with open("similarity_graph.csv", newline="", encoding="utf-8") as table:
    found = {frozenset((row["source"], row["target"])): float(row["weight"])
             for row in csv.DictReader(table)}
assert found == edges
with open("odd_oclustr.csv", newline="", encoding="utf-8") as table:
    assert [row["id"] for row in csv.DictReader(table)] == [
        "<script>", 'a,"b"', "c&d", "alone", "empty"]
PYTHON
finish
