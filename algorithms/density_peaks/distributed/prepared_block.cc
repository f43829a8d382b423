// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/prepared_block.h"

#include <limits>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/distributed/cuda/shared_points.h"
#include "algorithms/density_peaks/distributed/density_peaks_on_ranks.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/device/device_choice.h"
#include "kernels/device/rank_device.h"
#include "vptree/points/metric.h"

namespace warpclust {
namespace {

// In more dimensions a tree is hardly ever chosen.
constexpr int32_t kMostTreeDimensions = 64;

}  // namespace

absl::Status PreparedBlock::Prepare() {
  RETURN_IF_ERROR(ranks_.Agree(CheckArguments()));
  const int64_t size = mine_.points.num_points;
  ASSIGN_OR_RETURN(firsts_, ranks_.Begins(size));
  if (firsts_.back() == 0) {
    return absl::InvalidArgumentError(
        "density peaks: expected at least one point, found none");
  }
  if (firsts_.back() > std::numeric_limits<int32_t>::max()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("density peaks: expected at most 2^31 - 1 points, found ",
                     firsts_.back()));
  }
  ASSIGN_OR_RETURN(
      const int32_t dimensions,
      ranks_.AllReduce(Reduction::kMax,
                       size == 0 ? 0 : mine_.points.num_dimensions));
  if (size == 0) mine_.points.num_dimensions = dimensions;
  RETURN_IF_ERROR(ranks_.Agree(
      mine_.points.num_dimensions == dimensions
          ? absl::OkStatus()
          : absl::InvalidArgumentError(absl::StrCat(
                "density peaks: expected as many dimensions on all ranks, "
                "found ",
                mine_.points.num_dimensions, " and ", dimensions))));
  UseDeviceOfRank(ranks_);
  const absl::StatusOr<Device> device = ResolveDevice(
      options_.device, Expect(RankPointsJob(firsts_.back(), dimensions,
                                            options_.peaks, ranks_.size()),
                              options_.num_threads));
  RETURN_IF_ERROR(ranks_.Agree(device.status()));
  device_ = *device;
  return PreparePoints();
}

absl::Status PreparedBlock::CheckArguments() const {
  RETURN_IF_ERROR(options_.Validate());
  if (options_.density != PointDensity::kCount) {
    return absl::UnimplementedError(
        "density peaks on several ranks count neighbors: run on one rank for "
        "another density");
  }
  if (options_.halo) {
    return absl::UnimplementedError(
        "density peaks on several ranks do not find the halo: run on one "
        "rank or without the halo");
  }
  // Says what is wrong.
  return mine_.points.num_points < 0 ? mine_.points.Validate()
                                     : absl::OkStatus();
}

absl::Status PreparedBlock::PreparePoints() {
  RETURN_IF_ERROR(ranks_.Agree(mine_.points.ValidateSizes()));
  ASSIGN_OR_RETURN(const bool on_gpus, ranks_.OnAll(device_ == Device::kCuda));
  ASSIGN_OR_RETURN(const bool may_share, MaySharePairs(on_gpus));
  // Points that will change are copied later.
  const bool will_change = IsByAngle(options_.metric);
  std::optional<SharedPoints> shared;
  if (may_share && !will_change) {
    shared.emplace(mine_.points, NormOfMetric(options_.metric), firsts_,
                   ranks_);
  }
  std::future<CheckedPoints> checking;
  if (copies_points() && !will_change && !shared.has_value()) {
    checking = std::async(std::launch::async,
                          [this] { return CopyAndCheck(/*copies=*/true); });
  }
  if (on_gpus && ranks_.size() > 1) {
    RETURN_IF_ERROR(TakeDeviceOfRank(ranks_));
    ASSIGN_OR_RETURN(links_, OpenDeviceLinks(ranks_, way_));
  }
  if (on_gpus && !will_change && !shared.has_value() &&
      options_.cutoff_distance == 0) {
    // By the hosts: the GPUs are busy.
    ASSIGN_OR_RETURN(drawn_, DrawPairs(mine_.points, firsts_, options_,
                                       /*links=*/nullptr, ranks_));
  }
  std::shared_ptr<DevicePoints> all;
  if (shared.has_value()) {
    ASSIGN_OR_RETURN(all, Gather(*shared, options_.cutoff_distance == 0));
    shared.reset();
  }
  CheckedPoints checked;
  if (all != nullptr) {
    // First: BeginIndex gives what came to another thread.
    checked.are_legal = coming_ != nullptr && HasLegalCoordinates(*coming_);
    // With wrong coordinates it is wrong, too, and dropped below.
    BeginSharedIndex(all);
    checked.are_legal = checked.are_legal || HasLegalCoordinates(*all);
  } else {
    checked = checking.valid() ? checking.get()
                               : CopyAndCheck(copies_points() && !will_change);
  }
  Stopwatch stopwatch;
  const absl::Status prepared =
      checked.are_legal ? absl::OkStatus()
                        : PrepareForMetric(options_.metric, &mine_.points,
                                           options_.num_threads);
  stopwatch.Lap("check of points");
  RETURN_IF_ERROR(ranks_.Agree(prepared));
  if (may_share && will_change) {
    ASSIGN_OR_RETURN(all, GatherOnGpus(options_.cutoff_distance == 0));
    if (all != nullptr) BeginSharedIndex(all);
  }
  if (!shares_pairs_) BeginIndex(std::move(checked.points));
  return absl::OkStatus();
}

// A collective call: whether all points may go to all GPUs.
absl::StatusOr<bool> PreparedBlock::MaySharePairs(bool on_gpus) {
  ASSIGN_OR_RETURN(const bool all_expect_it,
                   ranks_.OnAll(on_gpus && way_ != DeviceWay::kHost &&
                                ExpectedPairs() != AllPairs::kNotExpected));
  if (!all_expect_it || ranks_.size() == 1) return false;
  return way_ == DeviceWay::kNccl ? true : ranks_.OnOneHost();
}

absl::StatusOr<std::shared_ptr<DevicePoints>> PreparedBlock::Gather(
    SharedPoints& shared, bool begins_cutoff) {
  const DevicePoints* expected = nullptr;
  return shared.Gather(
      links_.get(),
      [&](std::shared_ptr<const DevicePoints> all) {
        expected = all.get();
        coming_ = ExpectPoints(*all);
        if (!begins_cutoff) return;
        pairs_on_gpu_ =
            BeginRankCutoff(std::move(all), firsts_.back(), options_);
      },
      [&](int64_t first, int64_t count) {
        if (coming_ != nullptr &&
            !AddPiece(*expected, first, count, *coming_)) {
          coming_ = nullptr;
        }
      });
}

absl::StatusOr<std::shared_ptr<DevicePoints>> PreparedBlock::GatherOnGpus(
    bool begins_cutoff) {
  if (links_ == nullptr) return nullptr;
  SharedPoints shared(mine_.points, NormOfMetric(options_.metric), firsts_,
                      ranks_);
  return Gather(shared, begins_cutoff);
}

absl::StatusOr<BegunIndex> PreparedBlock::SharePairs() {
  ASSIGN_OR_RETURN(std::shared_ptr<DevicePoints> all,
                   GatherOnGpus(/*begins_cutoff=*/false));
  if (all == nullptr) return BegunIndex();
  const std::shared_ptr<ComingPoints> coming = std::exchange(coming_, nullptr);
  return BegunIndex{all,
                    BeginBruteForce(*all, links_->pair_share(), coming.get())};
}

PreparedBlock::CheckedPoints PreparedBlock::CopyAndCheck(bool copies) const {
  Stopwatch stopwatch;
  CheckedPoints checked;
  if (copies) checked.points = CopyToDevice();
  checked.are_legal =
      mine_.points.num_points == 0 ||
      (checked.points != nullptr && HasLegalCoordinates(*checked.points));
  stopwatch.Lap("copy of points");
  return checked;
}

// Whether points go to the GPU to stay, or to move from GPU to GPU. Ranks
// without points also take part in moves.
bool PreparedBlock::copies_points() const {
  return ranks_.size() > 1 && device_ == Device::kCuda &&
         (moves_points() || has_gpu_work());
}

// The points on the GPU; null if they do not go there, or do not fit.
std::shared_ptr<DevicePoints> PreparedBlock::CopyToDevice() const {
  if (!copies_points() || !TakeDeviceOfRank(ranks_).ok()) return nullptr;
  absl::StatusOr<std::shared_ptr<DevicePoints>> copied =
      CopyPointsToDevice(mine_.points, options_.metric);
  return copied.ok() ? *std::move(copied) : nullptr;
}

AllPairs PreparedBlock::ExpectedPairs() const {
  const int32_t d = mine_.points.num_dimensions;
  if (mine_.points.num_points == 0) return AllPairs::kCertain;
  if (d <= kMostPartitionedDimensions) return AllPairs::kNotExpected;
  if (options_.index == DensityPeaksIndex::kBruteForce) {
    return AllPairs::kCertain;
  }
  return options_.index == DensityPeaksIndex::kAuto && d > kMostTreeDimensions
             ? AllPairs::kLikely
             : AllPairs::kNotExpected;
}

void PreparedBlock::BeginSharedIndex(std::shared_ptr<DevicePoints> all) {
  shares_pairs_ = true;
  BeginIndex(std::move(all));
}

// On another thread, makes brute force that is likely of `points` on the GPU,
// or copies first those that have just been changed.
void PreparedBlock::BeginIndex(std::shared_ptr<DevicePoints> points) {
  if (!shares_pairs_) {
    if (!copies_points()) return;
    // They did not fit.
    if (points == nullptr && !IsByAngle(options_.metric)) return;
  }
  const bool is_brute_force = ExpectedPairs() != AllPairs::kNotExpected;
  PairShare* const share = shares_pairs_ ? links_->pair_share() : nullptr;
  begun_ =
      std::async(std::launch::async,
                 [this, points = std::move(points), is_brute_force, share,
                  coming = std::exchange(coming_, nullptr)]() -> BegunIndex {
                   if (!TakeDeviceOfRank(ranks_).ok()) return {};
                   BegunIndex begun = {
                       points != nullptr ? points : CopyToDevice(), nullptr};
                   if (is_brute_force && begun.points != nullptr) {
                     begun.brute_force =
                         BeginBruteForce(*begun.points, share, coming.get());
                   }
                   return begun;
                 });
}

}  // namespace warpclust
