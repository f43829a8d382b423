#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Input at its limits: none, one and two of everything, documents without terms,
# equal items, numbers around 2^31 and 2^32, the largest and smallest weights, a
# document of a million terms, little memory. bad_input_test.sh has other bad
# input.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"

# prints TEXT: checks that the last run wrote exactly this.
prints() {
  [[ "$(cat out)" == "$1" ]] ||
    fail "expected the output \"$1\", found: $(head -c 2000 out)"
}

# each_document_tool CODE PATH ARGUMENTS...: runs every tool that reads documents;
# dclustr adds them to a new store.
each_document_tool() {
  local code="$1" path="$2" tool input
  shift 2
  rm -rf store
  for tool in oclustr similarity_graph vectorize online_cluster dclustr; do
    input=("--input=${path}")
    [[ "${tool}" == dclustr ]] && input=(--store=store "--add=${path}")
    "${tools}/${tool}" --quiet "${input[@]}" "$@" >"out.${tool}" \
      2>"err.${tool}" </dev/null
    local found=$?
    [[ "${found}" == "${code}" ]] ||
      fail "${tool} ${input[*]} $*: expected exit code ${code}, found ${found}: $(cat "err.${tool}")"
  done
}

# clusters_are TEXT: checks the output of the three tools that cluster.
clusters_are() {
  local tool
  for tool in oclustr online_cluster dclustr; do
    [[ "$(cat "out.${tool}")" == "$1" ]] ||
      fail "${tool}: expected \"$1\", found: $(head -c 2000 "out.${tool}")"
  done
}

# each_says TEXT: checks the messages of all of them.
each_says() {
  local tool
  for tool in oclustr similarity_graph vectorize online_cluster dclustr; do
    has "err.${tool}" "$1"
  done
}

# Nothing, blank lines, comments.
: >empty
printf '\n\n' >blank
printf '# one\n# two\n' >comments
for file in empty blank comments; do
  each_document_tool 0 "${file}" --input_format=svmlight
  clusters_are ''
  expect 0 oclustr --quiet --input="${file}" --input_format=edges
  prints ''
  expect 0 correlation_cluster --quiet --input="${file}" --input_format=edges
  prints ''
  expect 0 evaluate --quiet --truth="${file}" --clusters="${file}" --format=tsv
  has out $'items\t0' $'fbcubed\t1.000000' $'ari\t1.000000'
  expect 2 density_peaks --input="${file}" --input_format=csv --dc=1
  has err "${file}: expected a line of coordinates, found none"
  expect 2 density_peaks --input="${file}" --input_format=npy --dc=1
  has err "${file}: expected an NPY file"
  for tool in oclustr correlation_cluster; do
    expect 2 "${tool}" --input="${file}" --input_format=matrixmarket
    has err "${file}:1: expected '%%MatrixMarket"
  done
done
for file in empty blank; do
  each_document_tool 0 "${file}" --input_format=jsonl
  clusters_are ''
done
each_document_tool 2 comments --input_format=jsonl
each_says "comments:1: expected a JSON object"
for kind in documents stream points; do
  expect 0 generate --quiet --kind="${kind}" --n=0
  prints ''
done
expect 0 generate --quiet --kind=signed --n=0
has out "# n 0 m 0 m+ 0 m- 0"

# One and two documents, with and without terms, equal and different.
printf '0 7:2\n' >one.svm
each_document_tool 0 one.svm
clusters_are $'0\t0'
printf '0\n' >hollow.svm
each_document_tool 0 hollow.svm
clusters_are $'0\t0'
printf '0 7:2\n0 7:3\n' >alike.svm
each_document_tool 0 alike.svm
clusters_are $'0\t0\n1\t0'
printf '0\n0\n' >hollows.svm
each_document_tool 0 hollows.svm
clusters_are $'0\t0\n1\t1'
printf '0 7:2\n0\n' >mixed.svm
each_document_tool 0 mixed.svm
clusters_are $'0\t0\n1\t1'
each_document_tool 0 alike.svm --weighting=tf
# Weights of ln(2 / 2) = 0: no document has terms.
for tool in oclustr similarity_graph vectorize; do
  expect 0 "${tool}" --quiet --input=alike.svm --weighting=tfidf
  mv out "out.${tool}"
done
[[ "$(cat out.oclustr)" == $'0\t0\n1\t1' ]] || fail "$(cat out.oclustr)"
[[ "$(cat out.vectorize)" == $'0\n0' ]] || fail "$(cat out.vectorize)"

# Graphs of one vertex, a loop, an edge, a repeated edge.
printf '#vertex\ta\n' >vertex
printf 'a a 1\n' >loop
printf 'a b 1\n' >edge
printf 'a b 1\nb a 1\n' >twice
for tool in oclustr correlation_cluster; do
  expect 0 "${tool}" --quiet --input=vertex --input_format=edges
  prints $'a\t0'
  expect 2 "${tool}" --quiet --input=loop --input_format=edges
  has err "loop:1: expected two different vertices, found 'a a'"
  for file in edge twice; do
    expect 0 "${tool}" --quiet --input="${file}" --input_format=edges
    prints $'a\t0\nb\t0'
  done
done
expect 0 correlation_cluster --quiet --input=loop --input_format=edges \
  --skip_loops
prints $'a\t0'

# Points.
printf '5\n' >one.csv
printf '5\n5\n' >same.csv
printf '1\n2\n' >two.csv
expect 0 density_peaks --quiet --input=one.csv --dc=1
prints $'0\t0'
expect 2 density_peaks --quiet --input=one.csv
has err "give one by --dc"
expect 0 density_peaks --quiet --input=same.csv --dc=1
prints $'0\t0\n1\t0'
for dc in 0 0.5 1 1e150; do
  expect 0 density_peaks --quiet --input=two.csv --dc="${dc}" --peaks=2
  prints $'0\t0\n1\t1'
done
expect 1 density_peaks --input=two.csv --dc=1e400
printf '1e150\n-1e150\n' >far.csv
expect 0 density_peaks --quiet --input=far.csv --dc=1 --peaks=2
prints $'0\t0\n1\t1'
printf '1e308\n0\n' >farther.csv
expect 2 density_peaks --input=farther.csv --dc=1
has err "farther.csv:1: expected a number of magnitude at most 1e150"

# Names that look like numbers beyond a type are names.
printf '2147483646 2147483647 1\n4294967296 -1 1\n0 4294967297 1\n00 0 1\n' >ids
for tool in oclustr correlation_cluster; do
  expect 0 "${tool}" --quiet --input=ids --input_format=edges
  prints $'2147483646\t0\n2147483647\t0\n4294967296\t1\n-1\t1\n0\t2\n4294967297\t2\n00\t2'
done
printf '2147483648\t4294967296\n-1\t-1\n0\t0\n' >ids.tsv
expect 0 evaluate --quiet --truth=ids.tsv --clusters=ids.tsv --format=tsv
has out $'items\t3' $'clusters\t3' $'omega\t1.000000'

# Numbers of terms.
printf '0 2147483646:1 2147483647:2\n0 2147483646:1 2147483647:2\n' >last.svm
for tool in oclustr online_cluster; do
  expect 0 "${tool}" --quiet --input=last.svm
  prints $'0\t0\n1\t0'
done
expect 0 vectorize --quiet --input=last.svm
same out last.svm
expect 2 dclustr --store=last --add=last.svm
has err "last.svm: expected indices up to 67108864, found 2147483647"
for term in 2147483648 4294967296 4294967297 99999999999999999999999; do
  printf '0 1:1\n0 %s:1\n' "${term}" >beyond.svm
  each_document_tool 2 beyond.svm
  each_says "beyond.svm:2: expected an index of at most 2147483647, found '${term}'"
done
for term in 0 -1 -2147483649; do
  printf '0 %s:1\n' "${term}" >below.svm
  each_document_tool 2 below.svm
  each_says "below.svm:1: expected an index of 1 or more, found '${term}'"
done

# Weights.
printf '0 1:3.4028234e38 2:3.4e38\n0 1:3.4e38 2:3.4028234e38\n0 3:1e-45\n0 3:1e-45\n' \
  >weights.svm
each_document_tool 0 weights.svm
clusters_are $'0\t0\n1\t0\n2\t1\n3\t1'
printf '0 1:3.5e38\n' >infinite.svm
each_document_tool 2 infinite.svm
each_says "infinite.svm:1: expected a finite weight for index 1"
printf 'a b 3.4028234e38\nc d 1e-45\ne f 1e-99\n' >weights.edges
expect 0 oclustr --quiet --input=weights.edges
prints $'a\t0\nb\t0\nc\t1\nd\t1\ne\t2\nf\t2'
printf 'a b 3.5e38\n' >infinite.edges
expect 2 oclustr --input=infinite.edges
has err "infinite.edges:1: expected a finite weight"
printf 'a b 1152921504606846976\n' >signed
expect 0 correlation_cluster --quiet --input=signed
prints $'a\t0\nb\t0'
printf 'a b 1152921504606846976\nb c 1\n' >sum
expect 2 correlation_cluster --input=sum
has err "sum: expected weights" "1152921504606846976"
for weight in 1152921504606846977 9223372036854775808 -9223372036854775808 1e300; do
  printf 'a b %s\n' "${weight}" >heavy
  expect 2 correlation_cluster --input=heavy
  has err "heavy:1: expected a weight" "at most 1152921504606846976"
done

# matrix NAME LINE...: writes MatrixMarket files NAME.general and NAME.symmetric.
matrix() {
  local name="$1" kind
  shift
  for kind in general symmetric; do
    {
      echo "%%MatrixMarket matrix coordinate real ${kind}"
      printf '%s\n' "$@"
    } >"${name}.${kind}"
  done
}
# refused WHAT: checks that all tools that read a matrix refuse the last one.
refused() {
  local tool
  for tool in oclustr similarity_graph vectorize; do
    expect 2 "${tool}" --input=m.general
    has err "m.general:$1"
  done
  expect 2 correlation_cluster --input=m.symmetric
  has err "m.symmetric:$1"
}
matrix m '0 0 0'
expect 0 oclustr --quiet --input=m.general
prints ''
expect 0 correlation_cluster --quiet --input=m.symmetric
prints ''
matrix m '2 2 0'
expect 0 oclustr --quiet --input=m.general
prints $'0\t0\n1\t1'
expect 0 correlation_cluster --quiet --input=m.symmetric
prints $'1\t0\n2\t1'
matrix m '2 2147483647 2' '1 2147483647 1' '2 2147483647 1'
expect 0 oclustr --quiet --input=m.general
prints $'0\t0\n1\t0'
matrix m '2147483647 2147483647 1' '2147483647 1 1'
refused "2: expected at most 1049600 rows with so few entries, found '2147483647'"
matrix m '2147483648 2 1' '1 1 1'
refused "2: expected a count of at most 2147483647, found '2147483648'"
matrix m '2 2147483648 1' '1 1 1'
refused "2: expected a count of at most 2147483647, found '2147483648'"
matrix m '2 2 4294967297' '2 1 1'
refused "3: expected 4294967297 entries, found 1"
matrix m '2 2 999999999999999999' '2 1 1'
refused "3: expected 999999999999999999 entries, found 1"
matrix m '2 2 99999999999999999999' '2 1 1'
refused "2: expected a count"
matrix m '-1 2 1' '1 1 1'
refused "2: expected a count of 0 or more, found '-1'"
for index in 0 -1 3 4294967297; do
  matrix m '2 2 1' "${index} 1 1"
  refused "3: expected a row from 1 to 2, found '${index}'"
  matrix m '2 2 1' "1 ${index} 1"
  refused "3: expected a column from 1 to 2, found '${index}'"
done

# npy SHAPE: prints an NPY file of that shape without data.
npy() {
  printf '\x93NUMPY\x01\x00v\x00'
  printf '%-117s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': ($1), }"
}
for shape in '0, 2' '2, 0' '2147483648, 1' '4294967296, 4294967296'; do
  npy "${shape}" >shape.npy
  expect 2 density_peaks --input=shape.npy --dc=1
  has err "expected from 1 to 2147483647 points and coordinates, found (${shape})"
done
for shape in '1, 1' '2147483647, 2147483647'; do
  npy "${shape}" >shape.npy
  expect 2 density_peaks --input=shape.npy --dc=1
  has err "found the end of the file in point 0"
done

# Numbers of points.
for number in -1 2 2147483647 2147483648 4294967296; do
  echo "${number}" >gone
  expect 2 density_peaks --input=two.csv --dc=1 --delete=gone
  has err "gone:1: expected the number of a point, from 0 to 1, found '${number}'"
done

# Numbers on the command line.
for number in -1 2147483648 4294967297 99999999999999999999; do
  expect 1 density_peaks --input=two.csv --peaks="${number}"
  has err "--peaks: expected an integer from 0 to 2147483647, found \"${number}\""
  expect 1 vectorize --input=two.csv --max_terms="${number}"
  has err "--max_terms: expected an integer from 0 to 2147483647"
  expect 1 generate --clusters="${number}"
  has err "--clusters: expected an integer"
  expect 1 oclustr --threads="${number}"
  has err "--threads: expected an integer from 0 to 4096"
done
expect 1 generate --kind=signed --n=2147483648
has err "--n: a graph has at most 2147483647 vertices"
for tool in oclustr correlation_cluster; do
  expect 1 "${tool}" --seed=9223372036854775808
  has err "--seed: expected an integer from 0 to 9223372036854775807"
done

# Two equal documents of a million terms, or a fifth of that, and one with a
# single one of these terms.
terms="$(normally 200000 1000000)"
seq "${terms}" | sed 's/$/:1/' | tr '\n' ' ' | sed 's/^/0 /;s/ $/\n/' >long.line
cat long.line long.line >long.svm
echo "0 $((terms / 2)):1" >>long.svm
each_document_tool 0 long.svm
clusters_are $'0\t0\n1\t0\n2\t1'
same out.vectorize long.svm
has out.similarity_graph $'0\t1\t1'
# The same as a text of different words.
seq "$(normally 100000 1000000)" | tr '0-9' 'a-j' | tr '\n' ' ' >long.txt
echo >>long.txt
cat long.txt long.txt >long.txt.twice
each_document_tool 0 long.txt.twice --input_format=lines --nostem
clusters_are $'0\t0\n1\t0'

# Little memory: every tool prints one message, ends with exit code 3 and leaves
# no output. One thread, since the stacks of many need more address space than
# there is. Not under sanitizers, whose shadow memory alone needs more.
little() {
  local kilobytes="$1" tool="$2"
  shift 2
  (
    ulimit -v "${kilobytes}"
    export OMP_NUM_THREADS=1
    exec "${tools}/${tool}" "$@" --quiet --output=little.out \
      --summary=little.json >out 2>err </dev/null
  )
  local found=$?
  [[ "${found}" == 3 ]] ||
    fail "${tool} in ${kilobytes} KB: expected exit code 3, found ${found}: $(cat err)"
  has err "${tool}: " "not enough memory"
  [[ "$(grep -vc '^libgomp: Thread\|^$' err)" == 1 ]] ||
    fail "${tool} in ${kilobytes} KB: $(cat err)"
  compgen -G "little*" >/dev/null && fail "${tool} in ${kilobytes} KB left $(ls)"
}
if (
  ulimit -v 100000
  "${tools}/oclustr" --version
) >/dev/null 2>&1; then
  # All pairs are edges: 2 * 10^10.
  yes '0 1:1 2:1' | head -200000 >dense.svm
  kilobytes="$(normally 150000 400000)"
  little "${kilobytes}" oclustr --input=dense.svm --threads=1
  little "${kilobytes}" similarity_graph --input=dense.svm --threads=1
  # A store stays as it was.
  expect 0 dclustr --store=dense --add=alike.svm
  mv out dense.expected
  little "${kilobytes}" dclustr --store=dense --add=dense.svm --threads=1
  expect 0 dclustr --store=dense --verify
  same out dense.expected
  # Enough memory to start, but not for the whole input.
  seq 1000000 | sed 's/.*/v& v&x/' >many.edges
  seq 1000000 | sed 's/.*/v&\t&/' >many.tsv
  for kilobytes in $(normally 30000 "30000 60000 80000 100000"); do
    little "${kilobytes}" generate --kind=documents --n=1000000 --threads=1 \
      --vocabulary_size=200000 --terms_per_document=50000
  done
  for kilobytes in $(normally 100000 "60000 80000 100000 120000"); do
    little "${kilobytes}" oclustr --input=many.edges --input_format=edges
    little "${kilobytes}" correlation_cluster --input=many.edges
    little "${kilobytes}" evaluate --truth=many.tsv --clusters=many.tsv
    little "${kilobytes}" vectorize --input=many.edges --input_format=lines
    little "${kilobytes}" online_cluster --input=many.edges \
      --input_format=lines --threads=1
    little "${kilobytes}" determinism_report --only=correlation \
      --signed=many.edges
  done
  tr -d v <many.tsv >many.points
  for kilobytes in $(normally 60000 "40000 60000"); do
    little "${kilobytes}" density_peaks --input=many.points --dc=1
  done
  # Too little for the stacks of the threads.
  little 60000 similarity_graph --input=dense.svm --threads=64
fi

finish
