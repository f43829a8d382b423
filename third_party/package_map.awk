# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# awk -f package_map.awk USES...: prints the uses that the layering tests list, one
# line "FOLDER USE" each, as Markdown: a diagram of the packages, without arrows that
# follow from others, and a table of the folders. Fails if folders use each other in
# a circle.

# graph/io belongs to graph, algorithms/online/state to algorithms/online.
function package(folder, parts, n) {
  n = split(folder, parts, "/")
  return parts[1] == "algorithms" && n > 1 ? parts[1] "/" parts[2] : parts[1]
}

function sorted(names, list, count, name, i) {
  count = 0
  for (name in names) {
    for (i = ++count; i > 1 && list[i - 1] > name; --i) list[i] = list[i - 1]
    list[i] = name
  }
  return count
}

# reach[a, b] for all paths; fails on a circle.
function close_paths(list, count, reach, i, j, k) {
  for (k = 1; k <= count; ++k)
    for (i = 1; i <= count; ++i)
      if ((list[i], list[k]) in reach)
        for (j = 1; j <= count; ++j)
          if ((list[k], list[j]) in reach) reach[list[i], list[j]] = 1
  for (i = 1; i <= count; ++i)
    if ((list[i], list[i]) in reach) {
      print "a circle through " list[i] > "/dev/stderr"
      failed = 1
    }
}

{
  folders[$1] = 1
  packages[package($1)] = 1
  if ($2 ~ /^@/) {
    outside[$1, substr($2, 2)] = 1
    repositories[substr($2, 2)] = 1
  } else if ($2 != "" && $2 != "third_party") {
    folders[$2] = 1
    use[$1, $2] = reach[$1, $2] = 1
    if (package($1) != package($2)) {
      package_use[package($1), package($2)] = 1
      package_reach[package($1), package($2)] = 1
    }
  }
}

END {
  num = sorted(folders, folder)
  num_packages = sorted(packages, names)
  num_repositories = sorted(repositories, repository)
  close_paths(folder, num, reach)
  close_paths(names, num_packages, package_reach)
  if (num == 0 || failed) exit 1

  print "```mermaid"
  print "graph TD"
  for (i = 1; i <= num_packages; ++i) {
    id[i] = names[i]
    gsub(/\//, "_", id[i])
    printf "  %s[\"%s\"]\n", id[i], names[i]
  }
  for (i = 1; i <= num_packages; ++i)
    for (j = 1; j <= num_packages; ++j) {
      if (!((names[i], names[j]) in package_use)) continue
      for (k = 1; k <= num_packages; ++k)
        if ((names[i], names[k]) in package_reach &&
            (names[k], names[j]) in package_reach) break
      if (k > num_packages) printf "  %s --> %s\n", id[i], id[j]
    }
  print "```"
  print ""
  print "| folder | uses | from outside |"
  print "|---|---|---|"
  for (i = 1; i <= num; ++i) {
    ours = theirs = ""
    for (j = 1; j <= num; ++j)
      if ((folder[i], folder[j]) in use)
        ours = ours (ours == "" ? "" : ", ") folder[j]
    for (j = 1; j <= num_repositories; ++j)
      if ((folder[i], repository[j]) in outside)
        theirs = theirs (theirs == "" ? "" : ", ") repository[j]
    printf "| [%s](../%s) | %s | %s |\n", folder[i], folder[i], ours, theirs
  }
}
