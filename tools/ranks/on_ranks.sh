# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# For tests that run tools on the processes of mpirun. Source it after testing.sh.
# shellcheck shell=bash

# Two cores have up to four ranks; one thread each.
export OMP_NUM_THREADS=1 MALLOC_ARENA_MAX=1
# Sockets of Open MPI need short paths.
TMPDIR=$(mktemp -d /tmp/mpi_test.XXXXXX)
export TMPDIR
trap 'rm -rf "${TMPDIR}"' EXIT

# on N TOOL ARGUMENTS...: a tool on N ranks; leaves ./out and ./err; returns its
# code. Standard input is that of the caller.
on() {
  local ranks="$1" tool="$2"
  shift 2
  timeout 60 mpirun --allow-run-as-root --oversubscribe --quiet -n "${ranks}" \
    "${tools}/${tool}" "$@" >out 2>err
}

# start N TOOL ARGUMENTS...: the same in the background; sets `job`.
start() {
  on "$@" </dev/null &
  job=$!
}

# The processes of the ranks: children of mpirun, a child of timeout, a child of
# the job.
members() {
  local timeout mpirun
  timeout=$(pgrep -P "${job}") && mpirun=$(pgrep -P "${timeout}") && pgrep -P "${mpirun}"
}

# kill_within N MILLISECONDS: kills a random one of N ranks at a random time once
# mpirun has started them all: before, it may hang by itself. Fails if they have
# ended.
kill_within() {
  local ranks=() tries=0
  while [[ "${#ranks[@]}" -lt "$1" && "${tries}" -lt 500 ]] && kill -0 "${job}" 2>/dev/null; do
    sleep 0.01
    mapfile -t ranks < <(members)
    tries=$((tries + 1))
  done
  sleep "$(printf '%d.%03d' $((RANDOM % $2 / 1000)) $((RANDOM % $2 % 1000)))"
  [[ "${#ranks[@]}" == "$1" ]] && kill -KILL "${ranks[$((RANDOM % $1))]}" 2>/dev/null
}
