#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# wheel_test.sh WHEEL_FOLDER EXAMPLE...: installs the wheel in a new virtual environment,
# runs the examples there, with plots, and removes it.
set -euo pipefail
wheel=$1
shift
export HOME=$TEST_TMPDIR MPLCONFIGDIR=$TEST_TMPDIR/matplotlib PIP_DISABLE_PIP_VERSION_CHECK=1
environment=$TEST_TMPDIR/environment
# NumPy and the others are Debian's: there is no network here.
/usr/bin/python3 -m venv --system-site-packages "$environment"
"$environment/bin/pip" install --quiet --no-index "$wheel"/*.whl
"$environment/bin/pip" show --files warpclust |
  grep 'warpclust/lib/libwarpclust.so' >"$TEST_TMPDIR/shown"
"$environment/bin/python" -c 'import warpclust; assert "environment" in warpclust.__file__'

failures=0
for example in "$@"; do
  plot=$TEST_TMPDIR/$(basename "$example" .py).png
  arguments=()
  ! grep -q 'def plot' "$example" || arguments=("$plot")
  if ! diff "${example%.py}_output.txt" \
    <("$environment/bin/python" "$example" "${arguments[@]}"); then
    echo "$example prints something else (> is what it printed)"
    failures=$((failures + 1))
  elif [ "${#arguments[@]}" -gt 0 ] && ! head -c 4 "$plot" | grep -q PNG; then
    echo "$example made no plot"
    failures=$((failures + 1))
  fi
  if [ "$(wc -l <"$example")" -gt 50 ]; then
    echo "$example: expected at most 50 lines"
    failures=$((failures + 1))
  fi
done

# Without SciPy and scikit-learn, what needs neither works.
plain=$TEST_TMPDIR/plain
mkdir -p "$plain"
printf 'raise ImportError("hidden by the test")\n' | tee "$plain/scipy.py" >"$plain/sklearn.py"
PYTHONPATH=$plain "$environment/bin/python" - <<'PROGRAM' || failures=$((failures + 1))
import pickle
import numpy as np
import warpclust
model = warpclust.DensityPeaks(2, cutoff_distance=1.5)
assert repr(model) == "DensityPeaks(n_clusters=2, cutoff_distance=1.5)", model
labels = model.fit_predict(np.array([[0.0], [1], [2], [10], [11], [12]]))
assert labels.tolist() == [0, 0, 0, 1, 1, 1], labels
assert model.set_params(n_clusters=1).get_params()["n_clusters"] == 1
assert pickle.loads(pickle.dumps(model)).insert([[3.0]]).n_clusters_ == 1
assert warpclust.evaluate([0, 0, 1], [1, 1, 0])["ari"] == 1
try:
    warpclust.cosine_graph(np.eye(2))
    raise SystemExit("cosine_graph did not ask for SciPy")
except ImportError as error:
    assert "SciPy" in str(error), error
try:
    warpclust.DensityPeaks().insert([[1.0]])
    raise SystemExit("insert before fit")
except ValueError as error:
    assert "not fitted" in str(error), error
PROGRAM

"$environment/bin/pip" uninstall --quiet --yes warpclust
"$environment/bin/python" -c 'import warpclust' 2>"$TEST_TMPDIR/gone" && exit 1
grep -q "No module named 'warpclust'" "$TEST_TMPDIR/gone"
[ "$failures" -eq 0 ]
