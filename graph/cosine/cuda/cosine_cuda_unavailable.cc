// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "graph/cosine/cuda/cosine_cuda_entry.h"

namespace warpclust {
namespace {

absl::Status NoCuda() {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace

absl::StatusOr<CsrGraph> CosineGraphCuda(const DocumentMatrix&,
                                         const CosineGraphOptions&) {
  return NoCuda();
}

absl::StatusOr<CsrGraph> DenseCosineGraphCuda(const DenseDocuments&,
                                              const CosineGraphOptions&) {
  return NoCuda();
}

absl::Status DenseCosineProbeCuda(const DenseDocuments&, const DenseDocuments&,
                                  const CosineProbeOptions&,
                                  std::vector<ProbeEdge>*) {
  return NoCuda();
}

absl::StatusOr<std::unique_ptr<CosineProbeBackend>> CosineProbeCuda(
    DocumentMatrix, const CosineProbeOptions&) {
  return NoCuda();
}

absl::StatusOr<std::unique_ptr<CosineBlockBackend<DocumentMatrix>>>
CosineBlockCuda(const DocumentMatrix&, int, const std::function<void()>&) {
  return NoCuda();
}

absl::StatusOr<std::unique_ptr<CosineBlockBackend<DenseDocuments>>>
DenseCosineBlockCuda(const DenseDocuments&, const Decimal&, int32_t,
                     const std::function<void()>&) {
  return NoCuda();
}

}  // namespace warpclust
