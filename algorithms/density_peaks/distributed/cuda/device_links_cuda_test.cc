// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks as threads, which share the GPUs that there are.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/cuda/device_links.h"
#include "algorithms/density_peaks/distributed/cuda/pack_by_owner_cuda.h"
#include "algorithms/density_peaks/distributed/cuda/shared_points.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/device/rank_device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/nccl/device_way.h"
#include "kernels/nccl/peer_exchange.h"
#include "vptree/brute_force/cuda/pair_share.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

class DeviceLinksTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

// Coordinate k of the point of a number.
double Coordinate(int64_t number, int32_t k) {
  return static_cast<double>(number) + 0.125 * k;
}

PointMatrix BlockFrom(int64_t first, int32_t n, int32_t d) {
  PointMatrix block;
  block.num_points = n;
  block.num_dimensions = d;
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t k = 0; k < d; ++k) {
      block.values.push_back(Coordinate(first + i, k));
    }
  }
  return block;
}

std::vector<uint16_t> RandomOwners(int32_t n, int num_owners, Random* random) {
  std::vector<uint16_t> owners(n);
  for (uint16_t& owner : owners) {
    owner = static_cast<uint16_t>(random->Below(num_owners));
  }
  return owners;
}

TEST_F(DeviceLinksTest, PacksByOwner) {
  for (const int num_owners : {1, 2, 3, 300}) {
    for (const int32_t n : {0, 1, 255, 20'000}) {
      SCOPED_TRACE(testing::Message() << num_owners << " owners, " << n);
      Random random(n + num_owners);
      const int32_t d = 1 + static_cast<int32_t>(random.Below(5));
      const std::vector<uint16_t> owners = RandomOwners(n, num_owners, &random);
      const absl::StatusOr<DevicePoints> block =
          DevicePoints::FromHost(BlockFrom(70, n, d), Norm::kL2);
      ASSERT_TRUE(block.ok()) << block.status();
      const absl::StatusOr<PackedBlock> packed =
          PackByOwner(*block, owners, num_owners, 70);
      ASSERT_TRUE(packed.ok()) << packed.status();
      std::vector<int32_t> numbers(n);
      std::iota(numbers.begin(), numbers.end(), 70);
      std::stable_sort(numbers.begin(), numbers.end(), [&](int a, int b) {
        return owners[a - 70] < owners[b - 70];
      });
      EXPECT_EQ(*packed->numbers.ToHost(), numbers);
      std::vector<double> rows;
      for (const int32_t number : numbers) {
        for (int32_t k = 0; k < d; ++k) rows.push_back(Coordinate(number, k));
      }
      EXPECT_EQ(*packed->rows.ToHost(), rows);
    }
  }
}

// The numbers of the points that moved, as values of T, come back.
template <typename T>
absl::Status BringBackNumbers(DeviceLinks& links,
                              const std::vector<int32_t>& numbers,
                              int64_t first, int32_t size) {
  std::vector<T> values, expected, of_block(size);
  for (const int32_t number : numbers) values.push_back(static_cast<T>(number));
  for (int32_t i = 0; i < size; ++i) {
    expected.push_back(static_cast<T>(first + i));
  }
  ASSIGN_OR_RETURN(const bool have_come,
                   links.BringBackValues(absl::MakeConstSpan(values),
                                         absl::MakeSpan(of_block)));
  EXPECT_TRUE(have_come);
  EXPECT_EQ(of_block, expected);
  return absl::OkStatus();
}

// Each rank has a block, of which rank `absent`, if there is one, has none on
// its GPU.
absl::Status MoveBlocks(Communicator& ranks, int32_t n, int absent) {
  RETURN_IF_ERROR(TakeDeviceOfRank(ranks));
  ASSIGN_OR_RETURN(const std::unique_ptr<DeviceLinks> links,
                   OpenDeviceLinks(ranks, DeviceWay::kPeers));
  if (links == nullptr) return absl::InternalError("no links");
  const int p = ranks.size();
  const int rank = ranks.rank();
  constexpr int32_t kDimensions = 3;
  // Owners of all points, which all ranks draw. The last block is empty.
  Random random(n, p);
  std::vector<int64_t> begins = {0};
  for (int r = 0; r < p; ++r) {
    begins.push_back(begins.back() + (r + 1 < p ? n + r : 0));
  }
  const std::vector<uint16_t> owners =
      RandomOwners(static_cast<int32_t>(begins.back()), p, &random);
  std::vector<int64_t> leaving = {0}, coming = {0};
  std::vector<int32_t> expected;
  for (int r = 0; r < p; ++r) {
    leaving.push_back(leaving.back() +
                      std::count(owners.begin() + begins[rank],
                                 owners.begin() + begins[rank + 1], r));
    for (int64_t i = begins[r]; i < begins[r + 1]; ++i) {
      if (owners[i] == rank) expected.push_back(static_cast<int32_t>(i));
    }
    coming.push_back(static_cast<int64_t>(expected.size()));
  }
  const int64_t first = begins[rank];
  const auto size = static_cast<int32_t>(begins[rank + 1] - first);
  PointMatrix points = BlockFrom(first, size, kDimensions);
  std::shared_ptr<DevicePoints> block;
  if (rank != absent) {
    ASSIGN_OR_RETURN(DevicePoints copied,
                     DevicePoints::FromHost(points, Norm::kL1));
    block = std::make_shared<DevicePoints>(std::move(copied));
  }
  std::vector<int32_t> numbers;
  ASSIGN_OR_RETURN(
      const std::shared_ptr<DevicePoints> moved,
      links->MovePoints({absl::MakeConstSpan(owners).subspan(first, size),
                         first, leaving, coming},
                        std::move(block), 2, &points, &numbers));
  EXPECT_EQ(moved == nullptr, absent >= 0);
  if (moved == nullptr) {
    EXPECT_EQ(points.num_points, size);
    std::vector<int32_t> of_block(size);
    ASSIGN_OR_RETURN(const bool have_come,
                     links->BringBackValues(absl::Span<const int32_t>(),
                                            absl::MakeSpan(of_block)));
    EXPECT_FALSE(have_come);
    return absl::OkStatus();
  }
  EXPECT_EQ(numbers, expected);
  EXPECT_EQ(points.num_points, static_cast<int32_t>(expected.size()));
  std::vector<double> rows;
  for (const int32_t number : expected) {
    for (int32_t k = 0; k < kDimensions; ++k) {
      rows.push_back(Coordinate(number, k));
    }
  }
  EXPECT_EQ(*moved->values.ToHost(), rows);
  EXPECT_EQ(moved->num_points, points.num_points);
  EXPECT_EQ(moved->num_dimensions, kDimensions);
  EXPECT_EQ(moved->norm, Norm::kL1);
  RETURN_IF_ERROR(BringBackNumbers<uint8_t>(*links, numbers, first, size));
  RETURN_IF_ERROR(BringBackNumbers<int32_t>(*links, numbers, first, size));
  return BringBackNumbers<double>(*links, numbers, first, size);
}

TEST_F(DeviceLinksTest, MovesPoints) {
  for (const int p : {2, 3, 5}) {
    for (const int32_t n : {1, 40, 30'000}) {
      for (const int absent : {-1, 0, p - 1}) {
        SCOPED_TRACE(testing::Message() << p << " ranks, " << n << " points, "
                                        << absent << " is absent");
        const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
          return MoveBlocks(ranks, n, absent);
        });
        EXPECT_TRUE(status.ok()) << status;
      }
    }
  }
}

TEST_F(DeviceLinksTest, ExchangesValuesOfHosts) {
  const absl::Status status = RunOnThreads(3, [&](Communicator& ranks) {
    RETURN_IF_ERROR(TakeDeviceOfRank(ranks));
    absl::StatusOr<std::unique_ptr<DeviceLinks>> links =
        OpenDeviceLinks(ranks, DeviceWay::kAuto);
    RETURN_IF_ERROR(links.status());
    const auto values_of = [](int rank) {
      return std::vector<double>(1000 * (rank + 1), rank + 0.5);
    };
    const int to = (ranks.rank() + 1) % 3, from = (ranks.rank() + 2) % 3;
    const std::vector<double> mine = values_of(ranks.rank());
    const std::vector<double> expected = values_of(from);
    std::vector<double> got(expected.size());
    RETURN_IF_ERROR((*links)->SendReceiveValues(absl::MakeConstSpan(mine), to,
                                                absl::MakeSpan(got), from));
    EXPECT_EQ(got, expected);
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

// The points of all ranks, some of which have none, on each GPU; then what a
// share of their pairs exchanges, in turns.
TEST_F(DeviceLinksTest, GathersAndShares) {
  for (const int p : {2, 3, 5}) {
    for (const int32_t n : {1, 40, 30'000}) {
      SCOPED_TRACE(testing::Message() << p << " ranks, " << n << " points");
      const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
        RETURN_IF_ERROR(TakeDeviceOfRank(ranks));
        ASSIGN_OR_RETURN(const std::unique_ptr<DeviceLinks> links,
                         OpenDeviceLinks(ranks, DeviceWay::kAuto));
        constexpr int32_t kDimensions = 19;
        const int rank = ranks.rank();
        const int32_t mine = rank == 1 ? 0 : n + rank;
        ASSIGN_OR_RETURN(const std::vector<int64_t> firsts, ranks.Begins(mine));
        const PointMatrix block = BlockFrom(firsts[rank], mine, kDimensions);
        {
          SharedPoints points(block, Norm::kL1, firsts, ranks);
          std::shared_ptr<const DevicePoints> expected;
          std::vector<int> times_came(firsts.back(), 0);
          ASSIGN_OR_RETURN(
              const std::shared_ptr<DevicePoints> all,
              points.Gather(
                  links.get(),
                  [&](auto all_points) { expected = std::move(all_points); },
                  [&](int64_t first, int64_t count) {
                    for (int64_t i = 0; i < count; ++i) ++times_came[first + i];
                  }));
          EXPECT_EQ(expected, all);
          EXPECT_EQ(times_came, std::vector<int>(firsts.back(), 1));
          EXPECT_EQ(all->num_points, firsts.back());
          EXPECT_EQ(all->num_dimensions, kDimensions);
          EXPECT_EQ(all->norm, Norm::kL1);
          EXPECT_EQ(
              *all->values.ToHost(),
              BlockFrom(0, static_cast<int32_t>(firsts.back()), kDimensions)
                  .values);
        }
        // A rank has no links.
        SharedPoints points(block, Norm::kL1, firsts, ranks);
        ASSIGN_OR_RETURN(const std::shared_ptr<DevicePoints> none,
                         points.Gather(
                             rank == p - 1 ? nullptr : links.get(),
                             [](auto) { ADD_FAILURE(); },
                             [](auto, auto) { ADD_FAILURE(); }));
        EXPECT_EQ(none, nullptr);

        PairShare& share = *links->pair_share();
        EXPECT_EQ(share.rank(), rank);
        EXPECT_EQ(share.size(), p);
        int64_t sum = 0;
        for (int step = 1; step < p; ++step) {
          const std::vector<int64_t> value = {rank * rank};
          ASSIGN_OR_RETURN(const auto out,
                           DeviceBuffer<int64_t>::FromHost(value));
          ASSIGN_OR_RETURN(auto in, DeviceBuffer<int64_t>::Allocate(1));
          RETURN_IF_ERROR(
              share.Exchange(step, out.data(), in.data(), sizeof(int64_t)));
          sum += (*in.ToHost())[0];
        }
        EXPECT_EQ(sum, (p - 1) * p * (2 * p - 1) / 6 - rank * rank);
        EXPECT_EQ(share
                      .Agree(rank == 1 ? absl::ResourceExhaustedError("here")
                                       : absl::OkStatus())
                      .code(),
                  absl::StatusCode::kResourceExhausted);
        return share.Agree(absl::OkStatus());
      });
      EXPECT_TRUE(status.ok()) << status;
    }
  }
}

// If one rank cannot open the memory of other GPUs, no rank has links.
TEST_F(DeviceLinksTest, ARankCannotOpen) {
  for (const int p : {2, 5}) {
    const uint64_t last = uint64_t{1} << (p - 1);
    for (const uint64_t refused : {uint64_t{1}, last, 2 * last - 1}) {
      SCOPED_TRACE(testing::Message() << p << " ranks, refused: " << refused);
      RefuseToOpenForTest(refused);
      const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
        RETURN_IF_ERROR(TakeDeviceOfRank(ranks));
        const auto links = OpenDeviceLinks(ranks, DeviceWay::kAuto);
        EXPECT_TRUE(links.ok() && *links == nullptr);
        return absl::OkStatus();
      });
      EXPECT_TRUE(status.ok()) << status;
    }
  }
  RefuseToOpenForTest(0);
}

TEST_F(DeviceLinksTest, HostIsNoLink) {
  const absl::Status status = RunOnThreads(2, [&](Communicator& ranks) {
    RETURN_IF_ERROR(TakeDeviceOfRank(ranks));
    const auto links = OpenDeviceLinks(ranks, DeviceWay::kHost);
    EXPECT_TRUE(links.ok() && *links == nullptr);
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace warpclust
