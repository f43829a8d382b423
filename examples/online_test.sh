#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the example online and compares its output with online_output.txt.
set -euo pipefail
cd "${TEST_SRCDIR}/${TEST_WORKSPACE}/examples"
diff <(./online) online_output.txt
