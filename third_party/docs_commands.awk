# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# awk -v tools='NAME|NAME' -f docs_commands.awk PAGE.md: prints the commands of a
# page, as lines `command<TAB>line number<TAB>text`, each followed by the output that
# the page shows below it, as lines `output<TAB>line number<TAB>text`.
#
# In a block between ```, the commands are the lines `$ command`; without such lines,
# all lines except comments, so that no command is missed. Blocks with a language
# (```text, ```c++, ```mermaid) have no commands. In prose, a command is text between
# backticks that begins with a program and a blank.

function emit(kind, line, text) {
  printf "%s\t%d\t%s\n", kind, line, text
}

# Removes a comment behind the command and repeated blanks.
function command(line, text) {
  sub(/[ \t]+#.*$/, "", text)
  gsub(/[ \t]+/, " ", text)
  gsub(/^ | $/, "", text)
  if (text != "") emit("command", line, text)
}

function end_of_block(i, text, dollars, begin) {
  for (i = 1; i <= size; ++i) if (block[i] ~ /^\$ /) dollars = 1
  for (i = 1; i <= size; ++i) {
    text = block[i]
    begin = i
    if (dollars && text !~ /^\$ /) {
      emit("output", first + i, text)
      continue
    }
    sub(/^\$ /, "", text)
    if (text ~ /^#/) continue
    while (text ~ /\\$/ && i < size) text = substr(text, 1, length(text) - 1) block[++i]
    command(first + begin, text)
  }
}

# Spans of prose may continue on the next line; paragraphs end at blank lines.
function end_of_paragraph(i, n, parts, line, text) {
  n = split(paragraph, parts, /`/)
  line = paragraph_line
  for (i = 1; i <= n; ++i) {
    text = parts[i]
    if (i % 2 == 0 && text ~ program) {
      gsub(/\n/, " ", text)
      command(line, text)
    }
    line += gsub(/\n/, "\n", parts[i])
  }
  paragraph = ""
}

BEGIN {
  program = "^((\\.\\./)*(\\./)?bazelw|bazel|bazel-bin/[^ ]*|\\.ci/run|python3|tar|tail|generate|" tools ")[ \n]"
}

/^```/ {
  end_of_paragraph()
  if (!inside) {
    inside = 1
    other = $0 != "```"
    first = NR
    size = 0
  } else {
    inside = 0
    if (!other) end_of_block()
  }
  next
}
inside { block[++size] = $0; next }
/^[ \t]*$/ { end_of_paragraph(); next }
{
  if (paragraph == "") paragraph_line = NR
  paragraph = paragraph $0 "\n"
}
END {
  end_of_paragraph()
  if (inside) { print FILENAME ": a block is not closed" > "/dev/stderr"; exit 1 }
}
