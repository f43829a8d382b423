# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# awk -f package_map.awk GRAPH: what `bazel query --output=graph` says of targets,
# as Markdown about packages: a diagram with the arrows that do not follow from
# others, and a table with all of them.

function package(label) {
  sub(/:.*/, "", label)
  sub(/^\/\//, "", label)
  return label
}

# Build code is in third_party and at the root; what is left are ours.
function ours(label) {
  return label ~ /^\/\/[a-z]/ && label !~ /^\/\/third_party/
}

function see(name, i) {
  if (name in known) return
  known[name] = 1
  for (i = ++num; i > 1 && names[i - 1] > name; --i) names[i] = names[i - 1]
  names[i] = name
}

# "a, b, c" with one more, in order.
function with(list, item, n, parts, i, result, done) {
  n = split(list, parts, /, /)
  for (i = 1; i <= n; ++i) {
    if (!done && parts[i] > item) {
      result = result (result == "" ? "" : ", ") item
      done = 1
    }
    result = result (result == "" ? "" : ", ") parts[i]
  }
  return done ? result : result (result == "" ? "" : ", ") item
}

$1 ~ /^"/ {
  gsub(/"/, "")
  sub(/;$/, "")
  if (!ours($1)) next
  from = package($1)
  see(from)
  if ($2 != "->") next
  if (ours($3)) {
    to = package($3)
    see(to)
    if (from != to) edge[from, to] = reach[from, to] = 1
  } else if ($3 ~ /^@/) {
    to = $3
    sub(/^@/, "", to)
    sub(/\/\/.*/, "", to)
    if (!((from, to) in outside)) {
      outside[from, to] = 1
      external[from] = with(external[from], to)
    }
  }
}

END {
  if (num == 0) {
    print "no packages" > "/dev/stderr"
    exit 1
  }
  for (k = 1; k <= num; ++k)
    for (i = 1; i <= num; ++i)
      if ((names[i], names[k]) in reach)
        for (j = 1; j <= num; ++j)
          if ((names[k], names[j]) in reach) reach[names[i], names[j]] = 1
  print "```mermaid"
  print "graph TD"
  for (i = 1; i <= num; ++i) {
    id = names[i]
    gsub(/\//, "_", id)
    printf "  %s[\"%s\"]\n", id, names[i]
    if ((names[i], names[i]) in reach) {
      print "a cycle through " names[i] > "/dev/stderr"
      exit 1
    }
  }
  for (i = 1; i <= num; ++i)
    for (j = 1; j <= num; ++j) {
      if (!((names[i], names[j]) in edge)) continue
      for (k = 1; k <= num; ++k)
        if ((names[i], names[k]) in reach && (names[k], names[j]) in reach) break
      if (k <= num) continue
      from = names[i]
      to = names[j]
      gsub(/\//, "_", from)
      gsub(/\//, "_", to)
      printf "  %s --> %s\n", from, to
    }
  print "```"
  print ""
  print "| package | uses of ours | uses from outside |"
  print "|---|---|---|"
  for (i = 1; i <= num; ++i) {
    uses = ""
    for (j = 1; j <= num; ++j)
      if ((names[i], names[j]) in edge) uses = uses (uses == "" ? "" : ", ") names[j]
    printf "| [%s](../%s) | %s | %s |\n", names[i], names[i], uses, external[names[i]]
  }
}
