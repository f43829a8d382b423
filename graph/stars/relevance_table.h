// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RelevanceTable: degree, AIS and relevance of every vertex of a graph, as
// integers, and the two orders in which OClustR visits vertices.
//
// Relevance says how well a vertex would do as the center of a star
// (González-Soler et al. 2017, section 2.1). For a vertex v with neighbors
// Adj(v):
//   AIS          the average weight of v's edges
//   density      share of Adj(v) whose degree is at most v's
//   compactness  share of Adj(v) whose AIS is at most v's
//   relevance    the average of both: a count of at most 2·degree over 2·degree
// All are compared exactly; see fixed_point_weight.h.

#ifndef WARPCLUST_GRAPH_STARS_RELEVANCE_TABLE_H_
#define WARPCLUST_GRAPH_STARS_RELEVANCE_TABLE_H_

#include <cstdint>
#include <vector>

#include "base/machine/cuda_host_device.h"
#include "graph/stars/fixed_point_weight.h"

namespace warpclust {

// floor(relevance · 2^63) of a vertex that is not isolated: two different
// relevances differ by at least 1 / (2 · degree · degree) > 2^-63, so the
// floors order as the fractions do.
WARPCLUST_HOST_DEVICE inline uint64_t RelevanceKey(uint32_t count,
                                                   int32_t degree) {
  // floor(count · 2^62 / degree) by long division, 31 bits at a time.
  const uint64_t divisor = static_cast<uint32_t>(degree);
  const uint64_t high = uint64_t{count} << 31;
  return (high / divisor << 31) + (high % divisor << 31) / divisor;
}

// Three parallel arrays by vertex.
struct RelevanceTable {
  std::vector<int32_t> degrees;
  // Sum of a vertex's edge weights in the fixed point of `scale`; AIS is this
  // over the degree. Below 2^63.
  std::vector<uint64_t> weight_sums;
  // Relevance is this over 2 · degree; 0 for an isolated vertex.
  std::vector<uint32_t> counts;
  FixedPointScale scale;

  int32_t num_vertices() const { return static_cast<int32_t>(degrees.size()); }

  // -1, 0 or 1 as the relevance of a is below, equal to or above that of b.
  // Neither may be isolated.
  int CompareRelevance(int32_t a, int32_t b) const {
    // At most 2^32 · 2^31.
    const uint64_t left = uint64_t{counts[a]} * degrees[b];
    const uint64_t right = uint64_t{counts[b]} * degrees[a];
    return left < right ? -1 : left > right;
  }

  friend bool operator==(const RelevanceTable& a, const RelevanceTable& b) {
    return a.degrees == b.degrees && a.weight_sums == b.weight_sums &&
           a.counts == b.counts && a.scale.factor == b.scale.factor;
  }
};

// The order of the candidate list L: relevance descending, degree descending,
// AIS descending, id ascending. With the id alone as tie-breaker the clusters
// would depend on the order of the documents.
struct RelevanceOrder {
  const RelevanceTable& table;
  // Neither a nor b may be isolated.
  bool operator()(int32_t a, int32_t b) const {
    if (const int c = table.CompareRelevance(a, b); c != 0) return c > 0;
    if (table.degrees[a] != table.degrees[b]) {
      return table.degrees[a] > table.degrees[b];
    }
    // Degrees are equal, so AIS compares as the sums do.
    if (table.weight_sums[a] != table.weight_sums[b]) {
      return table.weight_sums[a] > table.weight_sums[b];
    }
    return a < b;
  }
};

// The order in which stage 3 visits centers: degree descending, relevance
// descending, AIS descending, id ascending. Isolated vertices come last.
struct DegreeOrder {
  const RelevanceTable& table;
  bool operator()(int32_t a, int32_t b) const {
    if (table.degrees[a] != table.degrees[b]) {
      return table.degrees[a] > table.degrees[b];
    }
    // Degrees are equal: relevance and AIS compare as counts and sums do.
    if (table.counts[a] != table.counts[b]) {
      return table.counts[a] > table.counts[b];
    }
    if (table.weight_sums[a] != table.weight_sums[b]) {
      return table.weight_sums[a] > table.weight_sums[b];
    }
    return a < b;
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_RELEVANCE_TABLE_H_
