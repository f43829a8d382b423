// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WriteNetworkPage: one self-contained page about a correlation clustering: the
// clusters by size and cost, the edges that contradict them, how each vertex is
// bound to its cluster, how stable clusters and vertices are over the best
// partitions that were found, and I(P) and its lower bound over time.
// WriteNetworkJson writes the same as JSON.
//
// Complexity: linear, and a sort of the edges that contradict the clusters.
// About 45 bytes of page per vertex besides its name, 22 per edge that
// contradicts the clusters, 27 per cluster, and 0.3 MB for the rest.

#ifndef WARPCLUST_TOOLS_REPORT_NETWORK_PAGE_H_
#define WARPCLUST_TOOLS_REPORT_NETWORK_PAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/correlation/bound/cycle_packing.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/html/html_page.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// All texts are shown literally.
struct NetworkPageOptions {
  // Heading and window title: "network.txt".
  std::string title;
  // The command line, one word each; the page shows it.
  std::vector<std::string> command;
  // Of the whole search, with the bound.
  double seconds = 0;
  // A proved lower bound of I(P), in units, and how it grew.
  absl::optional<int64_t> lower_bound = absl::nullopt;
  absl::Span<const CyclePacking::Step> bounds = {};
  // The most vertices and edges that the page lists; at least 0. It takes the
  // vertices of largest cost, and the heaviest edges between these.
  int32_t max_vertices = 100000;
  int32_t max_edges = 100000;
};

// `names` has the name of each vertex; `result` must be one of the graph.
// InvalidArgument, before anything is written, if the lengths do not fit or a
// label is out of range.
absl::Status WriteNetworkPage(
    const SignedGraph& graph, absl::Span<const std::string> names,
    const CorrelationResult& result,
    absl::Span<const SearchControl::Improvement> improvements,
    const NetworkPageOptions& options, PageSink write);

// One object: objective, lower_bound (or null), proven_optimal, alternatives
// (the I(P) of other partitions found), clusters (size, negative_inside,
// positive_outside, stability), conflicts (u, v, weight; the heaviest edges
// that contradict the clusters), vertices (id, cluster, cost, stability),
// improvements and bounds (pairs of seconds and value), conflicts_total and
// vertices_total. Stabilities are null without alternatives.
absl::Status WriteNetworkJson(
    const SignedGraph& graph, absl::Span<const std::string> names,
    const CorrelationResult& result,
    absl::Span<const SearchControl::Improvement> improvements,
    const NetworkPageOptions& options, PageSink write);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPORT_NETWORK_PAGE_H_
