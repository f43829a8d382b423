#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# python_test.sh WHEEL_FOLDER PROGRAM [ARG...]: runs a Python program that imports
# warpclust from the wheel, or a shell script, whose first argument is the folder.
# Skipped without Debian's NumPy, SciPy, scikit-learn, matplotlib and venv, unless
# WARPCLUST_REQUIRE_PYTHON=1 (CI); and in a build with a sanitizer, whose library
# Python does not load.
set -euo pipefail
wheel=$1 program=$2
shift 2
packages=(python3-{matplotlib,numpy,scipy,sklearn,venv})
if ! error=$(/usr/bin/python3 -c 'import ensurepip, matplotlib, numpy, scipy, sklearn' 2>&1); then
  message="${error##*$'\n'}; needed: ${packages[*]}"
  if [ "${WARPCLUST_REQUIRE_PYTHON:-}" = 1 ]; then
    echo "$message" >&2
    exit 1
  fi
  echo "SKIPPED: $message"
  exit 0
fi
/usr/bin/python3 -m zipfile -e "$wheel"/*.whl "$TEST_TMPDIR/site"
if compgen -G "$TEST_TMPDIR/site/warpclust/lib/lib*san.so*" >/dev/null; then
  echo "SKIPPED: the library has a sanitizer"
  exit 0
fi
case $program in
  *.sh) exec "$program" "$wheel" "$@" ;;
esac
export PYTHONPATH=$TEST_TMPDIR/site PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 "$program" "$@"
