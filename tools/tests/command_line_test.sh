#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# The contract that all tools share: help, version, flags, exit codes, output
# and summary.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"

all="correlation_cluster dclustr density_peaks determinism_report evaluate
  generate oclustr online_cluster similarity_graph vectorize"

for tool in ${all}; do
  for flag in --help -h -help; do
    expect 0 "${tool}" "${flag}"
    has out "Usage: ${tool}" "--output" "--quiet" "--summary" "Exit codes:"
    [[ -s err ]] && fail "${tool} ${flag} wrote to stderr"
  done
  awk -v t="${tool}" 'length($0) > 80 { print t ": " $0; bad = 1 }
                      END { exit bad }' out || fail "help wider than 80 columns"
  expect 0 "${tool}" --version
  grep -qE "^${tool} [0-9]+\.[0-9]+\.[0-9]+$" out || fail "version: $(cat out)"

  expect 1 "${tool}" --no_such_flag=3
  has err "${tool}: unknown flag --no_such_flag" "Try ${tool} --help."
  [[ -s out ]] && fail "${tool} wrote to stdout on wrong usage"
  expect 1 "${tool}" --threads=many
  has err "--threads: expected an integer from 0 to 4096, found \"many\""
  expect 1 "${tool}" stray
  has err 'unexpected argument "stray"'
  expect 1 "${tool}" --device=tpu
  has err "--device: expected one of auto, cpu, cuda"
done

# spins COUNT TOOL [NAME=VALUE...]: threads of the tool that wait look COUNT times
# before they sleep. OpenMP of clang does not say.
spins() {
  local count="$1" tool="$2"
  shift 2
  env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT OMP_DISPLAY_ENV=verbose "$@" \
    "${tools}/${tool}" --version >out 2>err
  grep -q "GOMP_" err || return
  has err "GOMP_SPINCOUNT = '${count}'"
}
for tool in ${all}; do spins 2000 "${tool}"; done
spins 0 oclustr OMP_WAIT_POLICY=passive
spins 70000 oclustr GOMP_SPINCOUNT=70000

# Help shows only the flags of the tool.
expect 0 generate --help
grep -q -e "--beta" -e "--input_format" out && fail "generate shows others' flags"
expect 1 oclustr --bta=0.3
has err "did you mean --beta?"
expect 1 vectorize --format=jsonl
has err "vectorize: unknown flag --format (did you mean --input_format?)"
expect 1 similarity_graph --format=jsonl
has err "similarity_graph: --format: expected one of tsv, json, csv, graphml"
for beta in 0 -0.1 1.1 1e-10 x 1/0; do
  for tool in oclustr similarity_graph; do
    expect 1 "${tool}" --beta=${beta}
    has err "${tool}: --beta: expected" "Try ${tool} --help."
  done
done

for share in 1.5 -0.1; do
  expect 1 online_cluster --threshold=${share}
  has err "--threshold: expected a number from 0 to 1, found ${share}"
  expect 1 generate --topic_share=${share}
  has err "--topic_share: expected a number from 0 to 1, found \"${share}\""
done
expect 1 generate --kind=points --deviation=-1
has err '--deviation: expected a number of at least 0, found "-1"'

# An empty path, from a variable that was never set, does not mean the example.
expect 1 oclustr --input=
has err '--input: expected a path, found ""'
# An output never overwrites an input or another output.
head -3 "${examples}/encyclopedia.jsonl" >mine.jsonl
cp mine.jsonl mine.copy
ln -s mine.jsonl link.jsonl
expect 1 oclustr --input=mine.jsonl --output=./link.jsonl
has err "oclustr: --output would overwrite --input, mine.jsonl"
expect 1 vectorize --input=mine.jsonl --write_ids=mine.jsonl
has err "--write_ids would overwrite --input"
expect 1 vectorize --output=both --vocabulary=both
has err "--output and --vocabulary are the same file, both"
expect 1 vectorize --output=both --vocabulary=./both
expect 1 generate --kind=points --output=both --truth=both
expect 1 dclustr --store=news --add=mine.jsonl --add=link.jsonl
has err '--add: expected one file, found "mine.jsonl" and "link.jsonl"'
mkdir state
for flag in --output --summary; do
  expect 1 online_cluster --input=mine.jsonl --state=state --format=json \
    "${flag}=./state/data.mdb"
  has err "${flag} is state/data.mdb, a file of the state"
done
expect 1 online_cluster --input=mine.jsonl --state=mine.jsonl
has err "--state would overwrite --input"
same mine.jsonl mine.copy
# Nor does it become a document of an input directory.
mkdir texts
echo tin >texts/a.txt
expect 1 oclustr --input=texts --output=texts/CLUSTERS.TXT
expect 1 oclustr --input=texts --output=texts/clusters.txt
has err "oclustr: --output would become a document of --input, texts"
expect 0 oclustr --input=texts --output=texts/clusters.tsv
# Only one flag can read standard input.
echo 1,2 >point.csv
while read -r tool flags; do
  # shellcheck disable=SC2086
  expect 1 "${tool}" ${flags}
  has err "are both standard input, which can be read only once"
done <<END
oclustr --input=- --ids=-
online_cluster --input=- --vocabulary=-
density_peaks --input=- --insert=-
density_peaks --input=point.csv --dc=1 --insert=- --delete=-
dclustr --store=new --add=- --remove=-
determinism_report --documents=- --stream=-
evaluate --truth=- --clusters=-
END

# A flag that has no effect is refused.
printf '1 1:1 2:2\n1 1:1 3:2\n' >vectors.svm
for tool in dclustr oclustr online_cluster similarity_graph vectorize; do
  input=(--input=vectors.svm)
  text=(--input=mine.jsonl)
  if [[ "${tool}" == dclustr ]]; then
    input=(--store=unmade --add=vectors.svm)
    text=(--store=unmade --add=mine.jsonl)
  fi
  for flag in --stem --nostop_words --language=german; do
    expect 1 "${tool}" "${input[@]}" "${flag}"
    has err "is for texts, and the input is vectors"
  done
  expect 1 "${tool}" "${text[@]}" --nostem --language=german
  has err "${tool}: --language needs --stem"
  expect 1 "${tool}" "${text[@]}" --language=
  has err '--language: expected a language, found ""'
done
[[ -e unmade ]] && fail "a refused run made a store"
for tool in correlation_cluster density_peaks oclustr online_cluster; do
  format=lines
  [[ "${tool}" == correlation_cluster ]] && format=edges
  [[ "${tool}" == density_peaks ]] && format=csv
  expect 1 "${tool}" --input_format="${format}"
  has err "${tool}: --input_format needs --input"
done

for threshold in --gamma=1e9 --delta_min=1e9 --rho_min=10000; do
  expect 0 density_peaks ${threshold}
  has err "no point reaches the thresholds of a peak" "770 points, 1 cluster,"
done
# One cluster: a line says what to try, unless one was asked for.
printf '0,0\n1,0\n0,1\n1,1\n3,3\n' >one_cluster.csv
expect 0 density_peaks --input=one_cluster.csv --dc=2 --rule=drop
has err "one cluster: try a cutoff distance below 2 (--dc, or" "--peaks=N"
[[ "$(grep -c 'one cluster' err)" == 1 ]] || fail "$(cat err)"
expect 0 density_peaks --input=one_cluster.csv --dc=2
has err "one cluster: no other peak is significant; 1.2 sigma is what chance" \
  "reaches among 2 candidates" "--peaks=N"
[[ "$(grep -c 'one cluster' err)" == 1 ]] || fail "$(cat err)"
expect 0 density_peaks --input=one_cluster.csv --dc=2 --peaks=1
grep -q 'one cluster' err && fail "$(cat err)"
expect 0 density_peaks --gamma=100 --rho_min=3
grep -q "no point reaches" err && fail "some do: $(cat err)"
expect 1 density_peaks --peaks=3 --gamma=1
has err "--peaks, --delta_min, --gamma and --rule are four ways"
expect 1 density_peaks --peaks=3 --rule=drop
has err "--peaks, --delta_min, --gamma and --rule are four ways"
# What needs the paper's rule has it, with its cutoff distance.
expect 1 density_peaks --rule=significance --decision_graph=page.html
has err "--rule=significance is not for a page"
expect 1 density_peaks --rule=significance --insert=one_cluster.csv
has err "--rule=significance is not for --insert and --delete"
for flag in --rule=drop --rho_min=3 --peaks=6 --decision_graph=page.html; do
  expect 0 density_peaks ${flag}
  has err "the 0.02 quantile of all distances"
done
expect 1 density_peaks --sweep=0.1
has err "--sweep: expected FROM:TO or FROM:TO:VALUES" "found '0.1'"
for flag in --dc=2 --peaks=3 --halo --rule=drop --decision_graph=graph.tsv; do
  expect 1 density_peaks --sweep=0.01:0.1 ${flag}
  has err "${flag%=*} is about one run, and --sweep writes a table of many"
done
expect 0 density_peaks --sweep=0.005:0.08:3 --format=json --rho_min=3
is_json out
has out '{"sweep":[' '{"fraction":0.005,"cutoff_distance":' '"noise":' \
  '{"fraction":0.02,' '{"fraction":0.08,' '"agreement":null,"stable":'
expect 0 density_peaks --sweep=0.5:1:2
has err "no two values in a row agree on more than one cluster"
# A row is a run.
expect 0 density_peaks --sweep=0.01:0.1:4
cut -f 1,3 out >sweep.out
expect 0 density_peaks --dc_fraction="$(sed -n 3p sweep.out | cut -f 1)" \
  --format=json
[[ "$(grep -o '"peak"' out | wc -l)" == "$(sed -n 3p sweep.out | cut -f 2)" ]] ||
  fail "--sweep: $(cat sweep.out)"
# The page changes nothing else.
expect 0 density_peaks --sweep=0.01:0.1:4 --report=sweep.html
same <(cut -f 1,3 out) sweep.out
has sweep.html "<!doctype html>" '"command":["density_peaks"]' '"stable":1'
expect 1 density_peaks --report=sweep.html
has err "--report is the page of --sweep"
expect 3 density_peaks --sweep=0.01:0.1:4 --report=missing/sweep.html
expect 0 density_peaks --rule=significance --rho_min=3
has err "the 0.0216225 quantile of all distances" \
  "6 clusters, the weakest at 5.8 sigma; 2.8 sigma is what chance reaches" \
  "among 58 candidates"
# Other densities.
for density in knn gaussian pak; do
  expect 0 density_peaks --density="${density}" --threads=1 --format=json
  mv out one_thread.json
  expect 0 density_peaks --density="${density}" --threads=3 --format=json
  same out one_thread.json
  is_json out
  has err "sigma is what chance reaches among"
  for flag in --peaks=3 --rho_min=3 --halo \
    --decision_graph=graph.tsv --verify=10; do
    expect 1 density_peaks --density="${density}" ${flag}
    has err "${flag%=*} needs counts, and --density=${density} was given"
  done
  expect 1 density_peaks --density="${density}" --rule=drop
  has err "--rule=drop needs counts"
done
expect 0 density_peaks --density=pak --neighbors=40
# One cluster: the flags that this density takes.
expect 0 density_peaks --density=knn --neighbors=1
has err "among 238 candidates (--neighbors sets another scale)"
expect 0 density_peaks --density=gaussian --dc=100
has err "among 1 candidate (--dc or --dc_fraction sets another scale)"
# A sweep has the rows of single runs.
for density in knn pak; do
  expect 0 density_peaks --density="${density}" --sweep=4:32:4 \
    --report=sweep.html
  mv out sweep.out
  has err "the widest stable range is --neighbors of"
  has sweep.html '"command":["density_peaks","--density='"${density}"'"]'
  [[ "$(cut -f 1 sweep.out | tr '\n' ' ')" == "neighbors 4 8 16 32 " ]] ||
    fail "--density=${density} --sweep: $(cat sweep.out)"
  for row in 2 3 4 5; do
    expect 0 density_peaks --density="${density}" --format=json \
      --neighbors="$(sed -n ${row}p sweep.out | cut -f 1)"
    [[ "$(grep -o '"peak"' out | wc -l)" == \
      "$(sed -n ${row}p sweep.out | cut -f 2)" ]] ||
      fail "--density=${density} --sweep: $(cat sweep.out)"
  done
  # All other points are neighbors: one row instead of two.
  expect 0 density_peaks --density="${density}" --sweep=200:20000:3
  has err "points: the largest number of neighbors is"
  [[ "$(wc -l <out)" == 3 ]] || fail "--density=${density}: $(cat out)"
  expect 1 density_peaks --density="${density}" --sweep=0.1:0.2
  has err "numbers of neighbors with 1 <= FROM < TO"
  expect 1 density_peaks --density="${density}" --sweep=4:32 --neighbors=8
  has err "--neighbors is about one run"
done
expect 1 density_peaks --density=gaussian --sweep=0.1:0.2
has err "--sweep is for --density=count, knn and pak"
expect 1 density_peaks --neighbors=40
has err "--neighbors is for --density=knn and pak"
expect 1 density_peaks --density=knn --dc=2
has err "--dc is for --density=count and gaussian"
expect 1 density_peaks --density=knn --insert=one_cluster.csv
has err "--insert needs counts"
expect 1 density_peaks --dc=1 --dc_fraction=0.1
has err "--dc and --dc_fraction"
for fraction in 0 -0.5 1.5; do
  expect 1 density_peaks --dc_fraction=${fraction}
  has err "--dc_fraction: expected a number above 0 and at most 1"
done
for distance in -1 x nan inf; do
  expect 1 density_peaks --dc=${distance}
  has err "--dc: expected a number of at least 0"
done
for flag in --batch=5 --update=separate; do
  expect 1 density_peaks ${flag}
  has err "density_peaks: ${flag%=*} is for --insert and --delete"
done
for flag in --quiet --decision_graph=page.html; do
  expect 1 density_peaks --halo "${flag}"
  has err "--halo needs --marks, --format=json or --decision_graph=PATH.tsv"
done
expect 1 density_peaks --marks --format=json
has err "--marks is for --format=tsv"
expect 0 density_peaks --marks --halo --rho_min=9 --peaks=12 \
  --decision_graph=graph.tsv
awk -F'\t' 'NR > 1 { print $1 "\t" $6 "\t" ($8 ? "noise" : $9 ? "halo" : "core") }' \
  graph.tsv >marks.expected
same out marks.expected
for mark in noise halo core; do
  grep -q "${mark}\$" out || fail "--marks: no ${mark}"
done
expect 1 density_peaks --metric=hamming
expect 1 density_peaks --decision_graph=graph.csv
has err ".tsv, .tsv.gz or .html"
expect 1 density_peaks --decision_graph=same.tsv --output=same.tsv
has err "--output and --decision_graph are the same file, same.tsv"

expect 1 correlation_cluster --alpha=0.5
has err "--alpha is for the methods of GRASP and ILS; --method is auto"
expect 1 correlation_cluster --method=grasp --perturbation_max=4
has err "--perturbation_max is for the methods of ILS; --method is grasp"
expect 1 correlation_cluster --method=ils --no_improvement=4
has err "--no_improvement is for auto and the methods of GRASP"
for alpha in -0.1 1.5; do
  expect 1 correlation_cluster --method=grasp --alpha=${alpha}
  has err "--alpha: expected a number from 0 to 1, found \"${alpha}\""
done
expect 1 correlation_cluster --method=ils --neighborhood=3
has err "--neighborhood: expected an integer from 1 to 2"
expect 1 correlation_cluster --method=annealing
expect 1 correlation_cluster --time_limit=-1
has err "--time_limit: expected a number of at least 0"

# A machine without a GPU, or a build without CUDA code.
for tool in evaluate generate vectorize; do
  expect 3 "${tool}" --device=cuda
  has err "computes on the CPU"
done

# The bundled example, without a flag.
expect 0 oclustr
has err "using the bundled example (examples/encyclopedia.jsonl)" \
  "oclustr: 414 documents, " " clusters, " "peak memory"
has out "element-helium"
expect 0 similarity_graph
has err "bundled example"
expect 0 vectorize
has err "bundled example" "vectorize: 414 documents"
expect 0 generate
has err "generate: 1,000 documents"
expect 0 density_peaks
has err "using the bundled example (examples/points.csv)" \
  "the 0.0216225 quantile of all distances" \
  "density_peaks: 770 points, 6 clusters"
expect 0 online_cluster
has err "using the bundled example (examples/headlines.jsonl)"
expect 0 evaluate
has err "using the bundled example (examples/encyclopedia_clusters.tsv)" \
  "using the bundled example (examples/encyclopedia_truth.tsv)" \
  "evaluate: 414 items, 120 clusters, 460 memberships"
expect 0 oclustr
same "${examples}/encyclopedia_clusters.tsv" out
has err "460 memberships, 88 documents alone in their clusters; cpu"
expect 0 oclustr --help
tr -s " \n" " " <out >help
has help "auto chooses it, and --weighting unless that is given"
printf '#vertex\tc\na\tb\t1\n' >alone.edges
expect 0 oclustr --input=alone.edges
has err "3 memberships, 1 vertex alone in its cluster; cpu"
expect 1 evaluate --truth="${examples}/encyclopedia_truth.tsv"
has err "oclustr | evaluate"

# ... also if the binary was moved together with examples/.
mkdir -p archive/bin archive/examples alone
cp "${tools}/oclustr" archive/bin/
cp "${tools}/oclustr" alone/
cp "${examples}/encyclopedia.jsonl" archive/examples/
"${tools}/oclustr" --quiet >expected 2>err
env -i "${work}/archive/bin/oclustr" --quiet >out 2>err || fail "archive: $(cat err)"
same out expected
env -i "${work}/alone/oclustr" >out 2>err
[[ $? == 2 ]] || fail "a missing example should exit 2"
has err "the bundled example encyclopedia.jsonl was not found (looked for " \
  "--input=PATH"

# --progress shows the share done where the work is counted.
"${tools}/generate" --kind=points --n=1000000000 --progress >/dev/null 2>err &
pid=$!
for _ in $(seq 1200); do
  grep -q "done" err && break
  sleep 0.05
done
kill "${pid}"
wait "${pid}" 2>/dev/null
has err "generate: compute, " " of 1,000,000,000 done ("

# --quiet leaves errors only.
expect 0 oclustr --quiet
[[ -s err ]] && fail "--quiet printed: $(cat err)"
expect 2 oclustr --quiet --input=missing.jsonl
has err "missing.jsonl"

# --output is complete or absent, and every message names its path.
echo old >target
expect 0 oclustr --output=target --quiet
[[ -s out ]] && fail "--output=target wrote to stdout too"
same target expected
printf '{"text":"a b"}\n{"text":\n' >bad.jsonl
echo old >target
expect 2 oclustr --input=bad.jsonl --output=target
has err "bad.jsonl:2: expected"
[[ "$(cat target)" == old ]] || fail "a failed run changed its output"
expect 3 oclustr --output=missing/target
has err "missing/target: expected a writable file (No such file or directory)"
expect 3 oclustr --summary=missing/summary
has err "missing/summary"
for tool in correlation_cluster dclustr density_peaks generate oclustr \
  similarity_graph vectorize; do
  if [[ -w /dev/full ]]; then
    expect 3 "${tool}" --output=/dev/full
    has err "/dev/full: expected to write the file (No space left on device)"
  fi
done
expect 3 density_peaks --decision_graph=missing/graph.tsv
has err "missing/graph.tsv"
echo old >graph.tsv
expect 2 density_peaks --input=bad.jsonl --input_format=csv \
  --decision_graph=graph.tsv
[[ "$(cat graph.tsv)" == old ]] || fail "a failed run changed graph.tsv"
compgen -G "*tmp*" >/dev/null && fail "a temporary was left: $(ls)"

# A signal leaves nothing. The tool has opened its outputs and waits for input.
mkfifo pipe
for signal in INT TERM; do
  # bash starts background jobs with SIGINT ignored, except under job control.
  (
    set -m
    "${tools}/oclustr" --input=pipe --input_format=jsonl --output=interrupted \
      --summary=interrupted.json 2>err &
    exec 9>pipe # Waits until the tool reads.
    kill -s "${signal}" "$!"
    wait "$!"
    exit $?
  )
  code=$?
  [[ "${code}" -gt 128 ]] || fail "SIG${signal}: exit code ${code}"
  # Where the file system has no unnamed files, the next run removes them.
  expect 2 oclustr --input=missing \
    --output=interrupted --summary=interrupted.json
  compgen -G "interrupted*" >/dev/null && fail "SIG${signal} left $(ls)"
done

# --summary: one flat object with every field.
expect 0 oclustr --summary=summary.json --seed=7 --threads=1 --beta=0.350
is_json summary.json
[[ "$(wc -l <summary.json)" == 1 ]] || fail "the summary is not one line"
has summary.json '{"tool":"oclustr","version":"' '"device":"cpu"' '"threads":1' \
  '"seed":7' '"n":414' '"edges":' '"clusters":' '"memberships":' \
  '"objective":null' '"seconds":{"read":' '"compute":' '"write":' '"total":' \
  '"graph":' '"relevance":' '"covering":' '"useful":' '"peak_rss_bytes":' \
  '"peak_device_bytes":0' '"options":{"input":""' '"beta":0.35' \
  '"weighting":"tf"' '"stem":true'
expect 0 similarity_graph --summary=summary.json
is_json summary.json
has summary.json '"tool":"similarity_graph"' '"clusters":null'
expect 0 density_peaks --summary=summary.json --dc=0.30
is_json summary.json
has summary.json '"tool":"density_peaks"' '"n":770' '"edges":null' \
  '"cutoff":' '"build":' '"density":' '"dependent":' '"assignment":' \
  '"dc":0.3,' '},"cutoff_distance":0.3,"cutoff_sampled":false,"index":"' \
  '"distance_evaluations":' '"candidates":' '"least_sigma":' \
  '"weakest_sigma":' '"centers":[{"peak":' '"saddle":' '"sigma":'
expect 0 vectorize --summary=summary.json
is_json summary.json
has summary.json '"tool":"vectorize"' '"edges":null'
expect 0 generate --summary=summary.json
is_json summary.json
has summary.json '"tool":"generate"' '"n":1000'
expect 0 evaluate --clusters="${examples}/encyclopedia_truth.tsv" \
  --summary=summary.json
is_json summary.json
has summary.json '"tool":"evaluate"' '"n":414' '"clusters":17'

# Relative paths are relative to the folder in which `bazel run` was called.
mkdir caller
cp "${examples}/encyclopedia.jsonl" caller/mine.jsonl
BUILD_WORKING_DIRECTORY="${work}/caller" "${tools}/oclustr" --input=mine.jsonl \
  --output=clusters.tsv --quiet 2>err || fail "bazel run: $(cat err)"
same caller/clusters.tsv expected

finish
