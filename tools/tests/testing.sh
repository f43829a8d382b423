# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the end-to-end tests of the tools: finds the tools, counts
# failures. Each check prints what it ran when it fails.
#
# Long loops take a share of their cases by default. All cases:
#   bazel test --test_env=WARPCLUST_FULL_TESTS=1 //tools/tests/...

set -u
tools="${TEST_SRCDIR}/${TEST_WORKSPACE}/tools"
examples="${TEST_SRCDIR}/${TEST_WORKSPACE}/examples"
work="${TEST_TMPDIR}/work"
rm -rf "${work}"
mkdir -p "${work}"
cd "${work}" || exit 1
failures=0

# normally N FULL: prints N, or FULL if all cases are to be tested.
normally() {
  if [[ -n "${WARPCLUST_FULL_TESTS:-}" ]]; then
    echo "$2"
  else
    echo "$1"
  fi
}

# fail WHAT...
fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# expect CODE TOOL ARGUMENTS...: runs a tool with no standard input; leaves its
# output in ./out and ./err.
expect() {
  local code="$1" tool="$2"
  shift 2
  "${tools}/${tool}" "$@" >out 2>err </dev/null
  local found=$?
  if [[ "${found}" != "${code}" ]]; then
    fail "${tool} $*: expected exit code ${code}, found ${found}: $(cat err)"
  fi
}

# has FILE TEXT...: the file contains every text.
has() {
  local file="$1" text
  shift
  for text in "$@"; do
    grep -qF -e "${text}" "${file}" ||
      fail "expected \"${text}\" in ${file}, found: $(head -c 2000 "${file}")"
  done
}

# same A B: the files have the same bytes.
same() {
  cmp -s "$1" "$2" || fail "$1 and $2 differ: $(diff "$1" "$2" | head -5)"
}

# is_json FILE: one JSON object, by the strict parser of the JSON Lines reader.
is_json() {
  if ! tr -d '\n' <"$1" | sed '1s/^{/{"text":"",/' |
    "${tools}/vectorize" --input=- --input_format=jsonl --quiet \
      >/dev/null 2>json_err; then
    fail "$1 is not JSON: $(cat json_err)"
  fi
}

finish() {
  if [[ "${failures}" != 0 ]]; then
    echo "${failures} checks failed" >&2
    exit 1
  fi
  exit 0
}
