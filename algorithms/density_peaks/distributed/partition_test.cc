// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Points that move to other ranks and values that come back, through the hosts:
// because there are no links between GPUs, or because these are refused.

#include "algorithms/density_peaks/distributed/partition.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/cuda/device_links.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "gtest/gtest.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

// Links between GPUs that turn out not to reach each other.
class RefusedLinks final : public DeviceLinks {
 public:
  absl::StatusOr<std::shared_ptr<DevicePoints>> MovePoints(
      const PointMoves&, std::shared_ptr<DevicePoints>, int, PointMatrix*,
      std::vector<int32_t>*) override {
    return nullptr;
  }
  absl::Status Exchange(const double*, int64_t, int, double*, int64_t,
                        int) override {
    return absl::UnavailableError("refused");
  }
  PairShare* pair_share() override { return nullptr; }

 private:
  absl::StatusOr<bool> BringBack(absl::Span<const char>, absl::Span<char>,
                                 int64_t) override {
    return false;
  }
  absl::Status SendReceive(absl::Span<const char>, int, absl::Span<char>,
                           int) override {
    return absl::UnavailableError("refused");
  }
};

constexpr int32_t kDimensions = 3;

// Coordinates of floats, or of doubles.
PointMatrix MakePoints(int32_t n, bool are_floats, uint64_t seed) {
  Random random(seed);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = kDimensions;
  for (int64_t i = 0; i < int64_t{n} * kDimensions; ++i) {
    const double unit = random.Unit();
    points.values.push_back(
        are_floats ? static_cast<double>(static_cast<float>(unit)) : unit);
  }
  return points;
}

// Each point is on one rank, in order of numbers, with its coordinates; ranks
// have about as many; and what they know of points comes back.
absl::Status MoveAndBringBack(Communicator& ranks, const PointMatrix& all,
                              DeviceLinks* links,
                              std::vector<int32_t>* owners) {
  const int64_t n = all.num_points;
  const auto begin_of = [&](int r) {
    return static_cast<int32_t>(n * r / ranks.size());
  };
  const int32_t first = begin_of(ranks.rank());
  const int32_t size = begin_of(ranks.rank() + 1) - first;
  RankPoints mine;
  mine.points = {
      size,
      kDimensions,
      {all.Row(first), all.Row(first) + int64_t{size} * kDimensions}};
  ASSIGN_OR_RETURN(const Partition partition,
                   PartitionPoints(
                       first, 2, ranks, links, [] { return nullptr; }, &mine));
  EXPECT_EQ(partition.on_device, nullptr);
  EXPECT_EQ(mine.points.num_points, static_cast<int32_t>(mine.numbers.size()));
  EXPECT_TRUE(std::is_sorted(mine.numbers.begin(), mine.numbers.end()));
  EXPECT_LT(mine.points.num_points, n * 2 / ranks.size() + 64);
  std::vector<double> rows;
  for (const int32_t number : mine.numbers) {
    rows.insert(rows.end(), all.Row(number), all.Row(number) + kDimensions);
    (*owners)[number] = ranks.rank();
  }
  EXPECT_EQ(mine.points.values, rows);
  std::vector<int64_t> offsets;
  for (int r = 0; r <= ranks.size(); ++r) {
    offsets.push_back(std::lower_bound(mine.numbers.begin(), mine.numbers.end(),
                                       begin_of(r)) -
                      mine.numbers.begin());
  }
  ASSIGN_OR_RETURN(
      const std::vector<int32_t> numbers,
      partition.routes.BringBack(mine.numbers, offsets, links, ranks));
  std::vector<int32_t> expected(size);
  std::iota(expected.begin(), expected.end(), first);
  EXPECT_EQ(numbers, expected);
  return absl::OkStatus();
}

TEST(PartitionTest, RefusedLinksDoNotShow) {
  for (const int p : {2, 3, 8}) {
    for (const int32_t n : {1, 50, 40'000}) {
      for (const bool are_floats : {true, false}) {
        SCOPED_TRACE(testing::Message() << p << " ranks, " << n << " points");
        const PointMatrix all = MakePoints(n, are_floats, n + p);
        std::vector<int32_t> owners(n, -1), owners_if_refused(n, -1);
        const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
          return MoveAndBringBack(ranks, all, nullptr, &owners);
        });
        EXPECT_TRUE(status.ok()) << status;
        const absl::Status refused = RunOnThreads(p, [&](Communicator& ranks) {
          RefusedLinks links;
          return MoveAndBringBack(ranks, all, &links, &owners_if_refused);
        });
        EXPECT_TRUE(refused.ok()) << refused;
        EXPECT_EQ(owners, owners_if_refused);
        EXPECT_EQ(std::count(owners.begin(), owners.end(), -1), 0);
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
