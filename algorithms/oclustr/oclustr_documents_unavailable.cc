// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/oclustr/oclustr_documents.h"

namespace warpclust {
namespace internal {

absl::StatusOr<OClustRResult> OClustRDocumentsCuda(const DocumentMatrix&,
                                                   const CosineGraphOptions&) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

absl::StatusOr<OClustRResult> OClustRDocumentsCuda(const DenseDocuments&,
                                                   const CosineGraphOptions&,
                                                   EarlyUpload<float>*) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace internal
}  // namespace warpclust
