// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "tools/determinism/digest.h"
#include "tools/determinism/metrics_and_indexes.h"
#include "tools/determinism/runs.h"
#include "vptree/index_forecast.h"
#include "vptree/nearest_neighbors.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

constexpr int32_t kNeighbors = 10;

absl::StatusOr<uint64_t> NeighborsDigest(
    const absl::StatusOr<NearestNeighbors>& found) {
  RETURN_IF_ERROR(found.status());
  Digest digest;
  digest.Number(found->k);
  digest.Array(found->ids);
  digest.Array(found->distances);
  return digest.value();
}

absl::Status RunIndexes(const PointsInput& input, Metric metric,
                        DeterminismRunner* runner) {
  const std::optional<IndexKind> indexes[] = {
      IndexKind::kBoxTree, IndexKind::kVpTree, IndexKind::kBruteForce,
      std::nullopt};
  // The last quarter asks for its neighbors among the others.
  const int32_t n = input.points.num_points;
  const PointMatrix stored = SelectRows(input.points, RowRange(0, n - n / 4));
  const PointMatrix queries = SelectRows(input.points, RowRange(n - n / 4, n));
  for (const std::optional<IndexKind> index : indexes) {
    const std::string name(index.has_value() ? IndexKindName(*index) : "auto");
    const auto with = [metric, index](Device device, int threads) {
      return NearestNeighborsOptions{.metric = metric,
                                     .index = index,
                                     .device = device,
                                     .num_threads = threads};
    };
    RETURN_IF_ERROR(runner->Run(
        {"nearest neighbors", input.name,
         absl::StrCat(MetricName(metric), ", ", kNeighbors, " of each point")},
        {.method = name}, [&](Device device, int threads) {
          return NeighborsDigest(FindNearestNeighbors(input.points, kNeighbors,
                                                      with(device, threads)));
        }));
    RETURN_IF_ERROR(runner->Run(
        {"nearest neighbors", input.name,
         absl::StrCat(MetricName(metric), ", ", kNeighbors, " of new points")},
        {.method = name}, [&](Device device, int threads) {
          return NeighborsDigest(FindNearestNeighbors(
              stored, queries, kNeighbors, with(device, threads)));
        }));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunNearestNeighbors(const DeterminismInputs& inputs,
                                 DeterminismRunner* runner) {
  return ForEachMetric(inputs.points, *runner,
                       [&](Metric metric, const PointMatrix& /*prepared*/) {
                         return RunIndexes(inputs.points, metric, runner);
                       });
}

}  // namespace warpclust
