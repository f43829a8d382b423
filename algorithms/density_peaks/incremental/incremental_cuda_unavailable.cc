// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/density_peaks/incremental/incremental_engine.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<IncrementalEngine>> MakeIncrementalCuda(Norm,
                                                                       int32_t,
                                                                       double,
                                                                       bool) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
