#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Messages of many sizes between 1 to 4 processes, also where the system does not
# copy from process to process.
set -euo pipefail

# Sockets of Open MPI need short paths.
TMPDIR=$(mktemp -d /tmp/mpi_test.XXXXXX)
export TMPDIR
trap 'rm -rf "${TMPDIR}"' EXIT

for copies in cma none; do
  for ranks in 1 2 3 4; do
    timeout 60 mpirun --allow-run-as-root --oversubscribe --quiet \
      --mca btl_vader_single_copy_mechanism "${copies}" -n "${ranks}" "$1" || {
      echo "${ranks} ranks, copies between processes by ${copies}: code $?" >&2
      exit 1
    }
  done
done
