// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/grasp_ils/starts/starts.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<StartRunner>> NewCudaStartRunner(
    const SignedGraph&, const CorrelationOptions&) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
