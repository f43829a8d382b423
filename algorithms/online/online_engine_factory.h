// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses and makes the engine of a stream, for OnlineClusterer and for
// benchmarks of a single engine.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_ONLINE_ENGINE_FACTORY_H_
#define WARPCLUST_ALGORITHMS_ONLINE_ONLINE_ENGINE_FACTORY_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "base/communicator/communicator.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"

namespace warpclust {

// A method and a device that are not kAuto.
struct OnlineChoice {
  OnlineMethod method = OnlineMethod::kSerial2;
  Device device = Device::kCpu;

  friend bool operator==(const OnlineChoice&, const OnlineChoice&) = default;
};

// The method and device of `options` (valid) for a call with `num_documents`.
// `num_entries` are the terms of the documents so far, with this call. For
// kAuto, `has_gpu` says whether a GPU may be there, and `current` is the choice
// in use. A change costs a copy of the state.
OnlineChoice ChooseOnlineMethod(const OnlineMethodOptions& options,
                                bool has_gpu, int64_t num_documents,
                                int64_t num_entries,
                                const OnlineChoice& current);

// Makes the engine of `choice`, which continues from `state`. Options and state
// must be valid. Unavailable or ResourceExhausted if a GPU cannot be used.
absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeOnlineEngine(
    const OnlineChoice& choice, const OnlineOptions& options,
    const OnlineMethodOptions& method_options, const OnlineState& state);

// What the ranks of OnlineMethodOptions::ranks do, except rank 0, which has the
// OnlineClusterer. Returns when rank 0 has none any more.
absl::Status FollowOnlineClusterer(Communicator& ranks);

// InvalidArgument for what dense documents do not have: the methods serial2,
// parallel1, mdc1, mdc2 and approximate, and truncated_mean.
absl::Status ValidateDenseOptions(const OnlineOptions& options,
                                  const OnlineMethodOptions& method_options);

// The same as above for dense documents, with options that are valid for them.
// `job` is the stream so far.
OnlineChoice ChooseDenseOnlineMethod(const OnlineMethodOptions& options,
                                     bool has_gpu, int64_t num_documents,
                                     const DenseStreamJob& job,
                                     const OnlineChoice& current);
absl::StatusOr<std::unique_ptr<DenseOnlineEngine>> MakeDenseOnlineEngine(
    const OnlineChoice& choice, const OnlineOptions& options,
    const OnlineMethodOptions& method_options, const OnlineState& state);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_ONLINE_ENGINE_FACTORY_H_
