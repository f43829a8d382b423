#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Bad input as users have it gives a clear error with file and line and exit
# code 2, or a defined result.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"

# A gzip that was cut short.
gzip -c "${examples}/encyclopedia.jsonl" | head -c 20000 >cut.jsonl.gz
expect 2 oclustr --input=cut.jsonl.gz
has err "oclustr: cut.jsonl.gz:"
grep -qi "truncat\|ends" err || fail "no word of truncation: $(cat err)"

# Invalid JSON on line 17.
head -16 "${examples}/encyclopedia.jsonl" >broken.jsonl
echo '{"id": "x", "text": "no end' >>broken.jsonl
for tool in oclustr similarity_graph vectorize; do
  expect 2 "${tool}" --input=broken.jsonl
  has err "${tool}: broken.jsonl:17: expected"
  [[ -s out ]] && fail "${tool} wrote half an output"
done

# The same with --skip_bad_lines, by every reader.
cat >>broken.jsonl <<'END'
{"id":"y","body":"tin"}
{"id":"z","text":"the end"}
END
for tool in oclustr similarity_graph vectorize online_cluster; do
  expect 0 "${tool}" --input=broken.jsonl --skip_bad_lines
  has err "${tool}: bad lines left out: 2 (lines 17, 18); broken.jsonl:17: expected"
done
head -16 broken.jsonl >sound.jsonl
tail -1 broken.jsonl >>sound.jsonl
expect 0 oclustr --input=sound.jsonl
mv out sound.expected
expect 0 oclustr --input=broken.jsonl --skip_bad_lines
same out sound.expected
expect 0 dclustr --store=skips --add=broken.jsonl --skip_bad_lines
has err "dclustr: bad lines left out: 2 (lines 17, 18)"
same out sound.expected
printf '1 1:2\n1 -3:1\n' >negative.svm
expect 1 oclustr --input=negative.svm --skip_bad_lines
has err "--skip_bad_lines is for JSON Lines with texts, and the input is svmlight"
expect 0 online_cluster --input=negative.svm --skip_bad_lines
has err "bad lines left out: 1 (line 2)"

# Other names of fields, and one array.
sed 's/"text":/"body":/; s/"id":/"key":/' sound.jsonl >fields.jsonl
expect 2 oclustr --input=fields.jsonl
has err 'fields.jsonl:1: expected a field "text"' "(--text_field=NAME reads"
expect 2 online_cluster --input=fields.jsonl
has err 'fields.jsonl:1: expected a field "text"' "(--text_field=NAME reads"
expect 0 oclustr --input=fields.jsonl --text_field=body --id_field=key
same out sound.expected
expect 0 dclustr --store=fields --add=fields.jsonl --text_field=body \
  --id_field=key
same out sound.expected
{
  echo "["
  sed '$!s/$/,/; s/,/,\n/' fields.jsonl
  echo "]"
} >fields.json
expect 0 oclustr --input=fields.json --text_field=body --id_field=key
same out sound.expected
expect 0 online_cluster --input=sound.jsonl
mv out online.expected
expect 0 online_cluster --input=fields.json --text_field=body --id_field=key
same out online.expected
expect 1 oclustr --input=sound.jsonl --text_field=id
has err "--text_field and --id_field: expected two fields, found \"id\" for both"
expect 1 oclustr --input=sound.jsonl --id_field=
has err "--id_field: expected the name of a field"
echo 'tin can' >two.words
expect 1 oclustr --input=two.words --input_format=lines --text_field=x
has err "--text_field is for JSON Lines with texts, and the input is lines"
printf '[{"key":"a","labels":["x"]},{"key":"b","label":"y"}]\n' >labels.json
expect 0 evaluate --truth=labels.json --clusters=labels.json --id_field=key
has out '"items":2'
printf 'a\tx\nb\ty\n' >labels.tsv
expect 0 evaluate --truth=labels.json --clusters=labels.tsv --id_field=key
expect 1 evaluate --truth=labels.tsv --clusters=labels.tsv --id_field=key
has err "--id_field is for JSON Lines, and neither input is"
printf '[{"text":"tin can"},\n{"text":"tin pot",}]\n' >array
expect 2 oclustr --input=array
has err "array:2: expected a key at column 19"
printf '[{"text":"tin can"},\n' >array
expect 2 online_cluster --input=array
has err "array:1: expected ']' at the end of a JSON array"

# Files that could be mistaken for lines of text: another kind of archive,
# UTF-16.
printf 'BZh91AY&SY' >documents.jsonl.bz2
expect 2 oclustr --input=documents.jsonl.bz2
has err "documents.jsonl.bz2: expected text, plain or compressed by gzip or zstd, found a bzip2 file"
printf '\xff\xfet\0i\0n\0\n\0' >utf16
for format in auto lines jsonl; do
  expect 2 vectorize --input=utf16 --input_format="${format}"
  has err "utf16:1: expected UTF-8, found the byte order mark of UTF-16"
done
expect 2 density_peaks --input=utf16
has err "utf16:1: expected UTF-8"

printf 'a b 1\n' >graph.edges
for tool in online_cluster similarity_graph vectorize; do
  expect 2 "${tool}" --input=graph.edges
  has err "graph.edges: expected documents, found the edges of a graph"
done

# What was guessed is said, and what may be either is refused.
printf 'tin can opener\ntin can\n' >short.txt
expect 0 oclustr --input=short.txt
has err "oclustr: short.txt: read as lines of text (no other format fits; "
expect 0 oclustr --input=short.txt --input_format=lines
grep -q "read as" err && fail "a format that was given is no guess"
expect 0 oclustr --input=short.txt --quiet
[[ -s err ]] && fail "--quiet printed: $(cat err)"
printf 'alice bob\nbob carol\nalice carol\n' >names.txt
expect 2 oclustr --input=names.txt
has err "names.txt: expected documents or edges, found 2 words on each line" \
  "--input_format=lines" "--input_format=edges"
expect 0 oclustr --input=names.txt --input_format=lines --quiet
expect 0 oclustr --input=names.txt --input_format=edges --quiet
same out <(printf 'alice\t0\nbob\t0\ncarol\t0\n')
expect 0 correlation_cluster --input=names.txt
has err "names.txt: read as edges of a graph (it is not MatrixMarket; "
expect 0 online_cluster --input=names.txt
has err "names.txt: read as lines of text"
expect 0 dclustr --store=names --add=names.txt
has err "names.txt: read as lines of text"

# A repeated id.
printf '{"id":"a","text":"x y"}\n{"id":"a","text":"z"}\n' >twice.jsonl
expect 2 oclustr --input=twice.jsonl
has err "twice.jsonl:2"

# Vectors and graphs.
printf '1 1:2\n1 -3:1\n' >negative.svm
expect 2 oclustr --input=negative.svm
has err "negative.svm:2: expected"
printf '1 1:2\n1 3:nan\n' >nan.svm
expect 2 oclustr --input=nan.svm
has err "nan.svm:2: expected"
printf 'a b 0.5\nb c nan\n' >nan.edges
expect 2 oclustr --input=nan.edges
has err "nan.edges:2: expected"
printf 'a b 0.5\nb c 0.25\n' >good.edges
expect 1 oclustr --input=good.edges --weighting=tfidf
has err "--weighting is for documents"
expect 0 oclustr --input=good.edges --beta=0.5 --quiet
printf 'a\t0\nb\t0\nc\t1\n' >good.expected
same out good.expected
printf 'a b 0.5\nb b 1\n' >loop.edges
expect 2 oclustr --input=loop.edges
has err "loop.edges:2"
printf 'a b 0.5\nb c -1\n' >negative.edges
expect 2 oclustr --input=negative.edges
has err "negative.edges:2"

# Missing files, and files of another format than --input_format says.
expect 2 oclustr --input=no/such/file
has err "no/such/file: expected a file or a directory (No such file or directory)"
expect 2 oclustr --input=no/such/file --input_format=jsonl
has err "no/such/file: expected a readable file (No such file or directory)"
expect 2 oclustr --input="${examples}/encyclopedia.jsonl" --input_format=svmlight
has err "encyclopedia.jsonl:1"
mkdir empty_directory
expect 2 oclustr --input=empty_directory
has err "empty_directory"
mkfifo pipe
expect 2 oclustr --input=pipe
has err "pipe: expected --input_format"

# Empty input is valid: no documents, no clusters.
: >empty
expect 0 oclustr --input=empty
[[ -s out ]] && fail "clusters of nothing: $(cat out)"
has err "0 documents, 0 edges, 0 clusters, 0 memberships, 0 documents alone"
expect 0 oclustr --input=empty --format=json
is_json out
expect 0 oclustr --input=empty --input_format=edges
expect 0 similarity_graph --input=empty
expect 0 vectorize --input=empty

# Documents without terms are clusters of their own.
printf '{"id":"a","text":"tin"}\n{"id":"b","text":""}\n{"id":"c","text":"the"}\n{"id":"d","text":"tin"}\n' >hollow.jsonl
expect 0 oclustr --input=hollow.jsonl --quiet
printf 'a\t0\nb\t1\nc\t2\nd\t0\n' >hollow.expected
same out hollow.expected

# Covers.
printf 'a\t0\nno tab\n' >bad.tsv
expect 2 evaluate --truth=bad.tsv --clusters=bad.tsv
has err "bad.tsv:2"
printf 'Id\tCluster\na\t0\n' >header.tsv
expect 2 evaluate --truth=header.tsv --clusters=header.tsv
has err "header.tsv:1: expected no header (before one put #)"
printf 'alpha beta\n1 2\n2 3\n' >header.txt
expect 2 correlation_cluster --input=header.txt
has err "header.txt:1: expected two numbers as in all other lines"
expect 2 oclustr --input=header.txt --input_format=edges
has err "header.txt:1: expected two numbers as in all other lines"
printf 'a\t0\na\t0\n' >again.tsv
expect 2 evaluate --truth=again.tsv --clusters=again.tsv
has err "again.tsv:2"
printf 'z\t0\n' >other.tsv
printf 'a\t0\n' >one.tsv
expect 2 evaluate --truth=one.tsv --clusters=other.tsv
has err "found none of them"
expect 1 evaluate --truth=- --clusters=-
expect 0 oclustr --format=json
cp out clusters.json
expect 2 evaluate --clusters=clusters.json
has err "clusters.json:1: expected" "not the output of --format=json"

printf '{"id":"a","cluster":0}\n{"id":"b","text":"x"}\n' >unlabelled.jsonl
expect 2 evaluate --truth=one.tsv --clusters=unlabelled.jsonl
has err 'unlabelled.jsonl: expected "labels" in JSON Lines, found none in 2'

# Points.
printf 'PK\x03\x04points.npy' >points.npz
expect 2 density_peaks --input=points.npz
has err "points.npz: expected points as CSV or NPY" \
  "\`unzip\` it and read one .npy"
printf '1,2\n3,nan\n' >nan.csv
expect 2 density_peaks --input=nan.csv
has err "nan.csv:2"
printf 'NA,null\n3,4\n' >missing.csv
expect 2 density_peaks --input=missing.csv
has err "missing.csv:1: expected a number, found 'NA'"
printf '1,2\n3\n' >ragged.csv
expect 2 density_peaks --input=ragged.csv
has err "ragged.csv:2"
gzip -c "${examples}/points.csv" | head -c 2000 >cut.csv.gz
expect 2 density_peaks --input=cut.csv.gz
has err "cut.csv.gz"
expect 2 density_peaks --input=empty --input_format=csv
has err "empty"
printf '1,2\n1,2\n1,2\n' >equal.csv
expect 2 density_peaks --input=equal.csv
has err "equal.csv: expected two points that differ" "give one by --dc"
expect 2 density_peaks --input=equal.csv --insert=equal.csv
has err "equal.csv: expected two points that differ" "give one by --dc"
expect 0 density_peaks --input=equal.csv --dc=1 --quiet
printf '0\t0\n1\t0\n2\t0\n' >equal.expected
same out equal.expected
printf '1,2\n' >point.csv
expect 0 density_peaks --input=point.csv --dc=1 --quiet --verify=1
printf '0\t0\n' >point.expected
same out point.expected
for points in equal point; do
  for density in knn pak "gaussian --dc=1"; do
    read -ra flags <<<"--density=${density}"
    expect 0 density_peaks "--input=${points}.csv" "${flags[@]}" --quiet
    same out "${points}.expected"
  done
done
printf '0,0\n1,2\n' >origin.csv
expect 2 density_peaks --input=origin.csv --metric=angular
has err "origin.csv: point 0" "direction"
printf '1,0\n0,1\n1,1\n' >directions.csv
for flags in --dc=1 --batch=2; do
  expect 2 density_peaks --input=directions.csv --insert=origin.csv \
    --metric=angular ${flags}
  has err "origin.csv: point 0: " "direction"
  expect 2 density_peaks --input=origin.csv --insert=directions.csv \
    --metric=cosine ${flags}
  has err "origin.csv: point 0: " "direction"
done
cat directions.csv origin.csv >late.csv
expect 2 density_peaks --input=directions.csv --insert=late.csv --batch=2 \
  --dc=1 --metric=angular
has err "late.csv: point 3: " "direction"
expect 2 density_peaks --input=origin.csv --peaks=3
has err "--peaks: expected at most 2, the points of origin.csv, found 3"
expect 2 density_peaks --input=origin.csv --dc=1 --peaks=2 --rho_min=100
has err "--peaks: expected at most 1"
# Columns that are no coordinates.
awk 'BEGIN { for (i = 0; i < 30; ++i)
             printf "%d,%d,%d\n", i, i % 3 * 10 + i % 2, i % 3 * 10 }' >bare.csv
cut -d, -f2,3 bare.csv >xy.csv
{ echo id,label,x,y && sed 's/^\([0-9]*\),/a\1,"l, m",/' bare.csv; } >named.csv
expect 0 density_peaks --input=xy.csv --dc=2 --quiet
cp out xy.out
expect 0 density_peaks --input=bare.csv --dc=2
same out xy.out
has err "bare.csv: not clustered: column 1, which counts the rows (--columns"
expect 0 density_peaks --input=bare.csv --dc=2 --columns=1,2,3
grep -q "not clustered" err && fail "the columns were chosen: $(cat err)"
expect 0 density_peaks --input=named.csv --dc=2 --label_column=label
same out xy.out
has err "named.csv: not clustered: column 1, named id"
for flags in --columns=x,y --columns=3,4; do
  # shellcheck disable=SC2086
  expect 0 density_peaks --input=named.csv --dc=2 ${flags}
  same out xy.out
  grep -q "not clustered" err && fail "${flags}: $(cat err)"
done
expect 2 density_peaks --input=named.csv --dc=2 --columns=label,x
has err "named.csv:2: expected a number, found '\"l, m\"' (--columns, --id_column"
# Ids of --id_column are in all outputs.
expect 0 density_peaks --input=named.csv --dc=2 --id_column=id \
  --label_column=2 --decision_graph=named.html
mv out ids.out
expect 0 density_peaks --input=xy.csv --dc=2 --rule=drop
sed 's/^/a/' out >numbers.out
same ids.out numbers.out
has named.html '<script type="application/json" id="data-names">["a0","a1",'
expect 0 density_peaks --input=named.csv --dc=2 --id_column=1 \
  --label_column=label --decision_graph=named.tsv --format=json --peaks=3
has out '"members":["a0","a3",'
has named.tsv $'\na29\t'
grep -q "not clustered" err && fail "--id_column: $(cat err)"
sed 's/^a/b/' named.csv >more.csv
printf 'a0\t7\nb29\n' >ids.txt
expect 0 density_peaks --input=named.csv --dc=2 --id_column=id \
  --label_column=label --insert=more.csv --delete=ids.txt \
  --decision_graph=named.html
has named.html 'id="data-names">["a1",' '"a29","b0",' '"b28"]'
grep -q "the page numbers" err && fail "names on the page: $(cat err)"
cp out ids.out
expect 0 density_peaks --input=xy.csv --dc=2 --insert=xy.csv \
  --delete=<(printf '0\n59\n')
awk '{ print ($1 < 30 ? "a" $1 : "b" $1 - 30) "\t" $2 }' out >numbers.out
same ids.out numbers.out
expect 2 density_peaks --input=named.csv --dc=2 --id_column=id \
  --label_column=label --delete=<(echo 0)
has err ":1: expected the id of a point, found '0'"
expect 2 density_peaks --input=named.csv --dc=2 --id_column=label
has err "named.csv:3: expected an id different from that of line 2, found 'l, m"
expect 2 density_peaks --input=named.csv --dc=2 --id_column=id \
  --label_column=label --insert=named.csv
has err "named.csv:2: expected an id different from that of line 2, found 'a0'"
{ cat more.csv && echo a7,,1,1; } >mixed.csv
expect 2 density_peaks --input=named.csv --dc=2 --id_column=id \
  --label_column=label --insert=mixed.csv
has err "mixed.csv:32: expected an id different from that of line 9 in named.csv"
sed '1s/x,y/y,x/' more.csv >other.csv
expect 2 density_peaks --input=named.csv --dc=2 --label_column=label \
  --insert=other.csv
has err "other.csv: expected the columns id,label,x,y in this order" \
  "found id,label,y,x"
expect 2 density_peaks --input=named.csv --columns=z
has err "named.csv:1: expected one column \"z\", found none in 'id,label,x,y'"
# Inserted points have the columns of the input.
expect 0 density_peaks --input=bare.csv --insert=bare.csv --dc=2 --quiet
cp out twice.out
expect 0 density_peaks --input=xy.csv --insert=xy.csv --dc=2 --quiet
same out twice.out
# Columns of unlike scale.
awk -F, '{ print $1 "," $2 * 1000 }' xy.csv >unlike.csv
expect 0 density_peaks --input=unlike.csv --peaks=3
has err "unlike.csv: the range of column 2 is 952.381 times that of column 1" \
  "--standardize"
awk -F, '{ print $1 "," $2 * 11 }' xy.csv >longer.csv
expect 0 density_peaks --input=longer.csv --peaks=3
has err "longer.csv: the range of column 2 is 10." "--standardize"
awk -F, '{ print $1 "," $2 * 10 }' xy.csv >long.csv
expect 0 density_peaks --input=long.csv --peaks=3
grep -q "the range of" err && fail "a ratio below 10: $(cat err)"
expect 0 density_peaks --input=unlike.csv --peaks=3 --standardize
grep -q "the range of" err && fail "--standardize: $(cat err)"
cp out unlike.out
expect 0 density_peaks --input=xy.csv --peaks=3 --standardize
same out unlike.out

{
  yes 1,1 | head -200
  echo 4,5
} >duplicates.csv
expect 0 density_peaks --input=duplicates.csv
has err "cutoff distance 5, the smallest positive distance" \
  "warning: the 0.0423207 quantile is 0"

# Output that would be input.
echo '{"id":"a","text":"tin"}' >same.jsonl
cp same.jsonl before.jsonl
for input in same.jsonl -; do
  # shellcheck disable=SC2094
  "${tools}/oclustr" --input="${input}" <same.jsonl >>same.jsonl 2>err
  [[ $? == 1 ]] || fail "appended to its input: $(cat err)"
  has err "standard output would overwrite --input, ${input}"
done
same same.jsonl before.jsonl

# Signed networks.
printf 'a b 1\nb b -1\n' >loop.txt
expect 2 correlation_cluster --input=loop.txt
has err "loop.txt:2: expected two different vertices, found 'b b'" \
  "--skip_loops"
expect 0 correlation_cluster --input=loop.txt --skip_loops
has err "loops left out: 1"
printf 'a b 1e-10\nb c -1e-10\n' >tiny.txt
expect 2 correlation_cluster --input=tiny.txt
has err "tiny.txt:1: expected a weight of at least 5e-10 in magnitude"
printf 'a b 1e-10\nb c -1\n' >tiny.txt
expect 0 correlation_cluster --input=tiny.txt
has err "weights rounded to 0, whose edges are left out: 1"
printf 'a\t0\nb c\t1\n' >signed.expected
for content in 'source,target,weight\na,b c,-1\n' \
  'Ego\tAlter\tKind\na\tb c\tenemy\n' \
  'time,sign,to,from\n9,-1,b c,a\n' \
  '"from","to","sign"\n"a","b c","-"\n'; do
  printf '%b' "${content}" >signed.csv
  expect 0 correlation_cluster --input=signed.csv
  has err "signed.csv:1: taken for a header and skipped: '$(head -1 signed.csv |
    sed 's/\t/\\t/g')'"
  same out signed.expected
done
printf '"a","b c",negative\n' >signed.csv
expect 0 correlation_cluster --input=signed.csv
grep -q header err && fail "an edge was taken for a header: $(cat err)"
same out signed.expected
printf 'a b 1 1289241911\nb c -1 1289241912\n' >four.txt
expect 2 correlation_cluster --input=four.txt
has err "four.txt:1: expected 2 or 3 columns (two vertices and a weight), or" \
  "a header such as source,target,weight that names them, found 'a b 1"
printf 'a b likes\n' >likes.txt
expect 2 correlation_cluster --input=likes.txt
has err "likes.txt:1: expected a number, + or -, friend or enemy" "'likes'"
printf 'a b 1\nb c nan\n' >nan.txt
expect 2 correlation_cluster --input=nan.txt
has err "nan.txt:2: expected"
printf 'a b 1\nb c inf\n' >inf.txt
expect 2 correlation_cluster --input=inf.txt
has err "inf.txt:2: expected"
printf '# u v w\na b 1\nb c\n' >missing.txt
expect 2 correlation_cluster --input=missing.txt
has err "missing.txt:3: expected 3 columns"
printf 'a b 1\nb\n' >one.txt
expect 2 correlation_cluster --input=one.txt
has err "one.txt:2: expected"
printf 'a b 1\nb c -0.5\n' >weights.txt
expect 2 correlation_cluster --input=weights.txt --sign_only
has err "weights.txt:2: expected the weight 1 or -1, found '-0.5'"
expect 0 correlation_cluster --input=weights.txt --quiet
printf 'a\t0\nb\t0\nc\t1\n' >weights.expected
same out weights.expected
printf 'a b 1\nb c 1\nb a 2\n' >conflict.txt
expect 2 correlation_cluster --input=conflict.txt
has err "conflict.txt:3: expected"
seq 2 4000 | awk '{print $1 - 1, $1, ($1 * 7) % 11 - 5}' | gzip >whole.txt.gz
head -c 5000 whole.txt.gz >cut.txt.gz
expect 2 correlation_cluster --input=cut.txt.gz
has err "cut.txt.gz:" "truncated"
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n4 1 1\n' \
  >outside.mtx
expect 2 correlation_cluster --input=outside.mtx
has err "outside.mtx:4"
expect 2 correlation_cluster --input=weights.txt --input_format=matrixmarket
has err "weights.txt:1"
# Names are checked before the search.
printf 'a #b 1\n' >hash.txt
expect 2 correlation_cluster --input=hash.txt
has err "hash.txt: expected names" "found '#b'" "--format=json"
expect 0 correlation_cluster --input=hash.txt --format=json
is_json out
# No edges, one vertex, nothing.
printf '#vertex\ta\n' >single.txt
expect 0 correlation_cluster --input=single.txt --quiet
printf 'a\t0\n' >single.expected
same out single.expected
expect 0 correlation_cluster --input=empty
[[ -s out ]] && fail "clusters of nothing: $(cat out)"
has err "0 vertices, 0 edges, 0 clusters"
for json in '{"source":"a","target":"b"}' '[{"source":"a","target":"b"}]'; do
  echo "${json}" >json.txt
  expect 2 correlation_cluster --input=json.txt
  has err "json.txt: expected a graph as edges or MatrixMarket, found JSON"
done
printf 'a b 0\n' >zero.txt
expect 0 correlation_cluster --input=zero.txt --quiet
printf 'a\t0\nb\t1\n' >zero.expected
same out zero.expected

# Insertions and deletions of points.
printf '0,0\n1,1\n2,2\n' >three.csv
printf '1\n1\n' >twice.txt
expect 2 density_peaks --input=three.csv --dc=1 --delete=twice.txt
has err "twice.txt:2: expected each point once, found '1'"
printf '0\n3\n' >beyond.txt
expect 2 density_peaks --input=three.csv --dc=1 --delete=beyond.txt
has err "beyond.txt:2: expected the number of a point, from 0 to 2, found '3'"
printf '# gone\n0\n1 2\n' >columns.txt
expect 2 density_peaks --input=three.csv --dc=1 --delete=columns.txt
has err "columns.txt:3: expected the number of a point" "found '1 2'"
printf '0\n1\n2\n' >all.txt
expect 2 density_peaks --input=three.csv --dc=1 --delete=all.txt
has err "expected to leave a point"
printf '1,2,3\n' >wide.csv
expect 2 density_peaks --input=three.csv --dc=1 --insert=wide.csv
has err "wide.csv: expected points of 2 dimensions"
expect 1 density_peaks --input=three.csv --insert=three.csv --index=bruteforce

# Names.
expect 2 oclustr --input=negative.svm --ids=missing
printf '1 1:1\n1 1:1\n' >two.svm
echo one >ids
expect 2 oclustr --input=two.svm --ids=ids
has err "ids: expected 2 lines"
expect 2 oclustr --input=two.svm --ids=-
has err "standard input: expected 2 lines"
printf '{"id":"a b","text":"tin"}\n{"id":"c","text":"tin"}\n' >blank.jsonl
expect 0 similarity_graph --input=blank.jsonl --output=blank.edges
expect 0 oclustr --input=blank.edges --quiet
same out <(printf 'a b\t0\nc\t0\n')
printf '{"id":"#b","text":"tin"}\n' >hash.jsonl
expect 2 similarity_graph --input=hash.jsonl
has err "--ids=PATH"
printf 'a b 1\nb c\0d -1\n' >nul.txt
expect 2 correlation_cluster --input=nul.txt --input_format=edges
has err "nul.txt:2: expected a name without control characters, found 'c"
printf '{"id":"a","text":"tin"}\n{"id":"#c","text":"tin"}\n' >hash.jsonl
expect 2 oclustr --input=hash.jsonl
has err "hash.jsonl: expected names" \
  "do not start with #, found '#c' (--format=json takes any name)"
expect 0 oclustr --input=hash.jsonl --format=json
# A store takes any name as well, but only JSON can print it.
expect 0 dclustr --store=hashes --add=hash.jsonl --format=json
expect 2 dclustr --store=hashes
has err "hashes: expected names" "found '#c' (--format=json takes any name)"
expect 1 oclustr --language=klingon
has err "--language"
expect 1 vectorize --input=two.svm --vocabulary=terms
has err "--vocabulary"

finish
