// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GenerateSignedGraph: a random signed graph with an exact number of edges and
// of negative edges, as used in experiments on correlation clustering.
//
// round(density * n(n-1)/2) of the pairs are edges, and round(negative * edges)
// of those are negative. All such choices are equally likely.
//
// The same options give the same bytes on every machine. Up to density 1/16:
// O(edges log edges) time and 8 bytes per edge. Above: O(n^2) time and no
// memory.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_GENERATE_SIGNED_GRAPH_H_
#define WARPCLUST_TOOLS_SYNTHETIC_GENERATE_SIGNED_GRAPH_H_

#include <cstdint>

#include "base/numbers/decimal.h"
#include "tools/synthetic/generator.h"

namespace warpclust {

struct GenerateSignedGraphOptions {
  int32_t num_vertices = 1000;
  Decimal density = "0.01";  // In [0, 1].
  Decimal negative = "0.5";  // In [0, 1].
  uint64_t seed = 1;

  // The counts above, for valid options.
  int64_t num_edges() const;
  int64_t num_negative() const;
};

// Writes two comment lines and a line `u v 1` or `u v -1` per edge, u < v,
// vertices from 0, in ascending order.
void GenerateSignedGraph(const GenerateSignedGraphOptions& options,
                         const TextSink& graph,
                         const DoneCallback& done = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_GENERATE_SIGNED_GRAPH_H_
