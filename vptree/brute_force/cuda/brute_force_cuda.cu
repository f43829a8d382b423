// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/stream.h"
#include "vptree/brute_force/cuda/brute_force_cuda.h"
#include "vptree/brute_force/cuda/digit_limits.h"
#include "vptree/brute_force/cuda/label_state_cuda.h"
#include "vptree/brute_force/cuda/nearest_state_cuda.h"
#include "vptree/brute_force/cuda/shared_results_cuda.h"
#include "vptree/points/search_arguments.h"

namespace warpclust {
namespace {

// With fewer tiles, a full search is as short as a sample.
constexpr int32_t kFewTiles = 64;
// Blocks of a sample, and column tiles of each.
constexpr int64_t kSampleBlocks = 160;
constexpr int32_t kSampleColumns = 2;
constexpr int32_t kEstimateColumns = 4;
// The most blocks of an estimate: the GPU runs a few hundred at a time.
constexpr int64_t kMostEstimated = 2048;
// A pair that the filter leaves undecided costs more than in the plain kernel,
// which reads each coordinate once for many pairs: about three times as much by
// its exact key. Not measured since both digits decide most of them.
constexpr double kMostUndecided = 0.3;
// Blocks of one launch.
constexpr int64_t kMostBlocks = int64_t{1} << 30;

// Runs of few columns for few tiles, so that there are enough blocks.
int32_t ColumnsOfRun(int32_t num_tiles) {
  return num_tiles < 256 ? 4 : num_tiles < 1500 ? 16 : kMostColumns;
}

int32_t NearColumns(int32_t num_tiles) { return num_tiles < 1500 ? 4 : 8; }

}  // namespace

absl::Status ComingPoints::Start(const DevicePoints& points) {
  RETURN_IF_ERROR(ranges_.Start(points.num_dimensions));
  return MakeRoom(points, points.num_points, /*may_quantize=*/true);
}

absl::Status ComingPoints::MakeRoom(const DevicePoints& points,
                                    int32_t first_part, bool may_quantize) {
  const int32_t dimensions = points.num_dimensions;
  const int64_t places = MostPlaces(points.num_points, first_part);
  if (may_quantize && points.norm == Norm::kL2 &&
      dimensions <= kMostQuantizedDimensions) {
    return AllocateRows(places, dimensions, rows_);
  }
  // For the first digits by id.
  RETURN_IF_ERROR(AllocateInto(places * RowBytes(dimensions), rows_.low));
  return AllocateInto(places, rows_.norms);
}

absl::Status ComingPoints::Add(const DevicePoints& points, int32_t first,
                               int32_t num_points) {
  return ranges_.Add(
      points.values.data() + int64_t{first} * points.num_dimensions,
      num_points);
}

absl::StatusOr<CudaBruteForce> CudaBruteForce::Create(
    const DevicePoints& points, const CudaBruteForceOptions& options,
    ComingPoints* coming) {
  return Make(points, false, points.num_points, options, coming);
}

absl::StatusOr<CudaBruteForce> CudaBruteForce::CreateBetween(
    const DevicePoints& points, int32_t first_part,
    const CudaBruteForceOptions& options) {
  if (first_part < 0 || first_part > points.num_points) {
    return absl::InvalidArgumentError(absl::StrCat("first_part: expected 0 to ",
                                                   points.num_points,
                                                   ", found ", first_part));
  }
  return Make(points, true, first_part, options, nullptr);
}

absl::StatusOr<CudaBruteForce> CudaBruteForce::Make(
    const DevicePoints& points, bool between, int32_t first_part,
    const CudaBruteForceOptions& options, ComingPoints* coming) {
  if (options.queue_capacity < 1 || options.queue_capacity > 8192) {
    return absl::InvalidArgumentError(absl::StrCat(
        "queue_capacity: expected 1 to 8192, found ", options.queue_capacity));
  }
  constexpr int32_t kMostPoints = 2000000000;  // places are int32, too
  if (points.num_points > kMostPoints) {
    return absl::InvalidArgumentError(
        absl::StrCat("brute force: expected at most ", kMostPoints,
                     " points, found ", points.num_points));
  }
  CudaBruteForce index;
  index.points_ = &points;
  index.between_ = between;
  index.first_part_ = first_part;
  index.options_ = options;
  const bool no_pairs =
      between && (first_part == 0 || first_part == points.num_points);
  if (points.num_points == 0 || no_pairs) return index;
  RETURN_IF_ERROR(AllocateInto(2, index.statistics_));
  ComingPoints all;
  if (coming == nullptr) {
    coming = &all;
    RETURN_IF_ERROR(all.ranges_.Start(points.num_dimensions));
    RETURN_IF_ERROR(all.Add(points, 0, points.num_points));
    // Memory is asked for while the GPU reads the points.
    RETURN_IF_ERROR(
        all.MakeRoom(points, first_part,
                     options.filter != CudaBruteForceOptions::Filter::kNone));
  }
  ASSIGN_OR_RETURN(const QuantizationGrid grid, coming->ranges_.Grid());
  index.step_ = grid.step;
  QuantizedRows rows = std::move(coming->rows_);
  // The digits that tell where points lie, in the room of the second digits.
  QuantizedRows by_id;
  by_id.row_bytes = RowBytes(points.num_dimensions);
  by_id.high = std::move(rows.low);
  by_id.norms = std::move(rows.norms);
  RETURN_IF_ERROR(
      QuantizeRows(points, grid, nullptr, points.num_points, by_id));
  ASSIGN_OR_RETURN(index.tiles_, MakePointTiles(points, first_part, by_id));
  ASSIGN_OR_RETURN(
      index.landmarks_,
      MakeTileLandmarks(index.tiles_, points.num_dimensions, points.norm));
  if (rows.high.empty() ||
      options.filter == CudaBruteForceOptions::Filter::kNone) {
    return index;
  }
  rows.low = std::move(by_id.high);
  rows.norms = std::move(by_id.norms);
  RETURN_IF_ERROR(QuantizeRows(points, grid, index.tiles_.ids.data(),
                               index.tiles_.num_places(), rows));
  index.rows_ = std::move(rows);
  return index;
}

TileArguments CudaBruteForce::Arguments() const {
  TileArguments a;
  a.values = points_->values.data();
  a.dimensions = points_->num_dimensions;
  a.num_tiles = tiles_.num_tiles;
  a.first_part_tiles = tiles_.first_part_tiles;
  a.ids = tiles_.ids.data();
  a.sizes = tiles_.sizes.data();
  a.centers = tiles_.centers.data();
  a.radii = tiles_.radii.data();
  a.landmark_stride = landmarks_.stride;
  a.landmark_distances = landmarks_.distances.data();
  a.high = rows_.high.data();
  a.low = rows_.low.data();
  a.norms = rows_.norms.data();
  a.corrections = rows_.corrections.data();
  a.row_bytes = rows_.row_bytes;
  a.part = between_ ? TilePart::kBetween : TilePart::kAll;
  a.columns = ColumnsOfRun(tiles_.num_tiles);
  if (options_.share != nullptr) {
    a.share = a.first_item = options_.share->rank();
    a.num_shares = options_.share->size();
    a.item_stride = a.num_shares;
  }
  a.queue_capacity = options_.queue_capacity;
  a.statistics = const_cast<unsigned long long*>(statistics_.data());
  return a;
}

absl::Status CudaBruteForce::Run(TileSearch search,
                                 TileArguments arguments) const {
  arguments.end_item = NumItems(arguments);
  while (arguments.first_item < arguments.end_item) {
    // A launch has at most kMostBlocks; the rest follows.
    TileArguments part = arguments;
    part.end_item = EndOfLaunch(arguments, kMostBlocks);
    RETURN_IF_ERROR(tensor_cores_
                        ? LaunchTensorTiles(search, part)
                        : LaunchPlainTiles(search, points_->norm, part));
    arguments.first_item = part.end_item;
  }
  return absl::OkStatus();
}

absl::Status CudaBruteForce::ChooseKernel(TileSearch search,
                                          TileArguments arguments) {
  tensor_cores_ = TensorCoresPossible();
  if (!tensor_cores_ || rows_.errors.exact ||
      options_.filter == CudaBruteForceOptions::Filter::kTensorCores ||
      arguments.num_tiles < kFewTiles) {
    return absl::OkStatus();
  }
  arguments.columns = kSampleColumns;
  arguments.first_item = 0;
  arguments.item_stride =
      std::max<int64_t>(1, NumItems(arguments) / kSampleBlocks) | 1;
  RETURN_IF_ERROR(statistics_.FillBytes(0));
  RETURN_IF_ERROR(Run(search, arguments));
  ASSIGN_OR_RETURN(const Statistics sample, LastStatistics());
  tensor_cores_ = static_cast<double>(sample.undecided) <=
                  kMostUndecided * static_cast<double>(sample.pairs);
  return absl::OkStatus();
}

absl::StatusOr<CudaBruteForce::Statistics> CudaBruteForce::LastStatistics()
    const {
  Statistics statistics;
  if (statistics_.empty()) return statistics;
  unsigned long long counters[2];
  RETURN_IF_ERROR(statistics_.CopyToHost(absl::MakeSpan(counters)));
  statistics.tensor_cores = tensor_cores_;
  statistics.pairs = static_cast<int64_t>(counters[0]);
  statistics.undecided = static_cast<int64_t>(counters[1]);
  return statistics;
}

absl::StatusOr<TileArguments> CudaBruteForce::CountArguments(
    double radius_key, DeviceBuffer<int32_t>& counts) {
  TileArguments arguments = Arguments();
  arguments.count = Limits(radius_key);
  RETURN_IF_ERROR(AllocateInto(tiles_.num_places(), counts));
  arguments.counts = counts.data();
  RETURN_IF_ERROR(counts.FillBytes(0));
  RETURN_IF_ERROR(ChooseKernel(TileSearch::kCount, arguments));
  RETURN_IF_ERROR(counts.FillBytes(0));
  RETURN_IF_ERROR(statistics_.FillBytes(0));
  return arguments;
}

absl::Status CudaBruteForce::CountWithin(double radius_key,
                                         DeviceBuffer<int32_t>& counts) {
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  const int32_t n = points_->num_points;
  if (tiles_.num_tiles == 0 || radius_key == 0) {
    RETURN_IF_ERROR(AllocateInto(n, counts));
    return counts.FillBytes(0);
  }
  if (radius_key == std::numeric_limits<double>::infinity()) {
    RETURN_IF_ERROR(AllocateInto(n, counts));
    // Keys are finite.
    std::vector<int32_t> all(n, between_ ? first_part_ : n - 1);
    if (between_) std::fill_n(all.begin(), first_part_, n - first_part_);
    return counts.CopyFromHost(all);
  }
  DeviceBuffer<int32_t> by_place;
  TileArguments arguments;
  const auto start = [&]() -> absl::Status {
    RETURN_IF_ERROR(AllocateInto(n, counts));
    ASSIGN_OR_RETURN(arguments, CountArguments(radius_key, by_place));
    return absl::OkStatus();
  };
  SharedResults shared(options_.share);
  RETURN_IF_ERROR(
      shared.Begin(start(), tiles_.num_places(), /*with_keys=*/false));
  RETURN_IF_ERROR(Run(TileSearch::kCount, arguments));
  RETURN_IF_ERROR(shared.Add(by_place));
  return WriteByPoint(tiles_, by_place, counts);
}

absl::Status CudaBruteForce::NearestOfHigherRank(
    const DeviceBuffer<int32_t>& ranks, DeviceBuffer<int32_t>& nearest_ids,
    DeviceBuffer<double>& nearest_keys) {
  const int32_t n = points_->num_points;
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), n));
  if (between_) {
    RETURN_IF_ERROR(CheckLength("nearest_ids", nearest_ids.size(), n));
    RETURN_IF_ERROR(CheckLength("nearest_keys", nearest_keys.size(), n));
  }
  TileArguments arguments;
  NearestArrays arrays;
  const auto start = [&]() -> absl::Status {
    if (!between_) {
      RETURN_IF_ERROR(AllocateInto(n, nearest_ids));
      RETURN_IF_ERROR(AllocateInto(n, nearest_keys));
      RETURN_IF_ERROR(nearest_ids.FillBytes(0xff));  // nothing is known
    }
    if (tiles_.num_tiles == 0) return absl::OkStatus();
    arguments = Arguments();
    SetErrors(points_->num_dimensions, step_, rows_.errors, arguments.nearest);
    RETURN_IF_ERROR(arrays.Start(ranks, nearest_ids, nearest_keys, arguments));
    return between_ ? absl::OkStatus() : arrays.Seed(points_->norm, arguments);
  };
  SharedResults shared(options_.share);
  RETURN_IF_ERROR(
      shared.Begin(start(), tiles_.num_places(), /*with_keys=*/true));
  if (tiles_.num_tiles == 0) return absl::OkStatus();
  // Without first neighbors of all points, a sample leaves too much undecided.
  RETURN_IF_ERROR(shared.OfferAll(arguments));
  RETURN_IF_ERROR(UpdateReaches(points_->norm, arguments, arrays));
  RETURN_IF_ERROR(ChooseKernel(TileSearch::kNearest, arguments));
  RETURN_IF_ERROR(statistics_.FillBytes(0));
  if (!between_) {
    // Near tiles first: after them, most others are skipped.
    TileArguments near = arguments;
    near.part = TilePart::kNear;
    near.columns = NearColumns(tiles_.num_tiles);
    near.first_item = 0;
    near.item_stride = 1;
    RETURN_IF_ERROR(Run(TileSearch::kNearest, near));
    RETURN_IF_ERROR(shared.OfferAll(arguments));
    RETURN_IF_ERROR(UpdateReaches(points_->norm, arguments, arrays));
    arguments.part = TilePart::kFar;
    arguments.columns = ColumnsOfRun(tiles_.num_tiles);
  }
  RETURN_IF_ERROR(Run(TileSearch::kNearest, arguments));
  RETURN_IF_ERROR(shared.OfferAll(arguments));
  RETURN_IF_ERROR(WriteByPoint(tiles_, arrays.ids, nearest_ids));
  return WriteByPoint(tiles_, arrays.keys, nearest_keys);
}

CountLimits CudaBruteForce::Limits(double radius_key) const {
  return CountLimitsOf(radius_key, points_->norm, points_->num_dimensions,
                       step_, TensorCoresPossible() ? &rows_.errors : nullptr);
}

absl::Status CudaBruteForce::HighestRankOfOtherLabel(
    double radius_key, const DeviceBuffer<int32_t>& ranks,
    const DeviceBuffer<int32_t>& labels, DeviceBuffer<int32_t>& best) {
  const int32_t n = points_->num_points;
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), n));
  RETURN_IF_ERROR(CheckLength("labels", labels.size(), n));
  RETURN_IF_ERROR(CheckLength("best", best.size(), n));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  if (tiles_.num_tiles == 0 || radius_key == 0) return absl::OkStatus();
  TileArguments arguments = Arguments();
  arguments.count = Limits(radius_key);
  LabelArrays arrays;
  const auto start = [&]() -> absl::Status {
    RETURN_IF_ERROR(arrays.Start(ranks, labels, best, arguments));
    RETURN_IF_ERROR(ChooseKernel(TileSearch::kLabel, arguments));
    return statistics_.FillBytes(0);
  };
  SharedResults shared(options_.share);
  RETURN_IF_ERROR(
      shared.Begin(start(), tiles_.num_places(), /*with_keys=*/false));
  RETURN_IF_ERROR(Run(TileSearch::kLabel, arguments));
  RETURN_IF_ERROR(shared.Lower(arrays.best));
  return WriteByPoint(tiles_, arrays.best, best);
}

absl::StatusOr<double> CudaBruteForce::EstimateSeconds(double radius_key) {
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  if (tiles_.num_tiles == 0 || radius_key == 0 ||
      radius_key == std::numeric_limits<double>::infinity()) {
    return 0.0;
  }
  DeviceBuffer<int32_t> counts;
  ASSIGN_OR_RETURN(TileArguments arguments, CountArguments(radius_key, counts));
  // Where nearly all tiles are skipped, the longest items would take most of
  // the time of a sample; the shortest cost more to skip than those of a
  // search.
  arguments.columns = kEstimateColumns;
  arguments.first_item = 0;
  ASSIGN_OR_RETURN(Stream stream, Stream::Create());
  ASSIGN_OR_RETURN(Event start, Event::Create());
  ASSIGN_OR_RETURN(Event end, Event::Create());
  const auto measure = [&](int64_t stride) -> absl::StatusOr<double> {
    arguments.item_stride = stride;
    RETURN_IF_ERROR(start.Record(stream));
    RETURN_IF_ERROR(Run(TileSearch::kCount, arguments));
    RETURN_IF_ERROR(end.Record(stream));
    return end.SecondsSince(start);
  };
  const int64_t items = NumItems(arguments);
  // One item: the first time loads the kernel; the second is what a run takes
  // however many items it has, which would be a large part of a sample whose
  // items are mostly skipped.
  RETURN_IF_ERROR(measure(items).status());
  ASSIGN_OR_RETURN(const double one, measure(items));
  const int64_t stride =
      std::max(std::min<int64_t>(50, items / (8 * kSampleBlocks)),
               items / kMostEstimated) |
      1;
  ASSIGN_OR_RETURN(const double seconds, measure(stride));
  const int64_t sampled = (items + stride - 1) / stride;
  return one + std::max(0.0, seconds - one) * static_cast<double>(items) /
                   static_cast<double>(sampled);
}

}  // namespace warpclust
