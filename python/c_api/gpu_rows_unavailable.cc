// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "python/c_api/gpu_rows.h"

namespace warpclust {
namespace {

absl::Status NoCudaCode() {
  return absl::UnavailableError(
      "this build has no CUDA code: build with --config=cuda");
}

}  // namespace

absl::StatusOr<CsrGraph> CosineGraphOfGpuRows(
    const DenseDocuments& /*rows*/, const CosineGraphOptions& /*options*/) {
  return NoCudaCode();
}

absl::StatusOr<OClustRResult> OClustROfGpuRows(
    const DenseDocuments& /*rows*/, const CosineGraphOptions& /*options*/) {
  return NoCudaCode();
}

}  // namespace warpclust
