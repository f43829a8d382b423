#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# layering_test.sh uses A... may_use B... tests_use C... tests_may_use D...
# Fails unless A equals B and C equals D. See layering.bzl.
set -euo pipefail

declare -A list=([uses]="" [may_use]="" [tests_use]="" [tests_may_use]="")
for word in "$@"; do
  if [ "${list[$word]+is a key}" ]; then
    key=$word
  else
    list[$key]+="$word"$'\n'
  fi
done

status=0
compare() {
  local used=$1 allowed=$2 folder
  while IFS= read -r folder; do
    echo "uses $folder, which $allowed does not list"
    status=1
  done < <(comm -23 <(sort <<<"${list[$used]}") <(sort <<<"${list[$allowed]}"))
  while IFS= read -r folder; do
    echo "$allowed lists $folder, which is not used"
    status=1
  done < <(comm -13 <(sort <<<"${list[$used]}") <(sort <<<"${list[$allowed]}"))
}
compare uses may_use
compare tests_use tests_may_use
exit "$status"
