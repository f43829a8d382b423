// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_on_gpus.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "algorithms/oclustr/oclustr_distributed.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/communicator/communicator.h"
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
  RETURN_IF_ERROR(CheckNumGpus(num_gpus));
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
  const int64_t n = documents.num_documents();
  OClustRResult result;
  RETURN_IF_ERROR(RunOnGpus(num_gpus, [&](Communicator& ranks) -> absl::Status {
    const auto begin_of = [&](int rank) {
      return static_cast<int32_t>(n * rank / num_gpus);
    };
    Stopwatch stopwatch;
    ASSIGN_OR_RETURN(
        GraphShare share,
        CosineGraphDistributed(ranks,
                               SliceRows(documents, begin_of(ranks.rank()),
                                         begin_of(ranks.rank() + 1)),
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
  // The GPUs find values that are not finite. What they say counts from the
  // first document of their own.
  const auto validate = [&] {
    return ValidateDenseDocuments(documents, options.num_threads);
  };
  const bool has_shape =
      documents.num_rows >= 0 && documents.num_dimensions >= 0 &&
      static_cast<int64_t>(documents.values.size()) ==
          int64_t{documents.num_rows} * documents.num_dimensions;
  if (!has_shape) RETURN_IF_ERROR(validate());
  absl::StatusOr<OClustRResult> result = Cluster(documents, options, num_gpus);
  if (absl::IsInvalidArgument(result.status())) RETURN_IF_ERROR(validate());
  return result;
}

}  // namespace warpclust
