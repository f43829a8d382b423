// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "algorithms/density_peaks/distributed/visits.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int64_t kPointsPerThread = 1 << 14;
static_assert(kVisitedAtOnce <= kMostBoxesCuda);

std::vector<double> BoxOf(const PointMatrix& points, int num_threads) {
  const int32_t d = points.num_dimensions;
  std::vector<double> box(2 * static_cast<size_t>(d), -HUGE_VAL);
  std::fill_n(box.begin(), d, HUGE_VAL);
  const int threads =
      ThreadsFor(points.num_points, kPointsPerThread, num_threads);
#pragma omp parallel num_threads(threads)
  {
    std::vector<double> part = box;
#pragma omp barrier
#pragma omp for schedule(static)
    for (int32_t i = 0; i < points.num_points; ++i) {
      const double* row = points.Row(i);
      for (int32_t k = 0; k < d; ++k) {
        part[k] = std::min(part[k], row[k]);
        part[d + k] = std::max(part[d + k], row[k]);
      }
    }
#pragma omp critical(warpclust_rank_box)
    for (int32_t k = 0; k < d; ++k) {
      box[k] = std::min(box[k], part[k]);
      box[d + k] = std::max(box[d + k], part[d + k]);
    }
  }
  return box;
}

}  // namespace

absl::StatusOr<std::vector<double>> RankRows::Box() const {
  if (on_device_ != nullptr) {
    absl::StatusOr<std::vector<double>> box = BoxCuda(*on_device_);
    if (!absl::IsResourceExhausted(box.status())) return box;
  }
  RETURN_IF_ERROR(on_host_());
  return BoxOf(points_, threads_);
}

absl::StatusOr<std::vector<std::vector<int32_t>>> RankRows::NearRanks(
    const Communicator& ranks, int step, const RankBoxes& boxes,
    const KeyLimits& limits) const {
  if (on_device_ != nullptr) {
    std::vector<double> asked;
    for (int k = 0; k < NumVisitedAtOnce(ranks, step); ++k) {
      const absl::Span<const double> box = boxes.Box(ranks.After(step + k));
      asked.insert(asked.end(), box.begin(), box.end());
    }
    absl::StatusOr<std::vector<std::vector<int32_t>>> lists =
        NearBoxesCuda(*on_device_, asked, limits);
    if (!absl::IsResourceExhausted(lists.status())) return lists;
  }
  RETURN_IF_ERROR(on_host_());
  return ChooseVisitors(
      ranks, step, points_.num_points, threads_, [&](int rank, int32_t i) {
        const double limit = limits.Of(i);
        return limit >= 0 && boxes.LeastKey(rank, points_.Row(i)) <= limit;
      });
}

absl::StatusOr<std::vector<double>> RankRows::Rows(
    absl::Span<const int32_t> places) const {
  if (on_device_ != nullptr) {
    absl::StatusOr<std::vector<double>> rows = RowsCuda(*on_device_, places);
    if (!absl::IsResourceExhausted(rows.status())) return rows;
  }
  RETURN_IF_ERROR(on_host_());
  const int64_t d = points_.num_dimensions;
  std::vector<double> rows(places.size() * d);
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (size_t v = 0; v < places.size(); ++v) {
    std::copy_n(points_.Row(places[v]), d, rows.data() + v * d);
  }
  return rows;
}

}  // namespace warpclust
