// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/online_cuda.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "algorithms/online/batched/cuda/batched_clusterer_cuda.h"
#include "algorithms/online/dense/batch_search.h"
#include "algorithms/online/dense/cuda/byte_search_cuda.h"
#include "algorithms/online/dense/dense_batched_clusterer.h"
#include "algorithms/online/paper/cuda/multiple_document_clusterer_cuda.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeOnlineEngineCuda(
    OnlineMethod method, const OnlineOptions& options, const OnlineState& state,
    const OnlineMethodOptions& method_options) {
  switch (method) {
    case OnlineMethod::kBatched:
      // Larger batches take more rounds, smaller ones more barriers per
      // document; on all streams tried the best batch was near this.
      return MakeBatchedClustererCuda(
          options, state,
          method_options.batch == 0 ? 1024 : method_options.batch);
    case OnlineMethod::kParallel1:
    case OnlineMethod::kMdc1:
    case OnlineMethod::kMdc2:
    case OnlineMethod::kApproximate:
      return MakeMultipleDocumentClustererCuda(
          options, state, DocumentsAtATime(method, method_options));
    case OnlineMethod::kAuto:
    case OnlineMethod::kSerial1:
    case OnlineMethod::kSerial2:
      break;
  }
  return absl::InternalError(absl::StrCat(
      "expected a method of the GPU, found ", OnlineMethodName(method)));
}

absl::StatusOr<std::unique_ptr<DenseOnlineEngine>> MakeDenseOnlineEngineCuda(
    const OnlineOptions& options, const OnlineState& state,
    const OnlineMethodOptions& method_options) {
  ASSIGN_OR_RETURN(
      std::unique_ptr<DenseBatchSearch> search,
      MakeByteSearchCuda(ResolveThreads(method_options.num_threads)));
  return MakeDenseBatchedClusterer(
      options, state,
      {.batch = method_options.batch == 0 ? 4096 : method_options.batch,
       .num_threads = method_options.num_threads},
      std::move(search));
}

}  // namespace warpclust
