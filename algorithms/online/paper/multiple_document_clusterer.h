// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Multiple Document Clusterers 1 and 2 of Teitler et al. 2010 (section 3) on
// the CPU, with the exact nearest cluster or the approximate one of section 4:
// Q documents at a time are compared with the clusters as they were before the
// batch. Then all of them join the cluster chosen, or found one each. The first
// compares with every cluster and defines the result; the second finds the same
// clusters from term lists.
//
// Approximate by design: documents of a batch do not see one another, so a
// story that breaks within a batch ends in as many clusters as it has documents
// there. With Q = 1 and no buckets it is Serial Clusterer 2. For exact batches
// use batched_clusterer.h.
//
// Buckets: divide the similarities above the threshold by epsilon and round
// down; the clusters with the largest quotient are candidates, and the smallest
// cluster number is taken, which the paper leaves to the order of writes.
//
// Cost: O(K * L) per document, where L is the mean length of a list (O(K *
// clusters) for the first), shared by all threads; joining is on one thread.
// Memory: that of Serial Clusterer 2, and 12 bytes per cluster and thread. The
// borders of the batches show in the result, and each call of Cluster begins a
// batch; the number of threads does not. The GPU gives the same bytes
// (multiple_document_clusterer_cuda.h).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_PAPER_MULTIPLE_DOCUMENT_CLUSTERER_H_
#define WARPCLUST_ALGORITHMS_ONLINE_PAPER_MULTIPLE_DOCUMENT_CLUSTERER_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "base/numbers/decimal.h"

namespace warpclust {

struct MultipleDocumentOptions {
  // 16 buckets.
  static constexpr Decimal kPaperEpsilon = "0.0625";

  // Q of the paper, at least 1: documents compared before any is added.
  int32_t batch = 1024;
  // The width of a bucket, in [0, 1]: how much less similar than the best the
  // cluster chosen may be. 0 is exact.
  Decimal epsilon = "0";
  // Multiple Document Clusterer 1 instead of 2.
  bool exhaustive = false;
  int num_threads = 0;  // 0: all cores.

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

// All three must be valid.
std::unique_ptr<OnlineEngine> MakeMultipleDocumentClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const MultipleDocumentOptions& multiple_document_options);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_PAPER_MULTIPLE_DOCUMENT_CLUSTERER_H_
