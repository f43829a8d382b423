#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# layering_test.sh LABELS_FILE PACKAGE...: fails if a label of our own lies in none
# of the packages (or below them).
set -euo pipefail

labels=$1
shift
[ -s "$labels" ] || {
  echo "no labels to check in $labels" >&2
  exit 1
}

status=0
while IFS= read -r label; do
  # Labels of external repositories start with @; those at the root are switches.
  case $label in
    //:* | //third_party* | @*) continue ;;
  esac
  package=${label#//}
  package=${package%%:*}
  allowed=no
  for prefix in "$@"; do
    case $package/ in
      "$prefix"/*) allowed=yes ;;
    esac
  done
  if [ "$allowed" = no ]; then
    echo "reaches $label; allowed: $*" >&2
    status=1
  fi
done <"$labels"
exit "$status"
