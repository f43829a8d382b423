// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PointRoutes: which rank owns each point of a block, for the way to the owners
// and back. Points of an owner keep their order, so values travel without the
// numbers of their points.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_POINT_ROUTES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_POINT_ROUTES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/cuda/device_links.h"
#include "base/communicator/communicator.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

class PointRoutes {
 public:
  // No point moves.
  PointRoutes() = default;

  // The owners by point of the block. There are at most 2^16 ranks.
  PointRoutes(std::vector<uint16_t> owners, int num_ranks, int num_threads)
      : threads_(ThreadsFor(static_cast<int64_t>(owners.size()),
                            kPointsPerThread, num_threads)),
        owners_(std::move(owners)) {
    begins_.resize(static_cast<size_t>(num_ranks) * threads_ + 1);
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int thread = 0; thread < threads_; ++thread) {
      std::vector<int64_t> counts(num_ranks);
      for (int32_t i = Begin(thread); i < Begin(thread + 1); ++i) {
        ++counts[owners_[i]];
      }
      for (int rank = 0; rank < num_ranks; ++rank) {
        begins_[static_cast<size_t>(rank) * threads_ + thread + 1] =
            counts[rank];
      }
    }
    for (size_t k = 1; k < begins_.size(); ++k) begins_[k] += begins_[k - 1];
  }

  // By point of the block; empty if no point moves.
  absl::Span<const uint16_t> owners() const { return owners_; }

  // The number of points of an owner.
  int64_t Count(int owner) const {
    return begins_[static_cast<size_t>(owner + 1) * threads_] -
           begins_[static_cast<size_t>(owner) * threads_];
  }

  // Calls visit(i, owner, place) for each point, on all threads; `place` counts
  // the points of an owner.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    const int num_ranks = static_cast<int>(begins_.size() - 1) / threads_;
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int thread = 0; thread < threads_; ++thread) {
      std::vector<int64_t> next(num_ranks);
      for (int rank = 0; rank < num_ranks; ++rank) {
        const size_t first = static_cast<size_t>(rank) * threads_;
        next[rank] = begins_[first + thread] - begins_[first];
      }
      for (int32_t i = Begin(thread); i < Begin(thread + 1); ++i) {
        visit(i, owners_[i], next[owners_[i]]++);
      }
    }
  }

  // The values of the points of this block, of which each rank has those of the
  // points that it owns, `values`: those from block r are [offsets[r],
  // offsets[r + 1]). They go by `links` if these are not null.
  template <typename T>
  absl::StatusOr<std::vector<T>> BringBack(std::vector<T> values,
                                           absl::Span<const int64_t> offsets,
                                           DeviceLinks* links,
                                           Communicator& ranks) const;

 private:
  static constexpr int64_t kPointsPerThread = 1 << 14;

  // Each thread has consecutive points.
  int32_t Begin(int thread) const {
    return static_cast<int32_t>(static_cast<int64_t>(owners_.size()) * thread /
                                threads_);
  }

  int threads_ = 0;  // 0: no point moves.
  std::vector<uint16_t> owners_;
  // By owner, then by thread: where its points begin among all, by owner.
  std::vector<int64_t> begins_;
};

template <typename T>
absl::StatusOr<std::vector<T>> PointRoutes::BringBack(
    std::vector<T> values, absl::Span<const int64_t> offsets,
    DeviceLinks* links, Communicator& ranks) const {
  if (threads_ == 0) return values;
  const int rank = ranks.rank();
  const auto n = static_cast<int64_t>(owners_.size());
  std::vector<T> result;
  ResizeVector(n, threads_, &result);
  if (links != nullptr) {
    ASSIGN_OR_RETURN(const bool have_come,
                     links->BringBackValues(absl::MakeConstSpan(values),
                                            absl::MakeSpan(result)));
    if (have_come) return result;
  }
  // By owner.
  std::vector<int64_t> begins = {0};
  for (int r = 0; r < ranks.size(); ++r) begins.push_back(begins[r] + Count(r));
  std::vector<T> came;
  ResizeVector(n, threads_, &came);
  std::copy(values.begin() + offsets[rank], values.begin() + offsets[rank + 1],
            came.begin() + begins[rank]);
  for (int step = 1; step < ranks.size(); ++step) {
    const int to = ranks.After(step);
    const int from = ranks.Before(step);
    RETURN_IF_ERROR(ranks.SendReceiveValues(
        absl::MakeConstSpan(values).subspan(offsets[to],
                                            offsets[to + 1] - offsets[to]),
        to, absl::MakeSpan(came).subspan(begins[from], Count(from)), from));
  }
  ForEach([&](int32_t i, int owner, int64_t place) {
    result[i] = came[begins[owner] + place];
  });
  return result;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_POINT_ROUTES_H_
