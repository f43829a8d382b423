// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineMethod: how the clusters of a stream are found. All methods except
// kApproximate give the same clusters and differ in speed only.

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
  // The fastest exact method for the documents of each call.
  kAuto,
  // Teitler et al. 2010, section 1; CPU only (serial_clusterers.h).
  kSerial1,
  kSerial2,
  // Section 2, one document at a time; GPU only.
  kParallel1,
  // Batches that are repaired in order: exact (batched_clusterer.h).
  kBatched,
  // Sections 3 and 4, Multiple Document Clusterer 2: documents of a batch do
  // not see one another (multiple_document_clusterer.h).
  kApproximate,
};

// "auto", "serial1", "serial2", "parallel1", "batched" or "approximate";
// InvalidArgument for anything else.
absl::StatusOr<OnlineMethod> ParseOnlineMethod(absl::string_view name);

// The inverse of ParseOnlineMethod.
absl::string_view OnlineMethodName(OnlineMethod method);

// How clusters are found. OnlineOptions decide the clusters; these options do
// not, except `batch` and `epsilon` for kApproximate.
struct OnlineMethodOptions {
  static constexpr int32_t kMaxBatch = 1 << 20;

  OnlineMethod method = OnlineMethod::kAuto;
  // Q of the paper, for kBatched and kApproximate: documents per batch, at most
  // kMaxBatch; 0 leaves it to the method.
  int32_t batch = 0;
  // For kApproximate, in [0, 1]: how much less similar than the most similar
  // cluster the one chosen may be. The paper's 16 buckets are 0.0625.
  Decimal epsilon = "0";
  Device device = Device::kAuto;
  int num_threads = 0;  // On the CPU; 0: all cores.

  // InvalidArgument naming the field that is out of range, or a device that the
  // method does not run on. Does not look for a GPU.
  absl::Status Validate() const;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_ONLINE_METHODS_H_
