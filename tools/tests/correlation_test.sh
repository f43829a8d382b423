#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# correlation_cluster from end to end: known optima, formats, methods, and a
# search that is ended early.

source "${TEST_SRCDIR}/${TEST_WORKSPACE}/tools/tests/testing.sh"
set -o pipefail
PATH="${tools}:${PATH}"

# auto and the four variants of the paper; --help lists them.
methods=(auto seq_grasp seq_ils grasp_cudavnd ils_cudavnd)
expect 0 correlation_cluster --help
has out "${methods[@]}"

# The bundled tribes: the proved optimum, by every method, and its clusters.
{
  for tribe in GAVEV KOTUN; do printf '%s\t0\n' ${tribe}; done
  for tribe in OVE ALIKA; do printf '%s\t1\n' ${tribe}; done
  printf 'NAGAM\t2\n'
  for tribe in GAHUK MASIL UKUDZ; do printf '%s\t1\n' ${tribe}; done
  for tribe in NOTOH KOHIK; do printf '%s\t2\n' ${tribe}; done
  for tribe in GEHAM ASARO; do printf '%s\t1\n' ${tribe}; done
  for tribe in UHETO SEUVE; do printf '%s\t2\n' ${tribe}; done
  for tribe in NAGAD GAMA; do printf '%s\t0\n' ${tribe}; done
} >tribes.expected
expect 0 correlation_cluster
same out tribes.expected
has err "using the bundled example (examples/tribes.txt)" "I(P) = 2, found" \
  "the proved optimum of this example is 2: reached" \
  "16 vertices, 58 edges, 3 clusters, 16 memberships, I(P) 2;"
for method in "${methods[@]}" grasp ils; do
  expect 0 correlation_cluster --method="${method}" --summary=summary.json
  same out tribes.expected
  is_json summary.json
  has summary.json '"tool":"correlation_cluster"' '"n":16' '"edges":58' \
    '"clusters":3' '"memberships":16' '"objective":2,' '"balance":56,' \
    '"positive_weight":29,' '"negative_weight":29,' '"constant_cost":0,' \
    "\"method\":\"${method}\"" '"stopped":"no"' '"starts":' \
    '"proven_optimal":' '"seconds_to_best":' '"improvements":[['
done
# The optimum is compared: another network under the name of the example.
mkdir -p archive/bin archive/examples
cp "${tools}/correlation_cluster" archive/bin/
{
  cat "${examples}/tribes.txt"
  printf 'GAVEV extra 1\nextra OVE 1\n'
} >archive/examples/tribes.txt
env -i "${work}/archive/bin/correlation_cluster" >out 2>err ||
  fail "archive: $(cat err)"
has err "I(P) = 3, found" "the proved optimum of this example is 2: not reached"

# The bound meets the optimum, and its proof holds, unless it is changed.
expect 0 correlation_cluster --help
has out "--bound" "--certificate=PATH"
expect 0 correlation_cluster --bound --summary=summary.json
same out tribes.expected
has err "I(P) 2 (optimal);"
has summary.json '"lower_bound":2' '"proven_optimal":true' '"bound":'
expect 0 correlation_cluster --certificate=proof.txt
same out tribes.expected
has proof.txt "lower_bound 2 units_per_one 1"
expect 0 evaluate --certificate=proof.txt --network="${examples}/tribes.txt"
is_json out
has out '"lower_bound":2' '"cycles":2'
sed 's/lower_bound 2/lower_bound 3/' proof.txt >forged.txt
expect 2 evaluate --certificate=forged.txt --network="${examples}/tribes.txt"
has err "forged.txt: expected cycles that prove 3 units"
# Cycles prove half of the positive weight; a semidefinite program proves more.
generate --kind=signed --n=60 --density=0.9 --negative=0.5 --quiet >random60
expect 0 correlation_cluster --input=random60 --iterations=1 --certificate=proof.txt \
  --output=clusters --summary=summary.json
has proof.txt " semidefinite"
expect 0 evaluate --certificate=proof.txt --network=random60
has out '"proof":"semidefinite"'
sed '$s/^[0-9]*/1/' proof.txt >forged.txt
expect 2 evaluate --certificate=forged.txt --network=random60
has err "expected numbers that make a matrix positive semidefinite"
# Small networks are solved, whatever cycles prove.
generate --kind=signed --n=14 --density=1 --negative=0.5 --quiet >random14
expect 0 correlation_cluster --input=random14 --certificate=proof.txt --output=clusters
has err "(optimal)"
has proof.txt "exact 0 1 2 3"
expect 0 evaluate --certificate=proof.txt --network=random14
has out '"proof":"exact"'
expect 1 evaluate --certificate=proof.txt
expect 1 evaluate --network="${examples}/tribes.txt"

# Constraints. OVE and GAVEV must be together, GAVEV and NAGAD apart.
expect 0 correlation_cluster --help
has out "--must_link=PATH" "--cannot_link=PATH" "--initial=PATH" "--fixed=PATH"
printf '# friends\nOVE GAVEV\n' >must.txt
printf '"GAVEV","NAGAD"\n' >cannot.txt
for method in "${methods[@]}"; do
  expect 0 correlation_cluster --must_link=must.txt --cannot_link=cannot.txt \
    --method="${method}" --bound --summary=summary.json
  has err "I(P) 9 (optimal);" "no partition that meets the constraints costs"
  has summary.json '"objective":9,' '"lower_bound":9'
  [[ "$(awk '$1 ~ /^(OVE|GAVEV)$/ { print $2 }' out | uniq | wc -l)" == 1 ]] ||
    fail "--must_link"
  [[ "$(awk '$1 ~ /^(NAGAD|GAVEV)$/ { print $2 }' out | uniq | wc -l)" == 2 ]] ||
    fail "--cannot_link"
done
printf 'OVE NAGAM\nNAGAM NAGAD\n' >>must.txt
expect 2 correlation_cluster --must_link=must.txt --cannot_link=cannot.txt
has err "'GAVEV' and 'NAGAD' may not share a cluster, but must share one: 'GAVEV' - 'OVE' - 'NAGAM' - 'NAGAD'"
printf '%% OVE nobody\n# nobody\nOVE nobody\n' >unknown.txt
expect 2 correlation_cluster --cannot_link=unknown.txt
has err "unknown.txt:3: expected vertices of the network, found 'nobody'"
expect 2 correlation_cluster --cannot_link=<(cat unknown.txt)
has err ": expected vertices of the network, found 'nobody'"
printf 'OVE GAVEV -1\n' >minus.txt
expect 2 correlation_cluster --must_link=minus.txt
has err "minus.txt: expected lines \`u v\`, found a negative weight"
expect 1 correlation_cluster --must_link=must.txt --certificate=proof.txt
has err "--must_link does not go with --certificate"

# A start: its result is not worse, and stays where it is fixed.
expect 0 correlation_cluster --initial=tribes.expected --summary=summary.json
same out tribes.expected
has summary.json '"initial_objective":2' '"objective":2,'
grep -v UKUDZ tribes.expected | sed 's/KOTUN\t0/KOTUN\t1/' >initial.tsv
printf 'newcomer\t5\n' >>initial.tsv
expect 0 correlation_cluster --initial=initial.tsv
same out tribes.expected
has err "initial.tsv: 1 vertex of the network not in it, which start alone" \
  "initial.tsv: 1 vertex not in the network, left out"
printf '# kept\nKOTUN\nOVE\tanything\nGAVEV\n' >fixed.txt
expect 0 correlation_cluster --initial=initial.tsv --fixed=fixed.txt
[[ "$(awk '$1 ~ /^(OVE|KOTUN)$/ { print $2 }' out | uniq | wc -l)" == 1 ]] ||
  fail "--fixed: together"
[[ "$(awk '$1 ~ /^(GAVEV|KOTUN)$/ { print $2 }' out | uniq | wc -l)" == 2 ]] ||
  fail "--fixed: apart"
printf 'KOTUN GAVEV\n' >must.txt
expect 2 correlation_cluster --initial=initial.tsv --fixed=fixed.txt \
  --must_link=must.txt
has err "'GAVEV' are fixed in different clusters"
expect 2 correlation_cluster --initial=initial.tsv --fixed=must.txt
has err "must.txt:1: expected a vertex of the network, found 'KOTUN GAVEV'"
cat tribes.expected tribes.expected | sed '1s/0/1/' >twice.tsv
expect 2 correlation_cluster --initial=twice.tsv
expect 1 correlation_cluster --fixed=fixed.txt
expect 1 correlation_cluster --initial=initial.tsv --method=seq_ils

# The page, which does not change the clusters.
expect 0 correlation_cluster --help
has out "--report=PATH"
expect 0 correlation_cluster --report=report.html
same out tribes.expected
has report.html "<!doctype html>" "<h1>tribes.txt</h1>" "default-src 'none'" \
  '"imbalanceText":"2"' '"MASIL"' '"--report=report.html"'
expect 0 correlation_cluster --report=again.html
same out tribes.expected
expect 0 correlation_cluster --report=report.json --bound
same out tribes.expected
is_json report.json
has report.json '{"objective":2,"lower_bound":2,"proven_optimal":true' \
  '"conflicts_total":2' '"negative_inside":0,"positive_outside":2' \
  '{"u":"NAGAM","v":"MASIL","weight":1}' '"stability":' '"improvements":[' '"bounds":['
expect 0 correlation_cluster --format=graphml --report=graph.html
has graph.html "</html>"
expect 1 correlation_cluster --report=
expect 1 correlation_cluster --output=same --report=same
expect 3 correlation_cluster --report=missing/report.html
expect 2 correlation_cluster --input=missing.txt --report=none.html
[[ -e none.html ]] && fail "a page of a run that failed"

# The same network as a matrix, gzip'ed, from a pipe, with signs as weights.
awk '!/^#/ { if (!($1 in id)) id[$1] = ++n; if (!($2 in id)) id[$2] = ++n
             print id[$1], id[$2], $3 }' "${examples}/tribes.txt" >pairs
{
  printf '%%%%MatrixMarket matrix coordinate integer symmetric\n16 16 58\n'
  awk '$1 < $2 { print $2, $1, $3; next } { print }' pairs
} >tribes.mtx
expect 0 correlation_cluster --input=tribes.mtx --format=json
is_json out
has err "16 vertices, 58 edges, 3 clusters" "I(P) 2;"
gzip -c tribes.mtx | correlation_cluster --input=- --format=json --quiet >json
same json out
gzip -k tribes.mtx
expect 0 correlation_cluster --input=tribes.mtx.gz --format=json --quiet
same json out
sed 's/ 1$/ +/; s/ -1$/ -/' "${examples}/tribes.txt" >signs.txt
expect 0 correlation_cluster --input=signs.txt --quiet
same out tribes.expected
tr ' \t' ',' <"${examples}/tribes.txt" | grep -v '^#' >tribes.csv
expect 0 correlation_cluster --input=tribes.csv --sign_only
has err "I(P) 2;"

# Costs of clusters are exact decimals. A cut edge counts in two clusters.
printf 'a b 0.1\nb c 0.2\na c -0.3\nd d 5\n' >decimal.txt
expect 0 correlation_cluster --input=decimal.txt --skip_loops --format=json \
  --summary=summary.json
has err "loops left out: 1" "I(P) = 0.1,"
has summary.json '"n":4,' '"objective":0.1,' '"balance":0.5,'
printf '%s\n' '{"clusters":[' \
  '{"members":["a"],"negative_inside":0,"positive_outside":0.1},' \
  '{"members":["b","c"],"negative_inside":0,"positive_outside":0.1},' \
  '{"members":["d"],"negative_inside":0,"positive_outside":0}]}' >json.expected
same out json.expected
# Weights of more than nine decimal places are rounded, which is said.
printf 'a b 0.12345678951\nb c 1\n' >long.txt
expect 0 correlation_cluster --input=long.txt
has err "weights rounded to nine decimal places: 1; I(P) is exact for the"
# Each parallel edge counts.
printf 'a b 3\nb a -1\nb c 1\nb c -2\n' >parallel.txt
expect 0 correlation_cluster --input=parallel.txt --summary=summary.json
printf 'a\t0\nb\t0\nc\t1\n' >parallel.expected
same out parallel.expected
has summary.json '"edges":4,' '"objective":2,' '"balance":5,' \
  '"constant_cost":2,'

# Generated networks: the same bytes with any number of threads, and output that
# evaluate reads.
generate --kind=signed --n=200 --density=0.1 --negative=0.4 --quiet >network
for method in "${methods[@]}"; do
  limits="--iterations=2"
  [[ "${method}" == *grasp* ]] && limits="--iterations=20"
  for threads in 1 2 3; do
    correlation_cluster --input=network --method="${method}" ${limits} \
      --threads=${threads} --quiet --summary="${method}".json \
      >"${method}".${threads} || fail "--method=${method}"
    same "${method}".${threads} "${method}".1
  done
  [[ "$(wc -l <"${method}".1)" == 200 ]] || fail "--method=${method}: vertices"
  evaluate --truth=auto.1 --clusters="${method}".1 --quiet >measures ||
    fail "evaluate --clusters of --method=${method}"
  has measures '"items":200'
  is_json measures
done
generate --kind=signed --n=200 --density=0.1 --negative=0.4 --quiet |
  correlation_cluster --input=- --iterations=2 --quiet >out ||
  fail "generate | correlation_cluster"
same out auto.1
correlation_cluster --input=network --method=ils --iterations=2 --alpha=0.3 \
  --ils_iterations=2 --perturbation_max=3 --neighborhood=1 --seed=7 --quiet \
  >out 2>err || fail "flags of ils: $(cat err)"
correlation_cluster --input=network --method=grasp --iterations=3 --alpha=0 \
  --no_improvement=2 --neighborhood=1 --quiet >out 2>err ||
  fail "flags of grasp: $(cat err)"

# The local searches and older names: what grasp means is seq_grasp.
for method in grasp seq_grasp grasp_cudavnd; do
  correlation_cluster --input=network --method=${method} --iterations=1 \
    --quiet >${method}.once || fail "--method=${method}"
done
same grasp.once seq_grasp.once
cmp -s seq_grasp.once grasp_cudavnd.once &&
  fail "grasp_cudavnd makes the moves of seq_grasp"

# A time limit ends an endless search.
generate --kind=signed --n=300 --density=0.2 --negative=0.8 --quiet >hard
endless=(--input=hard --iterations=1000000000)
for method in "${methods[@]}"; do
  more=(--no_improvement=1000000000)
  [[ "${method}" == *ils* ]] && more=()
  expect 0 correlation_cluster "${endless[@]}" "${more[@]}" --method="${method}" \
    --time_limit=0.3 --summary=summary.json
  has err "the time limit ended the search" "I(P) = "
  has summary.json '"stopped":"time_limit"' '"time_limit":0.3,'
  [[ "$(wc -l <out)" == 300 ]] || fail "--time_limit: vertices"
done

# In a large network the limit comes before the first local optimum.
generate --kind=signed --n=100000 --edges=2000000 --negative=0.2 --quiet >large
compute_seconds() { sed 's/.*"compute":\([0-9.]*\).*/\1/' summary.json; }
expect 0 correlation_cluster --input=large --iterations=1 --summary=summary.json
whole="$(compute_seconds)"
vertices="$(wc -l <out)"
for limit in 0.001 0.05; do
  expect 0 correlation_cluster --input=large --time_limit="${limit}" \
    --summary=summary.json
  has summary.json '"stopped":"time_limit"'
  [[ "$(wc -l <out)" == "${vertices}" ]] || fail "--time_limit: vertices"
  awk -v s="$(compute_seconds)" -v limit="${limit}" -v whole="${whole}" \
    'BEGIN { exit !(s - limit < whole / 2) }' ||
    fail "--time_limit=${limit}: $(compute_seconds) s of ${whole} s"
done
rm large

# A certificate that cannot be written is refused before the work, not after.
expect 3 correlation_cluster "${endless[@]}" --no_improvement=1000000000 \
  --certificate=missing/proof.txt
has err "missing/proof.txt"

# So does an interrupt: the best result so far is written, complete, and the exit
# code is 0.
limit=120
for signal in INT TERM; do
  # With job control, since bash starts other background jobs with SIGINT
  # ignored. The time limit ends the test if the signal does not.
  rm -f err  # What the run before wrote there is no sign of this one.
  (
    set -m
    correlation_cluster "${endless[@]}" --no_improvement=1000000000 \
      --time_limit="${limit}" --progress --output=interrupted \
      --summary=interrupted.json 2>err &
    pid=$!
    for _ in $(seq 1200); do
      grep -qs "best I(P)" err && break
      sleep 0.05
    done
    kill -s "${signal}" "${pid}"
    wait "${pid}"
    exit $?
  ) 2>/dev/null
  code=$?
  [[ "${code}" == 0 ]] || fail "SIG${signal}: exit code ${code}: $(cat err)"
  has err "correlation_cluster: compute, " " % done, " ", best I(P) " \
    "writing the best partition found so far" "300 vertices"
  is_json interrupted.json
  has interrupted.json '"stopped":"signal"'
  total="$(sed 's/.*"total":\([0-9.]*\).*/\1/' interrupted.json)"
  awk -v t="${total}" -v limit="${limit}" 'BEGIN { exit !(t < limit) }' ||
    fail "SIG${signal}: the time limit ended it, after ${total} s"
  [[ "$(wc -l <interrupted)" == 300 ]] || fail "SIG${signal}: vertices"
  evaluate --truth=interrupted --clusters=interrupted --quiet >measures ||
    fail "SIG${signal}: not a clustering"
  compgen -G "*tmp*" >/dev/null && fail "SIG${signal} left $(ls)"
  rm -f interrupted interrupted.json
done

# An interrupt cuts the bound short; what is proved until then holds.
rm -f err
generate --kind=signed --n=1500 --density=0.2 --negative=0.5 --quiet >dense
(
  set -m
  correlation_cluster --input=dense --time_limit=0.1 --certificate=cut.txt \
    --progress --summary=cut.json --output=cut 2>err &
  pid=$!
  for _ in $(seq 1200); do
    grep -qs "correlation_cluster: bound" err && break
    sleep 0.05
  done
  kill -s INT "${pid}"
  wait "${pid}"
  exit $?
) 2>/dev/null
code=$?
[[ "${code}" == 0 ]] || fail "interrupt of the bound: ${code}: $(cat err)"
has cut.json '"stopped":"signal"' '"lower_bound":'
expect 0 evaluate --certificate=cut.txt --network=dense

# An interrupt while the tool reads kills it.
mkfifo pipe
(
  set -m
  correlation_cluster --input=pipe --input_format=edges --output=interrupted \
    2>err &
  exec 9>pipe # Waits until the tool reads.
  kill -s INT "$!"
  wait "$!"
  exit $?
) 2>/dev/null
[[ $? == 130 ]] || fail "SIGINT while reading"
[[ -e interrupted ]] && fail "SIGINT while reading left $(ls)"

finish
