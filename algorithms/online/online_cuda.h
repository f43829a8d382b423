// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Engines on the GPU. A build without --config=cuda links
// online_cuda_unavailable.cc instead of online_cuda.cc.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_ONLINE_CUDA_H_
#define WARPCLUST_ALGORITHMS_ONLINE_ONLINE_CUDA_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

// An engine for kParallel1, kBatched or an approximate method; the method of
// `method_options` does not count. All arguments must be valid. Unavailable
// without CUDA code or a GPU, ResourceExhausted if the state does not fit,
// InvalidArgument for kBatched with truncated_mean.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeOnlineEngineCuda(
    OnlineMethod method, const OnlineOptions& options, const OnlineState& state,
    const OnlineMethodOptions& method_options);

// The same for dense documents and kBatched.
absl::StatusOr<std::unique_ptr<DenseOnlineEngine>> MakeDenseOnlineEngineCuda(
    const OnlineOptions& options, const OnlineState& state,
    const OnlineMethodOptions& method_options);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_ONLINE_CUDA_H_
