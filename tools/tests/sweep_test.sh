#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# oclustr --sweep: each line says what the run with this --beta gives.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"

# number NAME FILE: the number of that name in a JSON file.
number() {
  grep -o "\"$1\":[-0-9.e]*" "$2" | head -1 | cut -d: -f2
}
# column BETA N: column N of the line of a β in ./table.
column() {
  awk -F '\t' -v beta="$1" -v n="$2" '$1 == beta { print $n }' table
}

# compare BETAS ARGUMENTS...: sweeps, with several numbers of threads, and
# compares each line with a run of its own.
compare() {
  local betas="$1" beta previous=
  shift
  expect 0 oclustr "$@" --threads=1
  mv out table
  expect 0 oclustr "$@" --threads=3
  same out table
  same <(sed 1d table | cut -f 1) <(tr ' ' '\n' <<<"${betas}")
  local runs=()
  for argument in "$@"; do
    [[ "${argument}" == --sweep=* ]] || runs+=("${argument}")
  done
  for beta in ${betas}; do
    expect 0 oclustr "${runs[@]}" --beta="${beta}" --summary=summary.json \
      --output="run_${beta}"
    for field in edges:2 clusters:3; do
      [[ "$(column "${beta}" "${field#*:}")" == \
        "$(number "${field%:*}" summary.json)" ]] ||
        fail "$*: ${field} at ${beta}: $(cat table)"
    done
    # Clusters of one; documents in others; memberships per document.
    awk -F '\t' '
      { ++size[$2]; id[NR] = $1; cluster[NR] = $2; all[$1] = 1 }
      END {
        for (c in size) alone += size[c] == 1
        for (k = 1; k <= NR; ++k) if (size[cluster[k]] > 1) covered[id[k]] = 1
        for (d in all) ++n
        for (d in covered) ++c2
        printf "%d\t%.6f\t%.6f\n", alone, c2 / n, NR / n
      }' "run_${beta}" >expected
    same <(awk -F '\t' -v OFS='\t' -v beta="${beta}" \
      '$1 == beta { print $4, $5, $6 }' table) expected
    # The mean over the clusters of JSON that have two members or more.
    expect 0 oclustr "${runs[@]}" --beta="${beta}" --format=json
    sed -n 's/.*"satellites":\([0-9]*\).*"inner_cosine":\([-0-9.e]*\).*/\1 \2/p' \
      out | awk '$1 > 0 { sum += $2; ++n } END { if (n) printf "%.6f\n", sum / n
        else print "" }' >expected
    same <(column "${beta}" 7) expected
    if [[ -n "${previous}" ]]; then
      expect 0 evaluate --truth="run_${previous}" --clusters="run_${beta}"
      awk -v found="$(column "${previous}" 8)" -v f="$(number fbcubed out)" \
        'BEGIN { exit !(found - f < 1e-6 && f - found < 1e-6 && f > 0) }' ||
        fail "agreement of ${previous} with ${beta}: $(cat out table)"
    fi
    previous="${beta}"
  done
  [[ -z "$(column "${previous}" 8)" ]] || fail "the last line agrees"
}

compare "0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.55 0.6" --sweep=0.05:0.6
compare "0.1 0.2 0.3" --sweep=0.1:0.3:0.1 --weighting=tfidf
# Documents of four terms: their cosines are exactly the thresholds.
for i in {1..60}; do
  echo "0 $((1 + i % 2)):1 $((3 + i % 3)):1 $((6 + i % 5)):1 $((11 + i % 7)):1"
done >exact.svm
compare "0.25 0.5 0.75 1" --sweep=0.25:1:0.25 --input=exact.svm
[[ "$(column 0.5 2)" != "$(column 0.75 2)" ]] || fail "no cosines at 0.5"
expect 0 generate --kind=embeddings --n=300 --output=vectors.npy
compare "0.5 0.6 0.7 0.8 0.9" --sweep=0.5:0.9:0.1 --input=vectors.npy

# JSON has the same values.
expect 0 oclustr --sweep=0.2:0.3:0.05
sed 1d out | tr '\t' '\n' | sed '/^$/d' >values
expect 0 oclustr --sweep=0.2:0.3:0.05 --format=json
is_json out
has out '{"beta":0.25,"edges":2071,"clusters":120,' '"agreement":null}'
same <(grep -o ':[0-9.]\+' out | tr -d ':') values

# Nothing but documents without terms.
printf '%s\n' '{"text":""}' '{"text":""}' >empty.jsonl
expect 0 oclustr --input=empty.jsonl --sweep=0.5:0.5
has out "$(printf '0.5\t0\t2\t2\t0.000000\t1.000000\t\t')"

# What makes no sense.
for value in "" 0.5 0.5: 0:1 0.5:0.4 0.5:1.5 0.1:0.5:0 1/3:1 0.1:0.9:0.00001 x:y; do
  expect 1 oclustr --sweep="${value}"
  has err "oclustr: --sweep: expected "
done
for flag in --titles=titles.tsv --explain --explain=space-juno --beta=0.3 \
  --format=csv --format=gexf --format=graphml; do
  expect 1 oclustr --sweep=0.2:0.3 "${flag}"
  has err "--sweep"
done
printf '%s\n' "a b 0.5" "b c 0.4" "c d 0.3" >graph.tsv
expect 1 oclustr --sweep=0.2:0.3 --input=graph.tsv --input_format=edges
has err "--sweep is for documents, and the input is a graph"

# --beta=auto, the default: says what it chose and why, and gives what that
# setting gives.
for flags in "" --weighting=tf --weighting=tfidf --threads=1 --threads=3; do
  # shellcheck disable=SC2086
  expect 0 oclustr --input="${examples}/headlines.jsonl" ${flags} \
    --summary=summary.json
  cp out chosen
  is_json summary.json
  has summary.json '"beta_why":"has the highest expected FBCubed, 0.' \
    ' on 423 documents","compared_documents":423,"compared_settings":' \
    ',"expected_fbcubed":0.'
  setting="$(grep -o 'auto: --beta=[0-9.]* --weighting=[a-z]* has the highest' err)"
  setting="${setting#auto: }"
  setting="${setting% has the highest}"
  [[ -n "${setting}" ]] || fail "no setting: $(cat err)"
  [[ "${flags}" != --weighting=* || "${setting}" == *"${flags}" ]] ||
    fail "${flags}: ${setting}"
  # shellcheck disable=SC2086
  expect 0 oclustr --input="${examples}/headlines.jsonl" ${setting}
  same out chosen
  grep -q "auto" err && fail "chosen though given: $(cat err)"
done
"${tools}/evaluate" --truth="${examples}/headlines_truth.tsv" --clusters=chosen \
  --format=tsv --quiet >measures || fail "evaluate"
awk '$1 == "fbcubed" { found = 1; if ($2 < 0.9) exit 1 }
     END { exit !found }' measures || fail "headlines: $(cat measures)"
head -20 "${examples}/headlines.jsonl" >few.jsonl
expect 0 oclustr --input=few.jsonl --beta=auto --summary=summary.json
has err "--beta=auto: --beta=0.25 --weighting=tf by default: fewer than 64"
has summary.json '"beta":0.25,' '"compared_settings":0,'
expect 1 oclustr --sweep=0.1:0.5 --beta=auto
has err "--beta=auto chooses, and --sweep writes a table"
printf 'a b 0.5\nb c 0.2\na c 0.3\n' >three.tsv
expect 1 oclustr --input=three.tsv --input_format=edges --beta=auto
has err "--beta=auto is for documents, and the input is a graph"
"${tools}/generate" --kind=embeddings --n=100 --output=rows.npy --quiet
"${tools}/generate" --kind=embeddings --n=63 --output=few.npy --quiet
expect 0 oclustr --input=few.npy --summary=summary.json
has err "--beta=auto: --beta=0.25 by default: fewer than 64"
has summary.json '"beta":0.25,' '"compared_settings":0,'
expect 2 oclustr --input=missing.npy --beta=auto
expect 1 oclustr --beta=automatic
has err "--beta: expected auto, or a number such as 0.25"

# --hierarchy: the same from a run and from a sweep, a valid linkage matrix, and
# that of SciPy where it is there.
input="${examples}/encyclopedia.jsonl"
for format in tsv json gexf; do
  expect 0 oclustr --input="${input}" --beta=0.1 --hierarchy=run.npy \
    --format="${format}"
  expect 0 oclustr --input="${input}" --sweep=0.1:0.3 --hierarchy=swept.npy
  same run.npy swept.npy
done
expect 0 oclustr --input="${input}" --beta=0.1
cp out plain.tsv
expect 0 oclustr --input="${input}" --beta=0.1 --hierarchy=run.npy
same out plain.tsv
# A header of 128 bytes, then 413 rows of 4 doubles.
[[ "$(wc -c <run.npy)" == $((128 + 413 * 32)) ]] || fail "$(wc -c <run.npy)"
if /usr/bin/python3 -c 'import scipy' 2>/dev/null; then
  "${tools}/similarity_graph" --input="${input}" --beta=0.1 --digits=17 \
    --quiet >edges.tsv || fail similarity_graph
  sed 's/^{"id": *"\([^"]*\)".*/\1/' "${input}" >ids
  /usr/bin/python3 - <<'END' >scipy.err 2>&1 || fail "SciPy: $(cat scipy.err)"
import numpy as np
from scipy.cluster.hierarchy import cophenet, fcluster, is_valid_linkage, linkage
from scipy.spatial.distance import squareform

number = {name.strip(): i for i, name in enumerate(open("ids"))}
distances = np.ones((len(number), len(number)))
np.fill_diagonal(distances, 0)
for line in open("edges.tsv"):
    if line.startswith("#"):
        continue
    u, v, cosine = line.split()
    u, v = number[u], number[v]
    distances[u, v] = distances[v, u] = 1 - float(cosine)
ours = np.load("run.npy")
assert is_valid_linkage(ours, throw=True)
theirs = linkage(squareform(distances), method="single")
assert np.array_equal(ours[:, 2], theirs[:, 2])
assert np.array_equal(cophenet(ours), cophenet(theirs))
for cut in (0.5, 0.75, 0.95):
    labels = [fcluster(z, cut, "distance") for z in (ours, theirs)]
    pairs = set(zip(*labels))
    assert len(pairs) == len(set(labels[0])) == len(set(labels[1]))
END
fi
printf 'a\n' >one.txt
expect 0 oclustr --input=one.txt --input_format=lines --hierarchy=one.npy
[[ "$(wc -c <one.npy)" == 128 ]] || fail "one document: $(wc -c <one.npy)"
expect 0 oclustr --input=rows.npy --beta=0.7 --hierarchy=dense.npy
[[ "$(wc -c <dense.npy)" == $((128 + 99 * 32)) ]] || fail "dense"
expect 1 oclustr --input=three.tsv --input_format=edges --hierarchy=graph.npy
has err "--hierarchy is for documents, and the input is a graph"
# A path that cannot be written is refused before the input is read.
expect 3 oclustr --input=missing.jsonl --hierarchy=missing/run.npy

finish
