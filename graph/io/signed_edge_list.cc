// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/signed_edge_list.h"

#include <utility>

#include "absl/status/status.h"
#include "graph/io/edge_line_parser.h"
#include "graph/io/signed_edge_collector.h"

namespace warpclust {

absl::StatusOr<SignedEdgeList> ReadSignedEdgeList(
    LineReader& lines, const SignedEdgeListOptions& options) {
  EdgeLineParser parser;
  SignedEdgeCollector edges(options.sign_only, options.skip_loops);
  absl::string_view line;
  while (lines.Next(&line)) {
    EdgeLine edge;
    const absl::StatusOr<bool> has_edge = parser.Parse(lines, line, &edge);
    if (!has_edge.ok()) return has_edge.status();
    if (!*has_edge) continue;
    if (edge.weight == "+") edge.weight = "1";
    if (edge.weight == "-") edge.weight = "-1";
    if (absl::Status s = edges.Add(lines, edge); !s.ok()) return s;
  }
  if (!lines.status().ok()) return lines.status();
  if (absl::Status s = parser.CheckHeader(lines); !s.ok()) return s;

  absl::StatusOr<SignedGraph> graph = edges.Build(lines, parser.ids().names());
  if (!graph.ok()) return graph.status();
  SignedEdgeList list;
  list.graph = *std::move(graph);
  list.ids = parser.ids().TakeNames();
  list.skipped_loops = edges.skipped_loops();
  return list;
}

absl::StatusOr<SignedEdgeList> ReadSignedEdgeList(
    absl::string_view path, const SignedEdgeListOptions& options) {
  absl::StatusOr<LineReader> lines = LineReader::Open(path);
  if (!lines.ok()) return lines.status();
  return ReadSignedEdgeList(*lines, options);
}

}  // namespace warpclust
