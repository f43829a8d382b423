#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# One process says why a job of 2 to 4 ends, however many want to.
set -uo pipefail

# Sockets of Open MPI need short paths.
TMPDIR=$(mktemp -d /tmp/mpi_test.XXXXXX)
export TMPDIR
trap 'rm -rf "${TMPDIR}"' EXIT

for ranks in 2 3 4; do
  timeout 50 mpirun --allow-run-as-root --oversubscribe --quiet -n "${ranks}" "$1" \
    2>"${TMPDIR}/err"
  code=$?
  spoke=$(grep -c 'the last words' "${TMPDIR}/err")
  if [[ "${code}" != 4 || "${spoke}" != 1 ]]; then
    echo "${ranks} ranks: code ${code}, ${spoke} spoke: $(cat "${TMPDIR}/err")" >&2
    exit 1
  fi
done
