// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Partitions of the vertices of a signed graph, as labels, and their imbalance
// I(P) (Levorato et al. 2015, formula 1): the weight of negative edges inside
// clusters and of positive edges between them.
//
// A partition is canonical if its clusters are numbered from 0 in order of
// their first members; two canonical label vectors are equal if and only if
// the partitions are. Search works on labels of any kind in [0, n).
//
// Thread-safety: functions are pure but for what they are given to change.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_PARTITION_PARTITION_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_PARTITION_PARTITION_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// labels[v] is the cluster of vertex v.
using Labels = std::vector<int32_t>;

// I(P) in units, with the graph's constant cost. Labels are compared only; one
// for every vertex. O(edges), one thread.
int64_t Imbalance(const SignedGraph& graph, absl::Span<const int32_t> labels);

// Makes labels in [0, labels.size()) canonical; returns the number of clusters.
// O(n).
int32_t MakeCanonical(Labels* labels);

// The coarsest partition that refines both: two vertices are together if they
// are in `*labels` and in `other`. Replaces *labels, canonical; returns the
// number of clusters. Sizes are equal, labels in [0, size). O(n).
int32_t Intersect(absl::Span<const int32_t> other, Labels* labels);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_PARTITION_PARTITION_H_
