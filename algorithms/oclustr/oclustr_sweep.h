// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SweepOClustR: OClustR at many thresholds from one cosine graph, that of the
// lowest. Use it to choose a β: what a run with each β would give, for little
// more than the time of the lowest.
//
//   OClustRSweepOptions options;
//   options.betas = {"0.1", "0.2", "0.3"};
//   RETURN_IF_ERROR(SweepOClustR(
//       documents, options,
//       [&](const Decimal& beta, OClustRResult result) {
//         Print(FormatDecimal(beta), result.cover.num_clusters());
//         return absl::OkStatus();
//       }));
//
// Each result is that of OClustRDocuments with this β, to the byte.
//
// Complexity: CosineGraph at the lowest β, then for each β the edges of the β
// before and OClustR. Memory: that of the run at the lowest β, with its graph
// on the host.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_SWEEP_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_SWEEP_H_

#include <functional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "algorithms/oclustr/oclustr.h"
#include "base/machine/work_share.h"
#include "base/numbers/decimal.h"
#include "graph/csr/csr_graph.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

struct OClustRSweepOptions {
  // Ascending, each in (0, 1], and CanRaiseThreshold from each to the next
  // (graph/cosine/raise_threshold.h).
  std::vector<Decimal> betas;
  // Unless null, follows the CPU builder of the graph; RequestStop ends it with
  // Cancelled.
  WorkShare* work = nullptr;
  // Unless null, gets the graph of the lowest β before anything is clustered;
  // an error ends the sweep.
  std::function<absl::Status(const CsrGraph&)> use_graph;
  // 0: all cores. Never changes the results.
  int num_threads = 0;
  // Never changes the results.
  Device device = Device::kAuto;
};

// Takes the result of one β; an error ends the sweep.
using UseOClustRStep =
    absl::FunctionRef<absl::Status(const Decimal& beta, OClustRResult result)>;

// Calls `use` for each β, the lowest first. seconds.graph is the time to build
// the graph, or to raise its threshold. InvalidArgument if the options are not
// as above; the errors of CosineGraph and OClustR.
absl::Status SweepOClustR(const DocumentMatrix& documents,
                          const OClustRSweepOptions& options,
                          UseOClustRStep use);
absl::Status SweepOClustR(const DenseDocuments& documents,
                          const OClustRSweepOptions& options,
                          UseOClustRStep use);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_SWEEP_H_
