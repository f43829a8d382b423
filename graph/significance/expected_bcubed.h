// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ComputeExpectedBCubed: how good clusters are expected to be, without labels:
// B-cubed where the truth is not known, but the chance of each pair is
// (pair_chances.h).
//
// A document belongs with itself. Its precision is the mean chance over the
// documents that share a cluster with it; its recall is the sum of these
// chances as a share of the sum over all documents. Precision and recall are
// the means over the documents, f is their harmonic mean.
//
// Complexity: the sum of the squared sizes of the clusters, and the edges.

#ifndef WARPCLUST_GRAPH_SIGNIFICANCE_EXPECTED_BCUBED_H_
#define WARPCLUST_GRAPH_SIGNIFICANCE_EXPECTED_BCUBED_H_

#include "absl/status/statusor.h"
#include "graph/cover/cover.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

// Of no documents, all are 1.
struct ExpectedBCubed {
  double precision = 1;
  double recall = 1;
  double f = 1;
};

// `chances` is that of EstimatePairChances. A document in no cluster is alone.
// InvalidArgument if the cover is not one of the documents. `num_threads` 0
// means all, and never changes the result.
absl::StatusOr<ExpectedBCubed> ComputeExpectedBCubed(const Cover& cover,
                                                     const CsrGraph& chances,
                                                     int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_SIGNIFICANCE_EXPECTED_BCUBED_H_
