// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Partitions of the vertices of a signed graph, as labels, and their imbalance
// I(P) (Levorato et al. 2015, formula 1): the weight of negative edges inside
// clusters plus the weight of positive edges between them.
//
// A partition is canonical if its clusters are numbered from 0 in order of
// their first members; two canonical label vectors are equal if and only if the
// partitions are. Searches work on any labels in [0, n).
//
//   Labels labels = {3, 3, 0};
//   const int32_t num_clusters = MakeCanonical(&labels);  // 2; {0, 0, 1}
//   const int64_t imbalance = Imbalance(graph, labels);

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_PARTITION_PARTITION_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_PARTITION_PARTITION_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// labels[v] is the cluster of vertex v.
using Labels = std::vector<int32_t>;

// I(P) in units, with the graph's constant cost. `labels` has one label per
// vertex; labels are only compared. O(edges), on num_threads threads (0: all
// cores).
int64_t Imbalance(const SignedGraph& graph, absl::Span<const int32_t> labels,
                  int num_threads = 1);

// Whether steps through the graph mostly wait for memory: neither its rows nor
// the labels of neighbors, which may be anywhere, fit in the caches of a core.
// That is so from `large_entries` entries (StepOptions) and 1/64 as many
// vertices on. A dense graph has long rows but few labels, which fit.
inline bool ExceedsCaches(const SignedGraph& graph, int64_t large_entries) {
  return graph.offsets.back() >= large_entries &&
         graph.num_vertices() >= large_entries / 64;
}

// Makes labels in [0, labels->size()) canonical; returns the number of
// clusters. O(n).
int32_t MakeCanonical(Labels* labels);

// Replaces *labels by the coarsest partition that refines both: two vertices
// are together if they are in *labels and in `other`. Both have the same size
// and labels in [0, size); the result is canonical. Returns the number of
// clusters. O(n).
int32_t Intersect(absl::Span<const int32_t> other, Labels* labels);

// The vertices by cluster, ascending inside each: cluster c has members[i] for
// i in [offsets[c], offsets[c + 1]).
struct Members {
  std::vector<int32_t> offsets;
  std::vector<int32_t> members;
};

// Of labels in [0, num_clusters). O(n).
Members MembersOfClusters(absl::Span<const int32_t> labels,
                          int32_t num_clusters);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_PARTITION_PARTITION_H_
