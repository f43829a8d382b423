// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_on_gpus.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "algorithms/oclustr/oclustr_distributed.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/communicator/communicator.h"
#include "base/io/row_share.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/distributed/cosine_graph_distributed.h"
#include "graph/cosine/distributed/document_pieces.h"
#include "graph/csr/graph_share.h"
#include "kernels/device/device.h"
#include "kernels/device/gpu_ranks.h"
#include "kernels/nccl/device_way.h"

namespace warpclust {
namespace {

// The documents are valid.
template <typename Documents>
absl::StatusOr<OClustRResult> Cluster(const Documents& documents,
                                      CosineGraphOptions options,
                                      int num_gpus) {
  RETURN_IF_ERROR(options.Validate());
  if (num_gpus == 1) {
    OClustRDocumentsOptions alone;
    alone.graph = options;
    alone.device = Device::kCuda;
    return OClustRDocuments(documents, alone);
  }
  options.num_threads = ThreadsOfRank(options.num_threads, num_gpus);
  CosineExchange exchange;
  exchange.leave_rows_on_gpus = true;
  // NCCL between threads would wait for one that ended.
  exchange.way = DeviceWay::kPeers;
  const int32_t n = documents.num_documents();
  OClustRResult result;
  RETURN_IF_ERROR(RunOnGpus(num_gpus, [&](Communicator& ranks) -> absl::Status {
    const RowShare own = {ranks.rank(), ranks.size()};
    Stopwatch stopwatch;
    ASSIGN_OR_RETURN(
        GraphShare share,
        CosineGraphDistributed(
            ranks,
            SliceRows(documents, static_cast<int32_t>(own.Begin(n)),
                      static_cast<int32_t>(own.End(n))),
            options, Device::kCuda, exchange));
    const double seconds = stopwatch.Lap("graph");
    ASSIGN_OR_RETURN(
        OClustRResult mine,
        OClustRDistributed(ranks, std::move(share), options.num_threads));
    if (ranks.rank() > 0) return absl::OkStatus();
    result = std::move(mine);
    result.seconds.graph = seconds;
    return absl::OkStatus();
  }));
  return result;
}

}  // namespace

absl::StatusOr<OClustRResult> OClustRDocumentsOnGpus(
    const DocumentMatrix& documents, const CosineGraphOptions& options,
    int num_gpus) {
  RETURN_IF_ERROR(ValidateDocuments(documents, options.num_threads));
  return Cluster(documents, options, num_gpus);
}

absl::StatusOr<OClustRResult> OClustRDocumentsOnGpus(
    const DenseDocuments& documents, const CosineGraphOptions& options,
    int num_gpus) {
  RETURN_IF_ERROR(ValidateDenseSizes(documents));
  absl::StatusOr<OClustRResult> result = Cluster(documents, options, num_gpus);
  if (absl::IsInvalidArgument(result.status())) {
    // A rank counts bad documents from its first one.
    RETURN_IF_ERROR(ValidateDenseDocuments(documents, options.num_threads));
  }
  return result;
}

}  // namespace warpclust
