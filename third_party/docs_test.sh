#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# docs_test.sh PAGE EXTRACT FIXTURES NOT_RUN [TOOL...]: runs the commands of a
# page of documentation in order, in one new folder, and compares their output with
# the page. Paths are relative to the runfiles.
#
# A command must exit with 0 (or be ended by a `head` behind it). If the page shows
# output below it,
#   - lines that begin with the name of a tool and a colon are standard error, which
#     may have more lines;
#   - all other lines are standard output, which must have no more lines;
#   - a line `...` stands for any number of lines, `...` within a line for any text;
#   - any number matches numbers of threads and seconds ("2 threads", "0.12 s");
#     what a build with CUDA expected of the devices is left out.
#
# A command that cannot run here is listed in NOT_RUN with the reason. A listed
# command that the page does not have is an error.
set -uo pipefail

root=$TEST_SRCDIR/$TEST_WORKSPACE
page=$1
extract=$root/$2
fixtures=$root/$3
not_run=$root/$4
shift 4

work=$TEST_TMPDIR/work
bin=$TEST_TMPDIR/bin
rm -rf "$work" "$bin"
mkdir -p "$work" "$bin"
failures=0

fail() {
  printf '%s:%s: %s\n' "$page" "$line" "$1" >&2
  failures=$((failures + 1))
}

# The tools by name, and stand-ins for three programs.
tools=()
for tool in "$@"; do
  ln -s "$root/$tool" "$bin/"
  tools+=("${tool##*/}")
done
tool_names=$(IFS='|' && printf '%s' "${tools[*]:-no tool}")

# bazelw run //PACKAGE:NAME -- ARGS runs NAME as Bazel does, from the runfiles.
# Nothing else that Bazel does works in a test.
cat >"$bin/bazelw" <<STAND_IN
#!/bin/bash
[ "\$1" = run ] || { echo "bazelw: a test cannot \$1" >&2; exit 99; }
program=\${2#//}
program=$root/\${program/://}
shift 2
[ "\${1:-}" != -- ] || shift
export BUILD_WORKING_DIRECTORY=\$PWD
cd "$root" && exec "\$program" "\$@"
STAND_IN
# tail -f ends with the file, so that what reads it ends.
cat >"$bin/tail" <<STAND_IN
#!/bin/bash
[ "\$1" != -f ] || shift
exec $(command -v tail) "\$@"
STAND_IN
chmod +x "$bin/bazelw" "$bin/tail"
cp -P "$bin/bazelw" "$work/"
export PATH=$bin:$PATH
# Temporary stores wait for the disk; in memory they do not.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm

cd "$work" || exit 1
line=0
if [ "$#" -gt 0 ]; then
  ln -s "$root/examples" examples
  # shellcheck source=/dev/null
  source "$fixtures" || fail "the fixtures cannot be made"
fi

# Replaces what depends on the machine, on both sides.
any_machine() {
  sed -E 's/ \(expected: [^)]*\)//; s/[0-9]+ threads?/N threads/g; s/[0-9]+(\.[0-9]+)? (s|seconds)\b/N s/g' "$1"
}

# Runs a command; compares with the file `shown`.
check() {
  local command=$1 status=0 message
  timeout 100 bash -o pipefail -c "$command" >"$TEST_TMPDIR/out" \
    2>"$TEST_TMPDIR/err" </dev/null || status=$?
  if [ "$status" -ne 0 ] && ! [[ $status -eq 141 && $command == *"| head"* ]]; then
    fail "exit code $status: $command"$'\n'"$(tail -n 5 "$TEST_TMPDIR/err")"
    return
  fi
  any_machine "$TEST_TMPDIR/out" >"$TEST_TMPDIR/out.any"
  any_machine "$TEST_TMPDIR/err" >"$TEST_TMPDIR/err.any"
  any_machine "$TEST_TMPDIR/shown" >"$TEST_TMPDIR/shown.any"
  message=$(awk -v tools="$tool_names" '
    function pattern(text, i, parts, n, result) {
      n = split(text, parts, /\.\.\./)
      for (i = 1; i <= n; ++i) {
        gsub(/[][\\.^$*+?(){}|]/, "\\\\&", parts[i])
        result = result (i > 1 ? ".*" : "") parts[i]
      }
      return "^" result "$"
    }
    FILENAME == ARGV[1] && $0 ~ "^(" tools "): " { notes[++num_notes] = $0; next }
    FILENAME == ARGV[1] { shown[++num_shown] = $0; next }
    FILENAME == ARGV[2] { out[++num_out] = $0; next }
    { err[++num_err] = $0 }
    # Whether the shown lines [first, last] are the output from line `at` on.
    function here(first, last, at, i) {
      if (at < 1 || at + last - first > num_out) return 0
      for (i = first; i <= last; ++i)
        if (out[at + i - first] !~ pattern(shown[i])) return 0
      return 1
    }
    END {
      at = 0
      for (i = 1; i <= num_notes; ++i) {
        do ++at; while (at <= num_err && err[at] !~ pattern(notes[i]))
        if (at > num_err) { print "standard error has no line: " notes[i]; exit }
      }
      if (num_shown == 0) exit
      # Runs of lines between lines "...": the first begins the output, the last
      # ends it, and each other is taken where it first comes.
      next_out = 1
      for (first = 1; first <= num_shown + 1; first = last + 2) {
        last = first - 1
        while (last < num_shown && shown[last + 1] != "...") ++last
        at = next_out
        if (last == num_shown && first > 1) {
          at = num_out - (last - first)
          if (at < next_out) at = num_out + 1
        } else if (first > 1) {
          while (at <= num_out && !here(first, last, at)) ++at
        }
        if (last >= first && !here(first, last, at)) {
          print "standard output has no lines: " shown[first] " ... " shown[last]
          exit
        }
        next_out = at + last - first + 1
        if (last == num_shown) break
      }
      if (shown[num_shown] != "..." && next_out != num_out + 1)
        print "standard output has more lines than are shown: " out[next_out]
    }' "$TEST_TMPDIR/shown.any" "$TEST_TMPDIR/out.any" "$TEST_TMPDIR/err.any")
  if [ -n "$message" ]; then
    fail "$message"
    {
      printf 'of: %s\nstandard error:\n' "$command"
      head -n 20 "$TEST_TMPDIR/err"
      printf 'standard output:\n'
      head -n 20 "$TEST_TMPDIR/out"
    } >&2
  fi
}

awk -F '\t' -v page="$page" '$1 == page { print $2 }' "$not_run" |
  sort >"$TEST_TMPDIR/not_run"
awk -v tools="$tool_names" -f "$extract" "$root/$page" >"$TEST_TMPDIR/commands" || exit 1
: >"$TEST_TMPDIR/seen"
count=0

# Records of the extractor: kind, line, text; output follows its command.
mapfile -t records <"$TEST_TMPDIR/commands"
for ((i = 0; i < ${#records[@]}; ++i)); do
  IFS=$'\t' read -r kind line text <<<"${records[i]}"
  [ "$kind" = command ] || continue
  if grep -qxF -e "$text" "$TEST_TMPDIR/not_run"; then
    printf '%s\n' "$text" >>"$TEST_TMPDIR/seen"
    continue
  fi
  : >"$TEST_TMPDIR/shown"
  while [[ $((i + 1)) -lt ${#records[@]} && ${records[i + 1]} == output$'\t'* ]]; do
    i=$((i + 1))
    output=${records[i]#*$'\t'}
    printf '%s\n' "${output#*$'\t'}" >>"$TEST_TMPDIR/shown"
  done
  count=$((count + 1))
  check "$text"
done

line=0
while IFS= read -r text; do
  fail "third_party/docs_not_run.tsv names a command that is not here: $text"
done < <(sort -u "$TEST_TMPDIR/seen" | comm -13 - "$TEST_TMPDIR/not_run")

# A page cannot name flags that no tool has.
if [ "${#tools[@]}" -gt 0 ]; then
  for tool in "${tools[@]}"; do
    "$tool" --help
  done >"$TEST_TMPDIR/help"
  while IFS= read -r flag; do
    grep -qE -e "--(\[no\])?${flag#--}\b" "$TEST_TMPDIR/help" ||
      [[ $flag =~ ^--(help|version|no_?[a-z_]+|config|cuda_archs|device)$ ]] ||
      fail "no tool has the flag $flag"
  done < <(grep -oE -e '--[a-z][a-z_]+' "$root/$page" | sort -u)
fi

printf '%s: %d commands run, %d listed as not run, %d failures\n' "$page" \
  "$count" "$(wc -l <"$TEST_TMPDIR/seen")" "$failures"
[ "$failures" -eq 0 ]
