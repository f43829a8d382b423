// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/k_nearest_cuda.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/k_nearest_tiles_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/points/device_points.h"

namespace warpclust {
namespace {

// Answers of a part of the queries.
constexpr int64_t kMostAnswers = int64_t{1} << 25;

// Without a tree by brute force.
absl::Status SearchPart(const DevicePoints& points,
                        const std::optional<CudaLeafTree>& tree,
                        const PointMatrix& queries, int32_t first,
                        int32_t count, int32_t k,
                        absl::Span<NearestPoint> nearest) {
  PointMatrix part;
  part.num_points = count;
  part.num_dimensions = queries.num_dimensions;
  part.values.assign(queries.Row(first), queries.Row(first + count));
  ASSIGN_OR_RETURN(const DevicePoints device,
                   DevicePoints::FromHost(part, points.norm));
  DeviceBuffer<int32_t> device_ids;
  DeviceBuffer<double> device_keys;
  RETURN_IF_ERROR(
      tree.has_value()
          ? tree->KNearest(device, k, device_ids, device_keys)
          : KNearestTiles(points, device, k, device_ids, device_keys));
  ASSIGN_OR_RETURN(const std::vector<int32_t> ids, device_ids.ToHost());
  ASSIGN_OR_RETURN(const std::vector<double> keys, device_keys.ToHost());
  for (size_t i = 0; i < ids.size(); ++i) {
    nearest[int64_t{first} * k + i] = {keys[i], ids[i]};
  }
  return absl::OkStatus();
}

absl::Status Search(const PointMatrix& points, const PointMatrix& queries,
                    Norm norm, IndexKind index, int32_t k,
                    const WorkShare* work, absl::Span<NearestPoint> nearest) {
  ASSIGN_OR_RETURN(const DevicePoints device,
                   DevicePoints::FromHost(points, norm));
  std::optional<CudaLeafTree> tree;
  if (index != IndexKind::kBruteForce) {
    ASSIGN_OR_RETURN(
        tree, CudaLeafTree::Build(device, index == IndexKind::kBoxTree
                                              ? CudaLeafTree::Kind::kBox
                                              : CudaLeafTree::Kind::kVantage));
  }
  int32_t step = static_cast<int32_t>(std::clamp<int64_t>(
      kMostAnswers / k, 1, std::max(1, queries.num_points)));
  for (int32_t first = 0; first < queries.num_points && !StopRequested(work);) {
    const int32_t count = std::min(step, queries.num_points - first);
    absl::Status status =
        SearchPart(device, tree, queries, first, count, k, nearest);
    if (absl::IsResourceExhausted(status) && count > 1) {
      step = count / 2;
      continue;
    }
    RETURN_IF_ERROR(status);
    first += count;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status KNearestCuda(const PointMatrix& points, const PointMatrix& queries,
                          Norm norm, IndexKind index, int32_t k,
                          const WorkShare* work,
                          absl::Span<NearestPoint> nearest) {
  return NameWhatDidNotFit(
      Search(points, queries, norm, index, k, work, nearest),
      absl::StrCat("the nearest neighbors of ", queries.num_points,
                   " points on the GPU"));
}

}  // namespace warpclust
