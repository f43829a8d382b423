// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GenerateSignedGraph: a seeded random signed graph with an exact number of
// edges and an exact number of negative ones, as correlation clustering is
// usually tried on.
//
// round(density · n(n-1)/2) of all pairs are edges and round(negative · edges)
// of those are negative, every such choice being equally likely.
//
// Determinism: the same options give the same bytes on every machine. Cost:
// O(edges log edges) and 8 bytes an edge up to density 1/16, above that O(n²)
// time and no memory. Thread-safety: pure.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_GENERATE_SIGNED_GRAPH_H_
#define WARPCLUST_TOOLS_SYNTHETIC_GENERATE_SIGNED_GRAPH_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "base/numbers/decimal.h"
#include "tools/cli/text_sink.h"

namespace warpclust {

struct GenerateSignedGraphOptions {
  int32_t num_vertices = 1000;
  Decimal density = "0.01";  // in [0, 1]
  Decimal negative = "0.5";  // in [0, 1]
  uint64_t seed = 1;

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
  // As the banner says, of valid options.
  int64_t num_edges() const;
  int64_t num_negative() const;
};

// Writes two comment lines and then `u v 1` or `u v -1` an edge, u < v,
// vertices from 0, ascending.
absl::Status GenerateSignedGraph(
    const GenerateSignedGraphOptions& options, TextSink* graph,
    const std::function<void(int64_t)>& done = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_GENERATE_SIGNED_GRAPH_H_
