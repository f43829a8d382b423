// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/oclustr/oclustr_cuda.h"

namespace warpclust {

absl::StatusOr<OClustRResult> OClustRCuda(const CsrGraph&, int) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
