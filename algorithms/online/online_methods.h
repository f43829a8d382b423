// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineMethod: the ways of finding the clusters of a stream. All but
// kApproximate give the same clusters, so the choice is about speed only.
//
// Thread-safety: plain values and pure functions.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_ONLINE_METHODS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_ONLINE_METHODS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/numbers/decimal.h"
#include "kernels/device.h"

namespace warpclust {

enum class OnlineMethod {
  // The fastest exact one for what comes.
  kAuto,
  // Teitler et al. 2010, section 1; on the CPU only (serial_clusterers.h).
  kSerial1,
  kSerial2,
  // Section 2: one document at a time; on a GPU only.
  kParallel1,
  // Documents in batches, repaired in order: exact (batched_clusterer.h).
  kBatched,
  // Section 3, Multiple Document Clusterer 2, and section 4: documents of a
  // batch do not see one another (multiple_document_clusterer.h).
  kApproximate,
};

// "auto", "serial1", "serial2", "parallel1", "batched" or "approximate";
// InvalidArgument for anything else.
absl::StatusOr<OnlineMethod> ParseOnlineMethod(absl::string_view name);

// The inverse of ParseOnlineMethod.
absl::string_view OnlineMethodName(OnlineMethod method);

// How clusters are found. What decides which they are is in online_options.h;
// of these here, `batch` and `epsilon` decide too, with kApproximate alone.
struct OnlineMethodOptions {
  static constexpr int32_t kMaxBatch = 1 << 20;

  OnlineMethod method = OnlineMethod::kAuto;
  Device device = Device::kAuto;
  // On the CPU; see ResolveThreads.
  int threads = 0;
  // Q of the paper, documents a batch, at most kMaxBatch; 0 leaves it to the
  // method. For kBatched and kApproximate.
  int32_t batch = 0;
  // For kApproximate, in [0, 1]: how much less similar than the most similar
  // cluster the one chosen may be. The paper's 16 buckets are 0.0625.
  Decimal epsilon = "0";

  // InvalidArgument naming the field that is out of range, or a method asked
  // for on a device that it is not for. Does not look for a GPU.
  absl::Status Validate() const;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_ONLINE_METHODS_H_
