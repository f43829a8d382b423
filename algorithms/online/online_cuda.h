// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Engines on the GPU. Without --config=cuda this is
// online_cuda_unavailable.cc.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_ONLINE_CUDA_H_
#define WARPCLUST_ALGORITHMS_ONLINE_ONLINE_CUDA_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "base/numbers/decimal.h"

namespace warpclust {

// `method` is kParallel1, kBatched or kApproximate; `batch` 0 leaves it to the
// method; `epsilon` is for kApproximate. All must be valid. Unavailable without
// CUDA code or a GPU, ResourceExhausted if the state does not fit.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeOnlineEngineCuda(
    OnlineMethod method, const OnlineOptions& options, const OnlineState& state,
    int32_t batch, const Decimal& epsilon);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_ONLINE_CUDA_H_
