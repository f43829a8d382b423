// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/cuda/device_cutoff.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "algorithms/density_peaks/density/cuda/pair_keys_cuda.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Coordinates of pairs for which a GPU pays.
constexpr double kLeastForGpu = 1 << 26;

bool IsForGpu(Device device, const internal::PairsToCount& pairs,
              int32_t dimensions) {
  return device == Device::kCuda &&
         static_cast<double>(pairs.rows.size()) *
                 static_cast<double>(pairs.columns.size()) * dimensions >=
             kLeastForGpu;
}

PointMatrix TakePoints(const PointMatrix& points,
                       const std::vector<int32_t>& ids, int num_threads) {
  const int64_t d = points.num_dimensions;
  PointMatrix taken;
  taken.num_points = static_cast<int32_t>(ids.size());
  taken.num_dimensions = points.num_dimensions;
  ResizeVector(taken.num_points * d, num_threads, &taken.values);
#pragma omp parallel for num_threads(ResolveThreads(num_threads)) \
    schedule(static)
  for (int64_t i = 0; i < taken.num_points; ++i) {
    std::copy_n(points.Row(ids[i]), d, taken.values.data() + i * d);
  }
  return taken;
}

}  // namespace

std::vector<int32_t> internal::NumberPoints(PairsToCount* pairs) {
  std::vector<int32_t> drawn;
  std::set_union(pairs->rows.begin(), pairs->rows.end(), pairs->columns.begin(),
                 pairs->columns.end(), std::back_inserter(drawn));
  for (std::vector<int32_t>* const ids : {&pairs->rows, &pairs->columns}) {
    for (int32_t& id : *ids) {
      id = static_cast<int32_t>(
          std::lower_bound(drawn.begin(), drawn.end(), id) - drawn.begin());
    }
  }
  return drawn;
}

std::shared_ptr<internal::PairKeys> internal::PairKeysOn(
    Device device, const PointMatrix& points, const PairsToCount& pairs,
    Norm norm) {
  if (!IsForGpu(device, pairs, points.num_dimensions)) return nullptr;
  absl::StatusOr<std::shared_ptr<PairKeys>> keys =
      PairKeysCuda(points, pairs, norm);
  return keys.ok() ? *std::move(keys) : nullptr;
}

absl::StatusOr<std::shared_ptr<internal::PairKeys>> internal::PairKeysOn(
    std::shared_ptr<const DevicePoints> points, const PairsToCount& pairs) {
  return PairKeysCuda(std::move(points), pairs);
}

absl::StatusOr<std::vector<CutoffDistance>> ChooseCutoffDistancesOn(
    Device device, const PointMatrix& points, Metric metric,
    absl::Span<const double> quantiles, uint64_t seed, int num_threads,
    std::shared_ptr<const DevicePoints> on_device) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  internal::PairsToCount pairs =
      internal::ChoosePairsToCount(points.num_points, seed);
  if (!IsForGpu(device, pairs, points.num_dimensions)) {
    return ChooseCutoffDistances(points, metric, quantiles, seed, num_threads);
  }
  const Norm norm = NormOfMetric(metric);
  const PointMatrix* of_pairs = &points;
  PointMatrix taken;
  internal::SampleShare share;
  if (on_device != nullptr) {
    absl::StatusOr<std::shared_ptr<internal::PairKeys>> keys =
        PairKeysCuda(std::move(on_device), pairs);
    if (keys.ok()) share.pair_keys = *std::move(keys);
  } else {
    taken = TakePoints(points, internal::NumberPoints(&pairs), num_threads);
    of_pairs = &taken;
    share.pair_keys = internal::PairKeysOn(device, taken, pairs, norm);
  }
  return internal::CutoffDistancesOfPairs(
      of_pairs, pairs, metric, quantiles, num_threads,
      [&]() -> absl::StatusOr<double> {
        return internal::SmallestPositiveKey(points, norm, points.Row(0));
      },
      share);
}

}  // namespace warpclust
