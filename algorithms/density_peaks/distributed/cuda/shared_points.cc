// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/cuda/shared_points.h"

#include <functional>
#include <future>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "kernels/device/rank_device.h"
#include "kernels/memory/copy_in_parts.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/device_points.h"

namespace warpclust {
namespace {

// The parts in which a rank's points are copied and exchanged. The more there
// are, the less is left to exchange once the last one is copied.
constexpr int kParts = 12;

// Keys of all pairs for the cutoff distance, at most.
constexpr int64_t kBytesOfKeys = kMostPairs * int64_t{sizeof(double)};

int64_t EndOfPart(int64_t count, int part) {
  return count * (part + 1) / kParts;
}

// How many ranks use this one's GPU, if all are on one host.
absl::StatusOr<int64_t> RanksOfGpu(const Communicator& ranks) {
  ASSIGN_OR_RETURN(const int gpus, CountGpus());
  return (ranks.size() - 1 - ranks.local_rank() % gpus) / gpus + 1;
}

// Sets `all` to points without coordinates. ResourceExhausted unless there is
// room for brute force among them, too, for each rank that uses the GPU.
absl::Status AllocateAll(int64_t num_points, int32_t num_dimensions, Norm norm,
                         const Communicator& ranks, DevicePoints& all) {
  all.num_points = static_cast<int32_t>(num_points);
  all.num_dimensions = num_dimensions;
  all.norm = norm;
  ASSIGN_OR_RETURN(all.values, DeviceBuffer<double>::AllocateApart(
                                   num_points * num_dimensions));
  // Three bytes per coordinate, which are rounded up to 64 dimensions, and a
  // center per tile; then what searches and saddles take.
  const int64_t per_point =
      3 * (int64_t{num_dimensions} + 64) + num_dimensions / 16 + 256;
  ASSIGN_OR_RETURN(const int64_t num_ranks, RanksOfGpu(ranks));
  ASSIGN_OR_RETURN(const int64_t free, DeviceMemoryFreeBytes());
  const int64_t wanted = (num_points * per_point + kBytesOfKeys) * num_ranks +
                         all.values.bytes() * (num_ranks - 1);
  if (wanted > free) {
    return absl::ResourceExhaustedError("points of all ranks");
  }
  // Copies are not ordered with the allocation.
  double last;
  return all.values.CopyToHost(
      absl::MakeSpan(&last, all.values.empty() ? 0 : 1));
}

}  // namespace

// Copies the points of a rank to their places among all.
class SharedPoints::Upload {
 public:
  Upload(const PointMatrix& mine, Norm norm, int64_t first, int64_t num_points,
         const Communicator& ranks) {
    begun_ = std::async(std::launch::async,
                        [this, &mine, norm, first, num_points, &ranks] {
                          return Begin(mine, norm, first, num_points, ranks);
                        });
  }

  // Whether there is room, after which the parts can be waited for.
  absl::Status HasRoom() { return begun_.get(); }
  absl::Status WaitForPart(int part) { return copy_->WaitForPart(part); }

  const std::shared_ptr<DevicePoints>& all() const { return all_; }

 private:
  absl::Status Begin(const PointMatrix& mine, Norm norm, int64_t first,
                     int64_t num_points, const Communicator& ranks) {
    Stopwatch stopwatch;
    const int64_t d = mine.num_dimensions;
    RETURN_IF_ERROR(TakeDeviceOfRank(ranks));
    std::vector<int64_t> ends;
    for (int part = 0; part < kParts; ++part) {
      ends.push_back(EndOfPart(mine.num_points, part) * d *
                     int64_t{sizeof(double)});
    }
    copy_.emplace(mine.values.data(), ends);
    RETURN_IF_ERROR(
        AllocateAll(num_points, mine.num_dimensions, norm, ranks, *all_));
    copy_->Start(all_->values.data() + first * d);
    stopwatch.Lap("room for points");
    return absl::OkStatus();
  }

  const std::shared_ptr<DevicePoints> all_ = std::make_shared<DevicePoints>();
  std::optional<internal::CopyInParts> copy_;
  std::future<absl::Status> begun_;
};

SharedPoints::SharedPoints(const PointMatrix& mine, Norm norm,
                           absl::Span<const int64_t> firsts,
                           Communicator& ranks)
    : firsts_(firsts),
      ranks_(ranks),
      upload_(std::make_unique<Upload>(mine, norm, firsts[ranks.rank()],
                                       firsts.back(), ranks)) {}
SharedPoints::~SharedPoints() = default;

absl::StatusOr<std::shared_ptr<DevicePoints>> SharedPoints::Gather(
    DeviceLinks* links,
    const std::function<void(std::shared_ptr<const DevicePoints>)>& expect,
    const std::function<void(int64_t first, int64_t count)>& came) {
  const absl::Status has_room = upload_->HasRoom();
  if (!has_room.ok() && !absl::IsResourceExhausted(has_room)) return has_room;
  ASSIGN_OR_RETURN(const bool have_room,
                   ranks_.OnAll(has_room.ok() && links != nullptr));
  if (!have_room) return nullptr;
  Stopwatch stopwatch;
  const int rank = ranks_.rank();
  const std::shared_ptr<DevicePoints>& all = upload_->all();
  expect(all);
  const int64_t d = all->num_dimensions;
  // A part of a rank's points.
  struct Part {
    int64_t first;
    int64_t count;
  };
  const auto part_of = [&](int of, int part) -> Part {
    const int64_t count = firsts_[of + 1] - firsts_[of];
    const int64_t begin = EndOfPart(count, part - 1);
    return {firsts_[of] + begin, EndOfPart(count, part) - begin};
  };
  const auto values_of = [&](const Part& part) {
    return all->values.data() + part.first * d;
  };
  for (int part = 0; part < kParts; ++part) {
    RETURN_IF_ERROR(upload_->WaitForPart(part));
    const Part mine = part_of(rank, part);
    came(mine.first, mine.count);
    for (int step = 1; step < ranks_.size(); ++step) {
      const int from = ranks_.Before(step);
      const Part theirs = part_of(from, part);
      RETURN_IF_ERROR(links->Exchange(values_of(mine), mine.count * d,
                                      ranks_.After(step), values_of(theirs),
                                      theirs.count * d, from));
      came(theirs.first, theirs.count);
    }
  }
  stopwatch.Lap("points of all ranks");
  return all;
}

}  // namespace warpclust
