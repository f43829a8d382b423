#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests docs_test.sh on correct pages and on pages with one fault each, with a tool
# whose output is constant.
set -uo pipefail

here=$TEST_SRCDIR/$TEST_WORKSPACE/third_party
tree=$TEST_TMPDIR/tree
mkdir -p "$tree/main/tools" "$tree/main/examples" "$TEST_TMPDIR/inner"
cat >"$tree/main/tools/tool" <<'TOOL'
#!/bin/bash
[ "${1:-}" != --help ] || { echo "--beta=X --[no]stem"; exit; }
echo "tool: a note" >&2
echo "tool: 3 documents; cpu, 2 threads; total 0.01 s" >&2
printf '%s\n' a b c d
TOOL
chmod +x "$tree/main/tools/tool"
printf 'true\n' >"$tree/main/fixtures"
cp "$here/docs_commands.awk" "$tree/main/extract"
failures=0

# check RESULT TEXT: the page on standard input passes (0) or fails (1), and the
# test prints TEXT.
check() {
  local status=0
  cat >"$tree/main/page.md"
  printf 'page.md\tbazel test //...\tcannot\n' >"$tree/main/not_run"
  TEST_SRCDIR=$tree TEST_WORKSPACE=main TEST_TMPDIR=$TEST_TMPDIR/inner \
    "$here/docs_test.sh" page.md extract fixtures not_run tools/tool \
    >"$TEST_TMPDIR/said" 2>&1 || status=$?
  if [ "$status" -ne "$1" ] || ! grep -qF -e "$2" "$TEST_TMPDIR/said"; then
    printf 'FAILED: status %d instead of %d, or not said: %s\n' "$status" "$1" "$2"
    cat "$tree/main/page.md" "$TEST_TMPDIR/said"
    failures=$((failures + 1))
  fi
}

# page SHOWN: with `bazel test //...`, and SHOWN below the tool's command.
page() {
  # shellcheck disable=SC2016  # backticks of Markdown
  printf 'Run `bazel test //...`.\n\n```\n$ tool --beta=1\n%b\n```\n' "$1"
}

all='tool: 3 documents; cpu, 16 threads; total 99 s\na\nb\nc\nd'
page "$all" | check 0 "1 commands run, 1 listed as not run, 0 failures"
page 'a\n...\nc\n...' | check 0 "0 failures"
page '...\nd' | check 0 "0 failures"
page 'a\nb\n...\nd' | check 0 "0 failures"
page 'tool: ... documents; ...' | check 0 "0 failures"
page 'tool: a note\ntool: 3 documents...' | check 0 "0 failures"
page 'tool: 3 documents...\ntool: a note' | check 1 "standard error has no line"
page 'tool: 4 documents...' | check 1 "standard error has no line"
page 'a\nb\nc' | check 1 "more lines than are shown: d"
page 'a\nx\n...' | check 1 "standard output has no lines"
page 'b\n...' | check 1 "standard output has no lines"
page '...\nc' | check 1 "standard output has no lines"
page '...\nc\n...\nb\n...' | check 1 "standard output has no lines"
page 'a\nb\nc\nd\ne' | check 1 "standard output has no lines"
page "$all\n\$ false" | check 1 "exit code 1: false"
page "$all\n\$ bazel build //..." | check 1 "a test cannot build"
page "$all\n\$ bazel run //tools:tool -- --beta=2\n..." | check 0 "2 commands run"
page "$all\n\`\`\`\n\n\`\`\`\nno_such_program here" | check 1 "no_such_program"
page "$all\n\`\`\`\n\n\`\`\`text\nno_such_program here" | check 0 "0 failures"
page "$all\n\`\`\`\n\nIn prose \`tool |\ngrep e\`.\n\n\`\`\`text" | check 1 "grep e"
page "$all\n\`\`\`\n\nA flag \`--alpha\`.\n\n\`\`\`text" | check 1 "flag --alpha"
page "$all" | sed '1d' | check 1 "a command that is not here: bazel test //..."
page "$all" | sed '$d' | check 1 "not closed"

[ "$failures" -eq 0 ]
