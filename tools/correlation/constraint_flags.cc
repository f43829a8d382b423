// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/correlation/constraint_flags.h"

#include <sys/stat.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "algorithms/correlation/constraints/constrained_graph.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "graph/io/cover_io.h"
#include "graph/io/id_map.h"
#include "graph/io/signed_edge_list.h"
#include "tools/cli/run_report.h"
#include "tools/input/read_cover.h"

namespace warpclust {
namespace {

// Names the first line with the vertex in its first two columns. Edge lists do
// not keep lines, so the file is read again, unless it was a pipe.
absl::Status NotInNetwork(const std::string& path, absl::string_view name) {
  constexpr absl::string_view kExpected = "vertices of the network";
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)) {
    ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
    absl::string_view line;
    while (lines.Next(&line)) {
      if (!line.empty() && (line[0] == '#' || line[0] == '%')) continue;
      int column = 0;
      for (const absl::string_view field : absl::StrSplit(
               line, absl::ByAnyChar(" \t,;\""), absl::SkipEmpty())) {
        if (field == name) return lines.Expected(kExpected, name);
        if (++column == 2) break;
      }
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      InputName(path), ": expected ", kExpected, ", found ", QuoteInput(name)));
}

// Lines `u v`, with the separators, quotes and comments of edge lists.
absl::StatusOr<std::vector<std::pair<int32_t, int32_t>>> ReadPairs(
    const std::string& path, const IdMap& vertices, int threads) {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  if (path.empty()) return pairs;
  SignedEdgeListOptions options;
  options.sign_only = true;
  options.num_threads = threads;
  ASSIGN_OR_RETURN(const SignedEdgeList list,
                   ReadSignedEdgeList(path, options));
  if (list.graph.num_negative_edges > 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        InputName(path), ": expected lines `u v`, found a negative weight"));
  }
  std::vector<int32_t> numbers;
  for (const std::string& name : list.ids) {
    numbers.push_back(vertices.Find(name));
    if (numbers.back() < 0) return NotInNetwork(path, name);
  }
  for (int32_t u = 0; u < list.graph.num_vertices(); ++u) {
    for (const int32_t v : list.graph.NeighborsOf(u)) {
      if (u < v) pairs.push_back({numbers[u], numbers[v]});
    }
  }
  return pairs;
}

// `vertices` has the names of the network and gets those that it lacks.
absl::StatusOr<Labels> ReadInitial(const std::string& path, IdMap* vertices,
                                   const ToolRun& run) {
  Labels labels;
  if (path.empty()) return labels;
  const int32_t n = vertices->size();
  ASSIGN_OR_RETURN(const NamedCover read, ReadNamedCover(path, vertices));
  labels.assign(n, -1);
  for (int32_t c = 0; c < read.cover.num_clusters(); ++c) {
    int32_t first = -1;
    for (const int32_t v : read.cover.MembersOf(c)) {
      if (v >= n) break;  // Members ascend.
      if (first < 0) first = v;
      if (labels[v] >= 0) {
        return absl::InvalidArgumentError(absl::StrCat(
            InputName(path), ": expected vertices in one cluster each, found ",
            QuoteInput(vertices->name(v)), " in more"));
      }
      labels[v] = first;
    }
  }
  int64_t alone = 0;
  for (int32_t v = 0; v < n; ++v) {
    if (labels[v] >= 0) continue;
    labels[v] = v;
    ++alone;
  }
  const int64_t unknown = vertices->size() - n;
  if (alone > 0) {
    run.Note(absl::StrCat(InputName(path), ": ",
                          Counted(alone, {"vertex", "vertices"}),
                          " of the network not in it, which start alone"));
  }
  if (unknown > 0) {
    run.Note(absl::StrCat(InputName(path), ": ",
                          Counted(unknown, {"vertex", "vertices"}),
                          " not in the network, left out"));
  }
  return labels;
}

// The first column of each line.
absl::StatusOr<std::vector<int32_t>> ReadFixed(const std::string& path,
                                               const IdMap& vertices,
                                               int32_t num_vertices) {
  std::vector<int32_t> fixed;
  if (path.empty()) return fixed;
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  absl::string_view line;
  while (lines.Next(&line)) {
    if (line.empty() || line[0] == '#') continue;
    const absl::string_view name = line.substr(0, line.find('\t'));
    const int32_t v = vertices.Find(name);
    if (v < 0 || v >= num_vertices) {
      return lines.Expected("a vertex of the network", name);
    }
    fixed.push_back(v);
  }
  RETURN_IF_ERROR(lines.status());
  return fixed;
}

}  // namespace

void AddConstraintFlags(ConstraintFlags* flags, FlagSet* set) {
  set->Group("Constraints and start");
  set->AddReadPath("must_link", &flags->must_link, "PATH",
                   "Pairs of vertices, lines `u v`, that share a cluster in "
                   "the result.");
  set->AddReadPath("cannot_link", &flags->cannot_link, "PATH",
                   "Pairs of vertices that do not share a cluster.");
  set->AddReadPath(
      "initial", &flags->initial, "PATH",
      "Clusters to start from, lines `id<TAB>cluster` as this tool writes "
      "them. The result is never worse. Vertices not in it start alone; names "
      "that are not in the network are left out. For --method=auto.");
  set->AddReadPath(
      "fixed", &flags->fixed, "PATH",
      "Vertices, one per line, whose clusters stay as in --initial: any two of "
      "them share a cluster if and only if they do there. Other vertices may "
      "join and leave these clusters.");
}

absl::Status ReadConstraints(const ConstraintFlags& flags,
                             absl::Span<const std::string> names,
                             const ToolRun& run, CorrelationOptions* options) {
  if (flags.must_link.empty() && flags.cannot_link.empty() &&
      flags.initial.empty()) {
    return absl::OkStatus();
  }
  IdMap vertices;
  for (const std::string& name : names) vertices.Add(name);
  const int32_t n = vertices.size();
  CorrelationConstraints& constraints = options->constraints;
  ASSIGN_OR_RETURN(constraints.must_link,
                   ReadPairs(flags.must_link, vertices, run.threads));
  ASSIGN_OR_RETURN(constraints.cannot_link,
                   ReadPairs(flags.cannot_link, vertices, run.threads));
  ASSIGN_OR_RETURN(options->initial,
                   ReadInitial(flags.initial, &vertices, run));
  ASSIGN_OR_RETURN(constraints.fixed, ReadFixed(flags.fixed, vertices, n));
  return CheckConstraints(n, options->initial, constraints,
                          [&](int32_t v) { return QuoteInput(names[v]); });
}

}  // namespace warpclust
