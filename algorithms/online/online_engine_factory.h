// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Which engine clusters a stream, and making it. For OnlineClusterer, and for
// benchmarks that run an engine alone.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_ONLINE_ENGINE_FACTORY_H_
#define WARPCLUST_ALGORITHMS_ONLINE_ONLINE_ENGINE_FACTORY_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "kernels/device.h"

namespace warpclust {

// A method and a device that are not kAuto.
struct OnlineChoice {
  OnlineMethod method = OnlineMethod::kSerial2;
  Device device = Device::kCpu;

  friend bool operator==(const OnlineChoice&, const OnlineChoice&) = default;
};

// What `options` (valid) mean for a call that brings `num_documents` after
// `num_before` documents of the stream. For kAuto: `has_gpu` says whether there
// is a GPU to use, `current` what is in use. A change costs a copy of the
// state.
OnlineChoice ChooseOnlineMethod(const OnlineMethodOptions& options,
                                bool has_gpu, int64_t num_before,
                                int64_t num_documents,
                                const OnlineChoice& current);

// The engine that `choice` names, continuing from `state`. Options and state
// must be valid. Unavailable or ResourceExhausted if a GPU cannot be used.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeOnlineEngine(
    const OnlineChoice& choice, const OnlineOptions& options,
    const OnlineMethodOptions& method_options, const OnlineState& state);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_ONLINE_ENGINE_FACTORY_H_
