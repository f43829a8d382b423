#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Tools composed by pipes and files; results must not depend on how they run.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
set -o pipefail
PATH="${tools}:${PATH}"

oclustr --quiet >expected 2>err || fail "oclustr: $(cat err)"
[[ "$(wc -l <expected)" -ge 414 ]] || fail "too few memberships"

# The same clusters through vectors with names ...
vectorize --write_ids=ids --quiet | oclustr --input=- --ids=ids --quiet >out ||
  fail "vectorize | oclustr"
same out expected
# ... through a graph ...
similarity_graph --quiet | oclustr --input=- --input_format=edges --quiet >out ||
  fail "similarity_graph | oclustr --input_format=edges"
same out expected
similarity_graph --quiet | oclustr --input=- --quiet >out
same out expected
# ... through files of both, gzip'ed ...
vectorize --quiet --output=vectors.svm
gzip -k vectors.svm
oclustr --input=vectors.svm.gz --ids=ids --quiet >out
same out expected
similarity_graph --quiet --output=graph.txt.gz
oclustr --input=graph.txt.gz --quiet >out
same out expected
gzip -t graph.txt.gz || fail "an output named .gz is not gzip'ed"
# ... from standard input that is a file, a pipe or gzip'ed.
oclustr --input=- --quiet <"${examples}/encyclopedia.jsonl" >out
same out expected
gzip -c "${examples}/encyclopedia.jsonl" | oclustr --input=- --quiet >out
same out expected

# Any number of threads; twice the same.
for threads in 1 2 3; do
  oclustr --threads=${threads} --quiet >out
  same out expected
  oclustr --threads=${threads} --format=json --quiet >json.${threads}
  similarity_graph --threads=${threads} --quiet >edges.${threads}
  generate --n=3000 --threads=${threads} --quiet \
    --truth=truth.${threads} >documents.${threads}
  oclustr --input=documents.${threads} --threads=${threads} \
    --quiet >clusters.${threads}
  evaluate --truth=truth.${threads} --clusters=clusters.${threads} \
    --threads=${threads} --quiet >measures.${threads}
  for kind in json edges documents truth clusters measures; do
    same ${kind}.${threads} ${kind}.1
  done
done
is_json json.1
has json.1 '"members":[' '"center":"' '"satellites":' '"linked":['
is_json measures.1

# The planted topics are found.
fbcubed="$(sed -n 's/.*"fbcubed":\([0-9.]*\),*/\1/p' measures.1)"
awk -v f="${fbcubed}" 'BEGIN { exit !(f > 0.9) }' ||
  fail "FBCubed of the planted topics is ${fbcubed}"

# Clusters against themselves and against the bundled truth.
oclustr --quiet | evaluate >out 2>err || fail "oclustr | evaluate: $(cat err)"
is_json out
has err "using the bundled example" "414 items"
has out '"items":414' '"bcubed_precision":' '"fbcubed":' '"nmi_lfk":' \
  '"nmi_mgh_max":' '"omega":' '"purity":'
evaluate --truth=expected --clusters=expected --quiet >out
has out '"fbcubed":1' '"nmi_lfk":1' '"omega":1'
evaluate --truth=expected --clusters=expected --format=tsv --quiet >out
has out "fbcubed	1.000000" "items	414"
# Classes from the labels of the documents.
evaluate --truth="${examples}/encyclopedia.jsonl" --clusters=expected --quiet >a
evaluate --truth="${examples}/encyclopedia_truth.tsv" --clusters=expected \
  --quiet >b
same a b
# Items that only one input has.
printf 'a\tx\nb\tx\nc\ty\n' >truth.tsv
printf 'a\t0\nb\t0\nq\t1\n' >clusters.tsv
evaluate --truth=truth.tsv --clusters=clusters.tsv >out 2>err
has err "items of the truth in no cluster: 1 " \
  "items in no class of the truth: 1 " "--items=truth"
has out '"items":4'
evaluate --truth=truth.tsv --clusters=clusters.tsv --items=truth --quiet >out
has out '"items":3' '"fbcubed":1'

# beta is an exact decimal: cosines of 6/10 and 84/100, which are not binary
# fractions.
printf '1 1:3 2:1\n2 1:1 2:3\n' >six.svm # cosine 6 / 10
similarity_graph --input=six.svm --beta=0.6 --quiet >out
grep -qx $'0\t1\t0.6' out || fail "0.6 is written as: $(cat out)"
similarity_graph --input=six.svm --beta=0.600000001 --quiet >out
grep -qv '^#' out && fail "an edge of cosine 0.6 passed 0.600000001"
similarity_graph --input=six.svm --beta=6e-1 --quiet >out
grep -qx $'0\t1\t0.6' out || fail "0.6 is written as: $(cat out)"
printf '1 1:7 2:1 3:5 4:5\n2 1:7 2:5 3:1 4:5\n' >seven.svm # 84 / 100
similarity_graph --input=seven.svm --beta=0.84 --quiet >out
grep -qx $'0\t1\t0.84' out || fail "0.84 is written as: $(cat out)"
similarity_graph --input=seven.svm --beta=0.840000001 --quiet >out
grep -qv '^#' out && fail "an edge of cosine 0.84 passed 0.840000001"
printf '1 1:1 2:7\n2 1:7 2:1\n3 1:1 2:1\n' >eight.svm # 14 / 50, 8 / 10
similarity_graph --input=eight.svm --beta=0.28 --quiet | grep -v '^#' >out
printf '0\t1\t0.28\n0\t2\t0.8\n1\t2\t0.8\n' >edges.expected
same out edges.expected
# 70 / 100: a reader's own comparison keeps it.
printf '1 1:5 2:5 3:7 4:1\n2 1:9 2:3 3:1 4:3\n' >seventy.svm
similarity_graph --input=seventy.svm --beta=0.7 --quiet |
  awk -F'\t' '!/^#/ && $3 >= 0.7' >out
printf '0\t1\t0.7\n' >edges.expected
same out edges.expected
similarity_graph --input=seventy.svm --digits=17 --quiet | grep -v '^#' >out
printf '0\t1\t0.69999999999999996\n' >edges.expected
same out edges.expected
expect 1 similarity_graph --digits=8
has err "--digits: expected an integer from 9 to 17"
expect 1 similarity_graph --digits=18

# A graph, written and read, is the graph that oclustr makes.
for weighting in tf tfidf; do
  for beta in 0.1 0.3 0.333333333 0.5 0.7 1/3; do
    flags="--weighting=${weighting} --beta=${beta} --quiet"
    # A graph has no titles and no terms.
    # shellcheck disable=SC2086
    oclustr ${flags} --format=json |
      sed 's/,"title":.*,"neighbors":\[[^]]*\]//' >json.expected
    for digits in 9 13 17; do
      # shellcheck disable=SC2086
      similarity_graph ${flags} --digits=${digits} |
        oclustr --input=- --format=json --quiet >out
      same out json.expected
    done
  done
done

# A graph of a lower beta, cut at a higher one, is the graph of that one. Small
# counts have cosines at the threshold; that of the last two documents is just
# below 0.7, which is the same float.
awk 'BEGIN {
  srand(3)
  for (i = 0; i < 80; ++i) {
    line = i
    for (t = 1; t <= 5; ++t) {
      count = int(rand() * 5)
      if (count > 0) line = line " " t ":" count
    }
    print line
  }
  print "1 9:1\n2 9:7000000 10:7141429"
}' >counts.svm
for digits in 9 17; do
  similarity_graph --input=counts.svm --beta=0.3 --digits="${digits}" --quiet \
    >counts.edges
  for beta in $(seq 30 70); do
    oclustr --input=counts.svm --beta="0.${beta}" --quiet >expected.tsv
    oclustr --input=counts.edges --beta="0.${beta}" --quiet >out
    same out expected.tsv
  done
done

# Vocabulary: term i of the vectors is line i.
printf 'wolves hunt\nwolf packs hunted\n' >two.txt
vectorize --input=two.txt --vocabulary=terms --quiet >out
printf 'hunt\npack\nwolf\nwolv\n' >terms.expected
same terms terms.expected
printf '0 1:1 4:1\n0 1:1 2:1 3:1\n' >vectors.expected
same out vectors.expected
vectorize --input=two.txt --nostem --vocabulary=terms --quiet >out
has terms "wolves" "hunted"
vectorize --input=two.txt --max_terms=1 --quiet >out
[[ "$(grep -c ' .* ' out)" == 0 ]] || fail "--max_terms=1 kept more: $(cat out)"

# Every kind of generated data, the same again for the same seed.
for kind in documents stream points signed; do
  generate --kind=${kind} --n=200 --quiet >a
  generate --kind=${kind} --n=200 --seed=1 --quiet >b
  generate --kind=${kind} --n=200 --seed=2 --quiet >c
  same a b
  cmp -s a c && fail "--kind=${kind} ignores the seed"
done
generate --kind=stream --n=300 --quiet --truth=truth.tsv | oclustr --input=- \
  --quiet | evaluate --truth=truth.tsv --quiet >out || fail "stream"
has out '"items":300'
# The truth is that of this pipe, also where there was none, or another.
stream() {
  generate --kind=stream --n=5000 --seed=7 --truth="$1" --quiet |
    online_cluster --input=- --quiet
}
stream files.tsv >clusters.tsv
evaluate --truth=files.tsv --clusters=clusters.tsv --quiet >expected
for before in none none other other; do
  rm -f late.tsv
  [[ "${before}" == none ]] || cp truth.tsv late.tsv
  stream late.tsv | evaluate --truth=late.tsv --quiet >out ||
    fail "truth written late, ${before} before"
  same out expected
done
evaluate --truth=- --clusters=clusters.tsv --quiet <files.tsv >out
same out expected
generate --format=jsonl --n=50 --quiet | oclustr --input=- --quiet >a
generate --format=svmlight --n=50 --quiet | oclustr --input=- --quiet >b
same a b
expect 1 generate --kind=points --format=jsonl
expect 1 generate --kind=signed --truth=t
has err "--truth is for --edges with --clusters"
expect 1 generate --labels
has err "--kind=documents has no --labels"
expect 1 generate --kind=stream --topic_share=0.5
expect 1 generate --density=1.5 --kind=signed
expect 1 generate --terms_per_document=50000

# Points: any index and number of threads; two files of the same points.
density_peaks --quiet >points.expected || fail "density_peaks"
[[ "$(wc -l <points.expected)" == 770 ]] || fail "a point without a line"
density_peaks --halo --format=json --decision_graph=graph.expected.tsv \
  --quiet >json.expected
for index in auto boxtree vptree bruteforce; do
  for threads in 1 3; do
    density_peaks --index=${index} --threads=${threads} --quiet \
      --verify=50 >out || fail "density_peaks --index=${index}"
    same out points.expected
    density_peaks --index=${index} --threads=${threads} --quiet --halo \
      --format=json --decision_graph=graph.tsv >out
    same out json.expected
    same graph.tsv graph.expected.tsv
  done
done
is_json json.expected
has json.expected '{"clusters":[{"peak":' '"rho":' '"delta":' '"members":[0,' \
  '"noise":[]' '"halo":[' '],"cutoff_distance":' '"saddle":' '"sigma":' \
  '"least_sigma":' '"candidates":'
head -1 graph.tsv >out
printf '# id\trho\tdelta\tgamma\tdependent\tcluster\tpeak\tnoise\thalo\tsigma\n' \
  >graph.header
same out graph.header
[[ "$(awk '$7 == 1' graph.tsv | wc -l)" == 6 ]] || fail "peaks in graph.tsv"
density_peaks --input=- --quiet <"${examples}/points.csv" >out
same out points.expected
gzip -c "${examples}/points.csv" >points.csv.gz
density_peaks --input=points.csv.gz --quiet --decision_graph=graph.tsv.gz >out
same out points.expected
gzip -t graph.tsv.gz || fail "an output named .gz is not gzip'ed"

# The chosen distance, given as a flag; the chosen peaks, by each rule.
distance="$(sed 's/.*"cutoff_distance":\([^,}]*\).*/\1/' json.expected)"
density_peaks --dc="${distance}" --halo --format=json --quiet >out
same out json.expected
density_peaks --rule=drop --decision_graph=graph.tsv --quiet >paper.expected
density_peaks --peaks=6 --quiet >out
same out paper.expected
gamma="$(awk '$7 == 1 {print $4}' graph.tsv | sort -g | head -1)"
density_peaks --gamma="${gamma}" --quiet >out
same out paper.expected
density_peaks --rho_min=5 --delta_min=8 --format=json --quiet >out
is_json out
[[ "$(grep -o '"peak":' out | wc -l)" == 6 ]] || fail "thresholds: $(cat out)"
density_peaks --verify=1000000 >out 2>err || fail "--verify: $(cat err)"
has err "verified 770 points against brute force"
density_peaks --decision_graph=page.html --quiet >out
same out paper.expected
has page.html "</html>" "points.csv" "--dc"
for metric in manhattan chebyshev angular cosine; do
  density_peaks --metric=${metric} --verify=770 >out 2>err ||
    fail "--metric=${metric}: $(cat err)"
done

# The planted clusters of the bundled points are found.
density_peaks --quiet |
  evaluate --truth="${examples}/points_truth.tsv" --format=tsv --quiet >out
awk '$1 == "ari" { found = $2 } END { exit !(found > 0.85) }' out ||
  fail "ARI of the bundled points: $(cat out)"
generate --kind=points --n=6000 --quiet | density_peaks --input=- >out 2>err ||
  fail "generate | density_peaks: $(cat err)"
has err "quantile of a sample of the distances"

# Insertions and deletions: the remaining points are clustered as if no others had
# ever been there, and keep their numbers.
head -500 "${examples}/points.csv" >base.csv
tail -n +501 "${examples}/points.csv" >more.csv
seq 0 7 769 >gone.txt
awk '(NR - 1) % 7 != 0' "${examples}/points.csv" >left.csv
awk '(NR - 1) % 7 != 0 {print NR - 1}' "${examples}/points.csv" >left.ids
density_peaks --input=left.csv --dc=2.8 --peaks=6 --halo --quiet \
  --decision_graph=graph.tsv >out
cut -f2 out | paste left.ids - >left.expected
for update in auto incidental separate; do
  for index in auto boxtree vptree; do
    density_peaks --input=base.csv --insert=more.csv --delete=gone.txt \
      --batch=60 --update=${update} --index=${index} --dc=2.8 --peaks=6 \
      --halo --decision_graph=batches.tsv --verify=100 >out 2>err ||
      fail "batches, --update=${update} --index=${index}: $(cat err)"
    same out left.expected
    cut -f2-4,6- graph.tsv >one
    cut -f2-4,6- batches.tsv >other
    same other one
  done
done
has err " incidental, " " separate"  "verified 100 points against brute force"
density_peaks --input=base.csv --insert=more.csv --dc=2.8 --quiet >out
density_peaks --dc=2.8 --rule=drop --quiet >one
same out one
# The page names all flags.
density_peaks --input=base.csv --insert=more.csv --delete=gone.txt --dc=2.8 \
  --decision_graph=page.html --quiet >/dev/null
has page.html '"--input=base.csv","--insert=more.csv","--delete=gone.txt"'
# The summary names the tree.
seq 1 60 | awk '{for (k = 0; k < 20; ++k) printf "%d ", ($1 * (k + 3)) % 17
                 print $1}' >wide.txt
density_peaks --input=wide.txt --insert=wide.txt --dc=9 --quiet \
  --summary=summary.json >/dev/null
has summary.json '"index":"dynamic vp tree"'

# A directory of texts.
mkdir -p texts/sub
echo "copper and zinc make brass" >texts/a.txt
echo "brass is copper with zinc" >texts/sub/b.txt
expect 0 oclustr --input=texts --beta=0.5 --quiet
printf 'a.txt\t0\nsub/b.txt\t0\n' >directory.expected
same out directory.expected

# Documents in CSV are those in JSON Lines.
printf 'id,text\n1,tin can\n2,"tin, can\n""and"" pot"\n3,cat\n' >posts.csv
printf '{"id":"1","text":"tin can"}\n{"id":2,"text":"tin can pot"}\n{"id":"3","text":"cat"}\n' >posts.jsonl
expect 0 oclustr --input=posts.csv
has err "posts.csv: read as CSV (the name ends in .csv; " \
  "posts.csv: texts from column 2 ('text'), ids from column 1 ('id')" \
  "3 documents, "
cp out csv.out
expect 0 oclustr --input=posts.jsonl --quiet
same out csv.out
sed 's/id,text/key;body/; s/^\([123]\),/\1;/' posts.csv >other.csv
expect 2 oclustr --input=other.csv
has err "other.csv:1: expected a header with a column \"text\", found 'key,body'" \
  "--text_column=" "--input_format=lines"
for columns in "--text_column=body --id_column=key" \
  "--text_column=2 --id_column=key"; do
  # shellcheck disable=SC2086
  expect 0 oclustr --input=other.csv ${columns} --quiet
  same out csv.out
done
"${tools}/vectorize" --input=- --input_format=csv --quiet <posts.csv >out 2>err ||
  fail "CSV from standard input: $(cat err)"
[[ "$(wc -l <out)" == 3 ]] || fail "not three documents: $(cat out)"
expect 0 dclustr --store=posts --add=posts.csv --quiet
same out csv.out
sed 's/^3,cat/4,dog/; s/^[12],/x&/' posts.csv >more.csv
expect 0 dclustr --store=posts --add=more.csv --text_column=text
has err "added 3"
printf 'text\nsun\nmoon\n' >noids.csv
expect 0 dclustr --store=numbers --add=noids.csv --quiet
expect 0 dclustr --store=numbers --add=noids.csv --quiet
same out <(printf '0\t0\n1\t1\n2\t0\n3\t1\n')
expect 1 dclustr --store=numbers --add=posts.jsonl --text_column=text
has err "--text_column and --id_column are for CSV"
expect 1 oclustr --input=posts.jsonl --id_column=1
has err "--id_column is for CSV, and the input is not"
expect 0 online_cluster --input=posts.csv
has err "posts.csv: read as CSV (the name ends in .csv; "

finish
