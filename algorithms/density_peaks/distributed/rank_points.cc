// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_points.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/types/span.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kPointsPerThread = 1 << 14;

}  // namespace

absl::StatusOr<RankBoxes> RankBoxes::Gather(const PointMatrix& points,
                                            Norm norm, int num_threads,
                                            Communicator& ranks) {
  RankBoxes boxes;
  boxes.norm_ = norm;
  boxes.num_dimensions_ = points.num_dimensions;
  const int32_t d = points.num_dimensions;
  // Low of each dimension, then high.
  std::vector<double> box(2 * static_cast<size_t>(d));
  std::fill_n(box.begin(), d, kInfinity);
  std::fill_n(box.begin() + d, d, -kInfinity);
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
  ASSIGN_OR_RETURN(RankLists<double> all,
                   ranks.AllGather(absl::MakeConstSpan(box)));
  boxes.boxes_ = std::move(all.values);
  return boxes;
}

}  // namespace warpclust
