// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/cuda/device_block_search.h"

#include "algorithms/density_peaks/density/cuda/device_labels.h"
#include "algorithms/density_peaks/density/cuda/device_nearest.h"
#include "base/status/status_macros.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/device_packed_points.h"
#include "vptree/points/search_arguments.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<DeviceBlockSearch>> DeviceBlockSearch::Make(
    const DevicePoints& points, int32_t begin, const PackedRows& others,
    bool others_first) {
  const int32_t num_others = others.num_points;
  const int64_t d = points.num_dimensions;
  const int32_t num_mine = points.num_points - begin;
  std::unique_ptr<DeviceBlockSearch> made(new DeviceBlockSearch);
  DevicePoints& both = made->both_;
  both.num_points = num_mine + num_others;
  both.num_dimensions = points.num_dimensions;
  both.norm = points.norm;
  RETURN_IF_ERROR(AllocateInto(both.num_points * d, both.values));
  const int64_t first_mine = others_first ? num_others : 0;
  const int64_t first_other = others_first ? 0 : num_mine;
  RETURN_IF_ERROR(internal::CopyWithinDevice(
      points.values.data() + begin * d, both.values.data() + first_mine * d,
      num_mine * d * static_cast<int64_t>(sizeof(double))));
  RETURN_IF_ERROR(CopyToDevice(others, first_other * d, both.values));
  ASSIGN_OR_RETURN(made->search_,
                   CudaBruteForce::CreateBetween(
                       both, others_first ? num_others : num_mine));
  return made;
}

absl::Status DeviceBlockSearch::CountWithin(double radius_key,
                                            absl::Span<int32_t> counts) const {
  RETURN_IF_ERROR(CheckLength("counts", counts.size(), both_.num_points));
  DeviceBuffer<int32_t> found;
  RETURN_IF_ERROR(search_.CountWithin(radius_key, found));
  return found.CopyToHost(counts);
}

absl::Status DeviceBlockSearch::NearestOfHigherRank(
    absl::Span<const int32_t> ranks, absl::Span<NearestPoint> nearest) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), both_.num_points));
  RETURN_IF_ERROR(CheckLength("nearest", nearest.size(), both_.num_points));
  ASSIGN_OR_RETURN(const auto device_ranks,
                   DeviceBuffer<int32_t>::FromHost(ranks));
  DeviceNearest found;
  RETURN_IF_ERROR(found.CopyFromHost(nearest));
  RETURN_IF_ERROR(
      search_.NearestOfHigherRank(device_ranks, found.ids, found.keys));
  return found.CopyToHost(nearest);
}

absl::Status DeviceBlockSearch::HighestRankOfOtherLabel(
    double radius_key, absl::Span<const int32_t> ranks,
    absl::Span<const int32_t> labels, absl::Span<int32_t> best) const {
  return SearchOtherLabels(search_, radius_key, ranks, labels, best);
}

}  // namespace warpclust
