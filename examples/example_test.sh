#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# example_test.sh NAME: runs the example NAME, compares what it prints with
# NAME_output.txt, and counts its lines.
set -euo pipefail
cd "${TEST_SRCDIR}/${TEST_WORKSPACE}"
diff "examples/$1_output.txt" <("examples/$1")
lines=$(wc -l <"examples/$1.cc")
if [ "${lines}" -gt 50 ]; then
  echo "examples/$1.cc: expected at most 50 lines, found ${lines}"
  exit 1
fi
