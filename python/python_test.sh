#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# python_test.sh WHEEL_FOLDER PROGRAM [ARG...]: runs a Python program that imports
# warpclust from the wheel. Skipped without Debian's NumPy, SciPy and scikit-learn,
# unless WARPCLUST_REQUIRE_PYTHON=1 (CI).
set -euo pipefail
wheel=$1 program=$2
shift 2
if ! missing=$(/usr/bin/python3 -c 'import numpy, scipy, sklearn' 2>&1); then
  message="the packages python3-numpy, python3-scipy and python3-sklearn are needed: ${missing##*$'\n'}"
  if [ "${WARPCLUST_REQUIRE_PYTHON:-}" = 1 ]; then
    echo "$message" >&2
    exit 1
  fi
  echo "SKIPPED: $message"
  exit 0
fi
/usr/bin/python3 -m zipfile -e "$wheel"/*.whl "$TEST_TMPDIR/site"
export PYTHONPATH=$TEST_TMPDIR/site PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 "$program" "$@"
