#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# embed_text.sh HEADER FUNCTION=FILE...: prints a C++ file in which each FUNCTION
# of namespace warpclust returns the text of its FILE. A FUNCTION that is named
# several times returns its files one after another.
set -euo pipefail

header=$1
shift
printf '#include "%s"\n\nnamespace warpclust {\n' "$header"

open=
close_function() {
  if [ -n "$open" ]; then
    printf ';\n  return absl::string_view(kText, sizeof(kText) - 1);\n}\n'
  fi
}
for argument in "$@"; do
  function=${argument%%=*}
  file=${argument#*=}
  if grep -qF ')embed"' "$file"; then
    echo "$file: expected a text without )embed\", found one" >&2
    exit 1
  fi
  if [ "$function" != "$open" ]; then
    close_function
    open=$function
    printf '\nabsl::string_view %s() {\n  static constexpr char kText[] =' "$function"
  fi
  printf '\n      R"embed('
  cat "$file"
  printf ')embed"'
done
close_function
printf '\n}  // namespace warpclust\n'
