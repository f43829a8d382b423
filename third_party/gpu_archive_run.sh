#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the programs of the GPU archive around it. Needs an NVIDIA driver and glibc
# 2.36 or later. For usage, call it without arguments. Exit codes: 0 ok, 1 failure or
# wrong usage, 2 a folder is missing, 3 no GPU (or no compute-sanitizer).
set -uo pipefail

top=$(cd "$(dirname "$0")" && pwd) || exit 1
caller=$PWD

usage() {
  cat <<USAGE
usage: $0 COMMAND

  tests [NAME]              run the GPU tests (whose names contain NAME)
  benchmarks [NAME] [--data DIR] [--out DIR] [-- FLAG...]
                            run the benchmarks (whose names contain NAME) on the
                            data that they know by name in the folder DIR and
                            its folders; without --data on small generated data.
                            Results go to OUT/*.json (default:
                            benchmark_results). Each program gets the FLAGs:
                            -- --benchmark_filter=REGEX
  sanitizer [TOOL] [NAME]   run the tests under compute-sanitizer; TOOL is
                            memcheck (default), racecheck, initcheck, synccheck;
                            one of WARPCLUST_TEST_SHARE cases (default 17; 101
                            with racecheck)
  grid --out=FILE [--data=DIR] [FLAG...]
                            run whole jobs of the tools with --device=cpu, cuda and
                            auto, and write one JSON object per run; needs python3
                            (tools/benchmarks/BENCHMARKS.md; --help lists FLAGs)
  ranks --out=FILE [--data=DIR] [FLAG...]
                            run whole jobs of the tools on one process and on
                            several ranks with a GPU each; needs mpirun, an archive
                            built with --config=mpi, and python3 with NumPy
                            (docs/scale.md; --help lists FLAGs)
  bounds --data=DIR [--device=cuda] [FLAG...]
                            a table of lower bounds of the signed networks in DIR,
                            verified; needs python3
                            (algorithms/correlation/bound/BENCHMARKS.md; --help
                            lists FLAGs)
  python                    test the Python package with arrays in GPU memory; needs
                            python3 with NumPy and SciPy
  tool PROGRAM [ARGUMENT...]
                            run a tool: $(cd "$top/tools" && printf '%s ' *)
  list                      what is here

WARPCLUST_GPU_LIKE=8.6 in the environment limits programs to the shared memory and
the instructions of a GPU of that compute capability.
USAGE
}

export LD_LIBRARY_PATH=$top/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export TEST_SRCDIR=$top/runfiles TEST_WORKSPACE=warpclust
mkdir -p "$top/runfiles/warpclust"

say() { printf '%s\n' "$*"; }

# Prints the GPU; status 3 if there is none.
say_device() {
  if ! nvidia-smi --query-gpu=name,driver_version,memory.total \
    --format=csv,noheader 2>/dev/null; then
    say "no GPU answers on this machine: GPU tests skip themselves"
    return 3
  fi
}

# The programs of a folder whose names contain $2.
programs() {
  local program
  for program in "$top/$1"/*"${2-}"*; do
    if [ -x "$program" ]; then
      printf '%s\n' "$program"
    fi
  done
}

# The number that GoogleTest prints behind a tag: [  PASSED  ] 12 tests.
count() {
  local n
  n=$(sed -nE "s/^\[  ?$1 *\] ([0-9]+) tests?.*/\1/p" "$2" | head -n 1)
  printf '%s' "${n:-0}"
}

# Runs test programs, each behind the words of $prefix; adds up test cases.
prefix=()
run_tests() {
  local program name log status passed=0 failed=0 skipped=0 p f s begin
  local no_gpu=0
  log=$(mktemp)
  say_device || no_gpu=3
  for program in "$@"; do
    name=$(basename "$program")
    status=0
    begin=$SECONDS
    TEST_TMPDIR=$(mktemp -d) || exit 1
    export TEST_TMPDIR
    (cd "$top/runfiles/warpclust" && "${prefix[@]}" "$program") \
      >"$log" 2>&1 </dev/null || status=$?
    rm -rf "$TEST_TMPDIR"
    p=$(count PASSED "$log")
    f=$(count FAILED "$log")
    s=$(count SKIPPED "$log")
    # A crash, or a finding of the sanitizer, prints no count.
    if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
      f=1
    fi
    if [ "$status" -ne 0 ]; then
      cat "$log"
    fi
    printf '%-48s %4d passed %4d failed %4d skipped  %d s\n' \
      "$name" "$p" "$f" "$s" $((SECONDS - begin))
    passed=$((passed + p))
    failed=$((failed + f))
    skipped=$((skipped + s))
  done
  rm -f "$log"
  if [ "$skipped" -gt 0 ]; then
    say "$skipped skipped"
  fi
  if [ "$#" -eq 0 ]; then
    say "no such test"
    failed=1
  fi
  say "$passed passed, $failed failed"
  if [ "$failed" -gt 0 ]; then
    return 1
  fi
  # Tests that skipped themselves prove nothing.
  return "$no_gpu"
}

command_tests() {
  mapfile -t found < <(programs tests "${1-}")
  run_tests "${found[@]}"
}

command_sanitizer() {
  local tool=${1:-memcheck} sanitizer
  sanitizer=$(command -v compute-sanitizer ||
    command -v "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer") || {
    say "compute-sanitizer is not on PATH nor in ${CUDA_HOME:-/usr/local/cuda}/bin"
    exit 3
  }
  # Calls that fail on purpose, and are handled, are no findings.
  prefix=("$sanitizer" --tool "$tool" --report-api-errors no --error-exitcode 99)
  if [ "$tool" = initcheck ]; then
    # Copies of arrays may have gaps that nobody reads; kernels may not read any.
    prefix+=(--check-api-memory-access no)
    # cuSPARSE's product, a baseline of measurements, does.
    export GTEST_FILTER=${GTEST_FILTER:--LibraryBaselinesCudaTest.*}
  fi
  # All cases would take hours (see base/testing/case_share.h).
  local share=17
  if [ "$tool" = racecheck ]; then
    share=101
    # Where barriers of parts of a block come before those of all of it, it takes
    # accesses that __syncthreads() separates for hazards (see docs/trust.md).
    # The last is of baselines, and takes too long.
    local batched=BatchedClustererCudaTest left_out
    left_out=-$batched.EqualsSerialWithOneClusterOfManyTerms
    left_out+=:$batched.EqualsSerialWithCrowdedTerms:$batched.LittleMemory
    left_out+=:$batched.EqualsSerialWhereListsOutgrowTheirPool
    left_out+=:$batched.DecidedDocumentsSurviveLittleMemory
    left_out+=:LibraryBaselinesCudaTest.ManyPanels
    export GTEST_FILTER=${GTEST_FILTER:-$left_out}
  fi
  export WARPCLUST_TEST_SHARE=${WARPCLUST_TEST_SHARE:-$share}
  mapfile -t found < <(programs tests "${2-}")
  run_tests "${found[@]}"
}

command_benchmarks() {
  local name="" data out=benchmark_results arguments=() program passed=0 failed=0
  while [ "$#" -gt 0 ]; do
    case $1 in
      --data | --out)
        if [ "$#" -lt 2 ]; then
          usage >&2
          exit 1
        fi
        if [ "$1" = --data ]; then
          data=$(cd "$2" && pwd) || exit 2
          arguments+=(--data="$data")
        else
          out=$2
        fi
        shift
        ;;
      --)
        shift
        arguments+=("$@")
        break
        ;;
      -*)
        usage >&2
        exit 1
        ;;
      *) name=$1 ;;
    esac
    shift
  done
  mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
  arguments+=(--out="$out")
  say_device
  while IFS= read -r program; do
    say "== $(basename "$program")"
    if (cd "$top/runfiles/warpclust" && "$program" "${arguments[@]}") </dev/null
    then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
    fi
  done < <(programs benchmarks "$name")
  say "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

command_grid() {
  python3 "$top/device_grid.py" --tools="$top/tools" "$@"
}

command_ranks() {
  python3 "$top/rank_jobs.py" --tools="$top/tools" "$@"
}

command_bounds() {
  python3 "$top/bound_table.py" --tools="$top/tools" "$@"
}

command_python() {
  local package=$top/runfiles/warpclust/python
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$package \
    WARPCLUST_LIBRARY=$package/c_api/libwarpclust.so \
    python3 "$top/gpu_arrays_test.py"
}

command_tool() {
  if [ "$#" -eq 0 ] || [ ! -x "$top/tools/$1" ]; then
    usage >&2
    exit 1
  fi
  local tool=$1
  shift
  # As under bazel run: relative paths are the caller's, data files are found.
  cd "$top/runfiles/warpclust" || exit 1
  BUILD_WORKING_DIRECTORY=$caller exec "$top/tools/$tool" "$@"
}

command=${1:-}
if [ "$#" -gt 0 ]; then
  shift
fi
case $command in
  tests | benchmarks | sanitizer | grid | ranks | bounds | python | tool) "command_$command" "$@" ;;
  list) (cd "$top" && ls tests benchmarks tools) ;;
  help | --help | -h) usage ;;
  *)
    usage >&2
    exit 1
    ;;
esac
