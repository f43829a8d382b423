#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# MODULE.bazel names each library that deps.bzl declares, and no other: Bazel 4, which
# runs this test, does not read it.
set -euo pipefail

names() { grep -oE '"[a-z0-9_]+"' | sort; }

declared=$(tr -d '\n' <third_party/deps.bzl | grep -oE ' declare\( *[a-z_]+, *"[a-z0-9_]+"' |
  names)
used=$(sed -n '/^use_repo(/,/^)/p' MODULE.bazel | names)
diff <(printf '%s\n' "$declared") <(printf '%s\n' "$used") || {
  printf 'libraries of third_party/deps.bzl (<) are not those of MODULE.bazel (>)\n'
  exit 1
}
