// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/online_cuda.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "algorithms/online/batched/cuda/batched_clusterer_cuda.h"
#include "algorithms/online/paper/cuda/multiple_document_clusterer_cuda.h"
#include "algorithms/online/paper/multiple_document_clusterer.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeOnlineEngineCuda(
    OnlineMethod method, const OnlineOptions& options, const OnlineState& state,
    int32_t batch, const Decimal& epsilon) {
  switch (method) {
    case OnlineMethod::kParallel1:
      return MakeMultipleDocumentClustererCuda(options, state, 1, Decimal("0"));
    case OnlineMethod::kBatched:
      // Larger batches take more rounds, smaller ones more barriers per
      // document; on all streams tried the best batch was near this.
      return MakeBatchedClustererCuda(options, state,
                                      batch == 0 ? 1024 : batch);
    case OnlineMethod::kApproximate:
      // The default is that of the CPU, because the batch decides the result.
      return MakeMultipleDocumentClustererCuda(
          options, state, batch == 0 ? MultipleDocumentOptions().batch : batch,
          epsilon);
    case OnlineMethod::kAuto:
    case OnlineMethod::kSerial1:
    case OnlineMethod::kSerial2:
      break;
  }
  return absl::InternalError(absl::StrCat(
      "expected a method of the GPU, found ", OnlineMethodName(method)));
}

}  // namespace warpclust
