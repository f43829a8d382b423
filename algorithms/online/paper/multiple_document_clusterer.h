// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Multiple Document Clusterers 1 and 2 of Teitler et al. 2010 (section 3), with
// the exact nearest cluster or the approximate one of section 4, on the CPU: Q
// documents at a time are compared with the clusters as they were before the
// batch; then all of them join the cluster chosen, or found one each.
//
// Approximate by design: documents of a batch do not see one another, so a
// story that breaks within a batch ends in as many clusters as it has documents
// there. With Q = 1 and no buckets this is Serial Clusterer 2, exactly. Use
// batched_clusterer.h for batches whose result is the serial one.
//
// Buckets: of the clusters above the threshold, those whose similarity divided
// by epsilon, rounded down, is largest are candidates, and the one with the
// smallest number is taken: what the paper leaves to the order of writes.
//
// Cost: O(K · L) a document, L the mean length of a list, shared by all
// threads; joining is on one. Memory: that of Serial Clusterer 2, and 12 bytes
// a cluster and thread. Determinism: the number of threads does not show, and
// the GPU (multiple_document_clusterer_cuda.h) gives the same bytes; the
// borders of the batches do, and each call of Cluster starts a batch.
// Thread-safety, errors: those of OnlineEngine (online_engine.h).

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
  // Q of the paper, at least 1: documents compared before any is added.
  int32_t batch = 1024;
  // The width of a bucket, in [0, 1]: how much less similar than the best the
  // cluster chosen may be. The paper's 16 buckets are 0.0625; 0 is exact.
  Decimal epsilon = "0";
  // See ResolveThreads.
  int threads = 0;

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

// All three must be valid.
std::unique_ptr<OnlineEngine> MakeMultipleDocumentClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const MultipleDocumentOptions& multiple_document_options);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_PAPER_MULTIPLE_DOCUMENT_CLUSTERER_H_
