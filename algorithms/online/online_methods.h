// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineMethod: how the clusters of a stream are found. All methods except
// kMdc1, kMdc2 and kApproximate give the same clusters and differ in speed
// only.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_ONLINE_METHODS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_ONLINE_METHODS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "algorithms/online/paper/multiple_document_clusterer.h"
#include "algorithms/online/state/online_options.h"
#include "base/communicator/communicator.h"
#include "base/numbers/decimal.h"
#include "kernels/device/device.h"

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
  // Section 3, Multiple Document Clusterers 1 (every cluster) and 2 (by term
  // lists), with the buckets of section 4: documents of a batch do not see one
  // another (multiple_document_clusterer.h). Both give the same clusters.
  kMdc1,
  kMdc2,
  // kMdc2 without buckets, unless `epsilon` asks for them.
  kApproximate,
};

// Whether documents of a batch do not see one another, so that `batch` and
// `epsilon` decide the clusters.
bool IsApproximate(OnlineMethod method);

// "auto", "serial1", "serial2", "parallel1", "batched", "mdc1", "mdc2" or
// "approximate", and the paper's initials "sc1", "sc2" and "pc1" for the serial
// and parallel clusterers; InvalidArgument for anything else.
absl::StatusOr<OnlineMethod> ParseOnlineMethod(absl::string_view name);

// The inverse of ParseOnlineMethod; not the initials.
absl::string_view OnlineMethodName(OnlineMethod method);

// OnlineOptions::Paper() for kMdc1 and kMdc2, and OnlineOptions() for all
// others.
OnlineOptions DefaultOnlineOptions(OnlineMethod method);

// How clusters are found. OnlineOptions decide the clusters; these options do
// not, except `batch` and `epsilon` where IsApproximate.
struct OnlineMethodOptions {
  static constexpr int32_t kMaxBatch = 1 << 20;

  OnlineMethod method = OnlineMethod::kAuto;
  // Q of the paper, for kBatched and approximate methods: documents per batch,
  // at most kMaxBatch; 0 leaves it to the method. Of approximate methods it is
  // the paper's 1,024.
  int32_t batch = 0;
  // For approximate methods, in [0, 1]: how much less similar than the most
  // similar cluster the one chosen may be. If not set, the paper's 16 buckets,
  // 0.0625, for kMdc1 and kMdc2, and 0 for kApproximate.
  absl::optional<Decimal> epsilon = absl::nullopt;
  // If not null and of several ranks, these share the clusters, with the result
  // of one process; only for kAuto and kBatched, and documents with terms. With
  // kAuto rank 0 has all clusters while that is faster; on its GPU it has them
  // as long as they fit. Rank 0 has the clusterer, the others call
  // FollowOnlineClusterer (online_engine_factory.h).
  Communicator* ranks = nullptr;
  Device device = Device::kAuto;
  // On the CPU, also to check and scale documents. 0: all cores, or one thread
  // with kSerial1 and kSerial2, so that these are serial throughout.
  int num_threads = 0;

  // Whether several ranks share the clusters.
  bool has_ranks() const { return ranks != nullptr && ranks->size() > 1; }

  // The number of threads that check and scale documents. 0: all cores.
  int preparing_threads() const;

  // InvalidArgument naming the field that is out of range, or a device that the
  // method does not run on. Does not look for a GPU.
  absl::Status Validate() const;
};

// How `method`, kParallel1 or an approximate one, takes documents: with `batch`
// and `epsilon` of `options`, or what they say where these are not set.
MultipleDocumentOptions DocumentsAtATime(OnlineMethod method,
                                         const OnlineMethodOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_ONLINE_METHODS_H_
