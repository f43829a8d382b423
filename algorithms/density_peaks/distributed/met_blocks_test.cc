// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Blocks that meet on GPUs, some of which have no room, as on CPUs. An index in
// the host's memory stands for that of a GPU.

#include "algorithms/density_peaks/distributed/met_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/meetings.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "gtest/gtest.h"
#include "vptree/brute_force/block_pairs.h"
#include "vptree/points/block_search.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/packed_points.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

constexpr double kRadiusKey = 1.5;

// What meets a block: an index without searches between blocks, or one whose
// memory suffices for them, or does not.
enum class Meets { kNever, kRuns, kHasNoRoom };

class HostIndex final : public NeighborIndex {
 public:
  HostIndex(const PointMatrix& points, Meets meets)
      : points_(points), meets_(meets) {}

  absl::StatusOr<std::unique_ptr<BlockSearch>> Meet(
      int32_t begin, const PackedRows& others,
      bool others_first) const override {
    if (meets_ == Meets::kNever) return nullptr;
    if (meets_ == Meets::kHasNoRoom) return absl::ResourceExhaustedError("");
    return MeetOnCpu(points_, begin, others, others_first, Norm::kL2, 1);
  }

  // Not called.
  absl::string_view name() const override { return "brute force"; }
  int32_t num_points() const override { return points_.num_points; }
  int64_t distance_evaluations() const override { return 0; }
  absl::StatusOr<double> EstimateSeconds(double) const override { return 0; }
  absl::Status CountWithin(double, absl::Span<int32_t>) const override {
    return absl::UnimplementedError("");
  }
  absl::Status CountWithinEach(absl::Span<const double>,
                               absl::Span<int32_t>) const override {
    return absl::UnimplementedError("");
  }
  absl::Status NearestOfHigherRank(absl::Span<const int32_t>,
                                   absl::Span<NearestPoint>) const override {
    return absl::UnimplementedError("");
  }
  absl::Status HighestRankOfOtherLabel(double, absl::Span<const int32_t>,
                                       absl::Span<const int32_t>,
                                       absl::Span<int32_t>) const override {
    return absl::UnimplementedError("");
  }
  absl::Status CountWithinOf(const PointMatrix&, double,
                             absl::Span<int32_t>) const override {
    return absl::UnimplementedError("");
  }
  absl::Status NearestOfHigherRankOf(const PointMatrix&,
                                     absl::Span<const int32_t>,
                                     absl::Span<const int32_t>,
                                     absl::Span<NearestPoint>) const override {
    return absl::UnimplementedError("");
  }
  absl::Status HighestRankOfOtherLabelOf(const PointMatrix&, double,
                                         absl::Span<const int32_t>,
                                         absl::Span<const int32_t>,
                                         absl::Span<const int32_t>,
                                         absl::Span<int32_t>) const override {
    return absl::UnimplementedError("");
  }

 private:
  const PointMatrix& points_;
  const Meets meets_;
};

// The counts of all meetings, forth, back and forth again. The last block stays
// for the way back; in between all ranks may drop it.
absl::StatusOr<std::vector<int32_t>> CountAll(const PointMatrix& points,
                                              Meets meets, bool may_send_bytes,
                                              bool ahead, bool drops,
                                              Communicator& ranks) {
  const HostIndex index(points, meets);
  MetBlocks blocks(points, Norm::kL2, 1, may_send_bytes, ranks);
  if (ahead) blocks.Start();
  RETURN_IF_ERROR(blocks.Finish());
  std::vector<int32_t> all;
  const int n = NumMeetings(ranks);
  for (int turn = 0; turn < 3 * n; ++turn) {
    const int step = turn / n == 1 ? 2 * n - turn : turn % n + 1;
    if (drops && turn == 2 * n) blocks.Drop();
    BlockMeeting meeting = MakeMeeting(ranks, points.num_points, step);
    RETURN_IF_ERROR(ranks.SendReceiveValues(
        absl::MakeConstSpan(&meeting.num_sent, 1), meeting.to,
        absl::MakeSpan(&meeting.num_others, 1), meeting.from));
    ASSIGN_OR_RETURN(const BlockSearch* const search,
                     blocks.Search(index, meeting));
    std::vector<int32_t> counts(meeting.num_rows());
    RETURN_IF_ERROR(search->CountWithin(kRadiusKey, absl::MakeSpan(counts)));
    all.insert(all.end(), counts.begin(), counts.end());
  }
  return all;
}

TEST(MetBlocksTest, WhatMeetsDoesNotShow) {
  int found = 0;
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE(seed);
    const int p = 2 + static_cast<int>(seed % 5);
    const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
      // Some ranks have floats only, some images, some no points.
      Random random(seed, ranks.rank());
      PointMatrix points;
      points.num_dimensions = 3;
      points.num_points = static_cast<int32_t>(random.Below(12));
      const uint64_t kind = random.Below(3);
      for (int32_t i = 0; i < 3 * points.num_points; ++i) {
        const double x = random.Normal();
        points.values.push_back(kind == 0 ? x
                                : kind == 1
                                    ? static_cast<double>(static_cast<float>(x))
                                    : std::rint(16 * x) / 16);
      }
      const auto meets = static_cast<Meets>(random.Below(3));
      // The same on all ranks.
      const bool may_send_bytes = Random(seed, 97).Below(2) == 0;
      const bool ahead = Random(seed, 99).Below(2) == 0;
      const bool drops = Random(seed, 98).Below(2) == 0;
      ASSIGN_OR_RETURN(const std::vector<int32_t> expected,
                       CountAll(points, Meets::kNever, /*may_send_bytes=*/false,
                                /*ahead=*/false, drops, ranks));
      ASSIGN_OR_RETURN(
          const std::vector<int32_t> counts,
          CountAll(points, meets, may_send_bytes, ahead, drops, ranks));
      EXPECT_EQ(counts, expected);
      // The same pairs each time.
      int64_t sums[3] = {};
      int64_t at = 0;
      for (int turn = 0; turn < 3; ++turn) {
        for (; at < static_cast<int64_t>(counts.size()) * (turn + 1) / 3;
             ++at) {
          sums[turn] += counts[at];
        }
      }
      EXPECT_EQ(sums[0], sums[1]);
      EXPECT_EQ(sums[1], sums[2]);
      if (ranks.rank() == 0) {
        found += std::count_if(counts.begin(), counts.end(),
                               [](int32_t count) { return count > 0; });
      }
      return absl::OkStatus();
    });
    ASSERT_TRUE(status.ok()) << status;
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace warpclust
