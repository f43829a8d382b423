// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// HaloGraph: the rows of one rank (GraphShare) as a graph of its own, whose
// vertices are those that the rows name: the rank's own ones, and the halo,
// whose rows other ranks own and which have empty ones here. Values of vertices
// are exchanged with the owners of the halo.
//
// Local numbers ascend with the numbers of the whole graph, so comparisons of
// ids have the same result. The vertices before `own_begin` and from `own_end`
// on are the halo.

#ifndef WARPCLUST_GRAPH_STARS_DISTRIBUTED_HALO_GRAPH_H_
#define WARPCLUST_GRAPH_STARS_DISTRIBUTED_HALO_GRAPH_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/graph_share.h"

namespace warpclust {

struct HaloGraph {
  // By local number.
  CsrGraph graph;
  int32_t own_begin = 0;
  int32_t own_end = 0;
  // The number in the whole graph of vertex own_begin.
  int32_t first_vertex = 0;
  // The halo's numbers in the whole graph, ascending, by owner.
  RankLists<int32_t> halo;
  // Local numbers of own vertices, by the rank that has them in its halo.
  RankLists<int32_t> wanted;

  int32_t num_own() const { return own_end - own_begin; }
  // The number in the whole graph.
  int32_t VertexOf(int32_t local) const {
    if (local < own_begin) return halo.values[local];
    if (local < own_end) return local - own_begin + first_vertex;
    return halo.values[local - num_own()];
  }

  // The rows of own vertices, back to back, all with the numbers of the whole
  // graph.
  std::vector<int32_t> RowsOf(absl::Span<const int32_t> vertices) const {
    std::vector<int32_t> entries;
    for (const int32_t v : vertices) {
      for (const int32_t u : graph.NeighborsOf(v - first_vertex + own_begin)) {
        entries.push_back(VertexOf(u));
      }
    }
    return entries;
  }

  // Sets the halo's part of `values`, one per local vertex, to what the owners
  // have. A collective call.
  template <typename T>
  absl::Status Update(Communicator& ranks, absl::Span<T> values) const {
    RankLists<T> out;
    out.offsets = wanted.offsets;
    out.values.reserve(wanted.values.size());
    for (const int32_t v : wanted.values) out.values.push_back(values[v]);
    absl::StatusOr<RankLists<T>> in = ranks.AllToAll(out);
    if (!in.ok()) return in.status();
    const auto after = in->values.begin() + own_begin;
    std::copy(in->values.begin(), after, values.begin());
    std::copy(after, in->values.end(), values.begin() + own_end);
    return absl::OkStatus();
  }
};

// A collective call. Memory: 1.5 bits per vertex of the whole graph, and
// 4 bytes per vertex of the halo, here and where it is owned. num_threads of 0
// is all cores.
absl::StatusOr<HaloGraph> MakeHaloGraph(Communicator& ranks, GraphShare share,
                                        int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_DISTRIBUTED_HALO_GRAPH_H_
