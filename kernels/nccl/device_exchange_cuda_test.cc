// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks as threads that share one GPU, and one rank with NCCL. Several ranks
// with NCCL need a GPU each.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/status/status_macros.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/device/rank_device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/nccl/device_exchange.h"
#include "kernels/nccl/device_way.h"
#include "kernels/nccl/nccl_library.h"
#include "kernels/nccl/peer_exchange.h"

namespace warpclust {
namespace {

class DeviceExchangeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

// What rank r sends.
std::vector<int32_t> NumbersOf(int rank, int64_t count) {
  std::vector<int32_t> numbers(count);
  for (int64_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<int32_t>(i * 31 + 1'000'003 * rank);
  }
  return numbers;
}

// A buffer on which no work is under way.
absl::StatusOr<DeviceBuffer<int32_t>> Ready(
    const std::vector<int32_t>& numbers) {
  ASSIGN_OR_RETURN(auto buffer, DeviceBuffer<int32_t>::FromHost(numbers));
  RETURN_IF_ERROR(buffer.ToHost().status());
  return buffer;
}

int64_t CountOf(int rank, int64_t count) { return count + rank; }

// Rings of all steps, from a buffer and from the outbox, and a chain.
absl::Status ExchangeAll(Communicator& ranks, int64_t count,
                         DeviceExchange& exchange) {
  const int rank = ranks.rank(), size = ranks.size();
  ASSIGN_OR_RETURN(const auto mine,
                   Ready(NumbersOf(rank, CountOf(rank, count))));
  for (int step = 0; step < size; ++step) {
    const int to = (rank + step) % size, from = (rank + size - step) % size;
    const int64_t in_count = CountOf(from, count);
    ASSIGN_OR_RETURN(auto theirs, Ready(std::vector<int32_t>(in_count, -1)));
    RETURN_IF_ERROR(
        exchange.SendReceive(mine, mine.size(), to, &theirs, in_count, from));
    ASSIGN_OR_RETURN(std::vector<int32_t> got, theirs.ToHost());
    EXPECT_EQ(got, NumbersOf(from, in_count)) << "from " << from;

    const int32_t* out = mine.data();
    if (void* const outbox = exchange.Outbox(mine.bytes()); outbox != nullptr) {
      RETURN_IF_ERROR(
          internal::CopyWithinDevice(mine.data(), outbox, mine.bytes()));
      out = static_cast<const int32_t*>(outbox);
    }
    ASSIGN_OR_RETURN(theirs, Ready(std::vector<int32_t>(in_count, -1)));
    RETURN_IF_ERROR(exchange.SendReceive(out, mine.size(), to, theirs.data(),
                                         in_count, from));
    ASSIGN_OR_RETURN(got, theirs.ToHost());
    EXPECT_EQ(got, NumbersOf(from, in_count)) << "outbox of " << from;
  }
  // To the next rank, but not around; half of the elements.
  const int to = rank + 1 < size ? rank + 1 : Communicator::kNobody;
  const int from = rank > 0 ? rank - 1 : Communicator::kNobody;
  ASSIGN_OR_RETURN(auto theirs, Ready(std::vector<int32_t>(count, -1)));
  RETURN_IF_ERROR(
      exchange.SendReceive(mine, count / 2, to, &theirs, count / 2, from));
  ASSIGN_OR_RETURN(const std::vector<int32_t> got, theirs.ToHost());
  std::vector<int32_t> expected(count, -1);
  if (from >= 0) {
    const std::vector<int32_t> sent = NumbersOf(from, count);
    std::copy_n(sent.begin(), count / 2, expected.begin());
  }
  EXPECT_EQ(got, expected);
  return absl::OkStatus();
}

// Runs ExchangeAll; returns the way.
std::string WayOf(int num_ranks, int64_t count,
                  const DeviceExchangeOptions& options = {}) {
  std::vector<std::string> ways(num_ranks);
  const absl::Status status =
      RunOnThreads(num_ranks, [&](Communicator& ranks) -> absl::Status {
        UseDeviceOfRank(ranks);
        RETURN_IF_ERROR(ResolveDevice(Device::kCuda).status());
        ASSIGN_OR_RETURN(const std::unique_ptr<DeviceExchange> exchange,
                         DeviceExchange::Create(ranks, options));
        ways[ranks.rank()] = exchange->way();
        RETURN_IF_ERROR(exchange->Open());
        return ExchangeAll(ranks, count, *exchange);
      });
  EXPECT_TRUE(status.ok()) << status;
  for (const std::string& way : ways) EXPECT_EQ(way, ways[0]);
  return ways[0];
}

DeviceExchangeOptions By(DeviceWay way) {
  DeviceExchangeOptions options;
  options.way = way;
  return options;
}

TEST_F(DeviceExchangeTest, ThroughTheHost) {
  for (int num_ranks = 1; num_ranks <= 7; ++num_ranks) {
    for (const int64_t count : {0, 1, 1000}) {
      SCOPED_TRACE(testing::Message() << num_ranks << " ranks, " << count);
      EXPECT_EQ(WayOf(num_ranks, count, By(DeviceWay::kHost)),
                "host memory (as asked)");
    }
  }
  // Several pieces.
  WayOf(3, 5'000'001 / CaseShare(), By(DeviceWay::kHost));
}

// Also ranks that share a GPU.
TEST_F(DeviceExchangeTest, BetweenThreads) {
  for (int num_ranks = 1; num_ranks <= 7; ++num_ranks) {
    for (const int64_t count : {0, 1, 1000}) {
      SCOPED_TRACE(testing::Message() << num_ranks << " ranks, " << count);
      EXPECT_EQ(WayOf(num_ranks, count), "one process");
    }
  }
  // Several windows.
  DeviceExchangeOptions options = By(DeviceWay::kPeers);
  EXPECT_EQ(WayOf(3, 40'000'001 / CaseShare(), options), "one process");
  options.opens_later = true;
  EXPECT_EQ(WayOf(3, 1000, options), "one process");
}

// All ranks go through the hosts if one of them cannot open memory of others.
TEST_F(DeviceExchangeTest, ARankCannotOpen) {
  for (const int num_ranks : {1, 2, 5}) {
    const uint64_t last = uint64_t{1} << (num_ranks - 1);
    for (const uint64_t refused : {uint64_t{1}, last, 2 * last - 1}) {
      SCOPED_TRACE(testing::Message()
                   << num_ranks << " ranks, refused: " << refused);
      RefuseToOpenForTest(refused);
      const std::string way = WayOf(num_ranks, 1000, By(DeviceWay::kPeers));
      EXPECT_TRUE(absl::StartsWith(way, "host memory (")) << way;
      EXPECT_TRUE(absl::StrContains(way, "of another host")) << way;
      // By NCCL, which is slow to start, or through the hosts.
      if (num_ranks == 2 && refused == last) WayOf(num_ranks, 1000);
      // Who opens later is told, and may exchange in another way.
      const absl::Status status =
          RunOnThreads(num_ranks, [&](Communicator& ranks) -> absl::Status {
            UseDeviceOfRank(ranks);
            RETURN_IF_ERROR(ResolveDevice(Device::kCuda).status());
            DeviceExchangeOptions options = By(DeviceWay::kPeers);
            options.opens_later = true;
            ASSIGN_OR_RETURN(const std::unique_ptr<DeviceExchange> exchange,
                             DeviceExchange::Create(ranks, options));
            EXPECT_TRUE(absl::IsUnavailable(exchange->Open()));
            ASSIGN_OR_RETURN(
                const std::unique_ptr<DeviceExchange> host,
                DeviceExchange::Create(ranks, By(DeviceWay::kHost)));
            return ExchangeAll(ranks, 100, *host);
          });
      EXPECT_TRUE(status.ok()) << status;
      RefuseToOpenForTest(0);
      EXPECT_EQ(WayOf(num_ranks, 1000), "one process");
    }
  }
}

TEST_F(DeviceExchangeTest, TheWaySaysWhy) {
  setenv("WARPCLUST_NCCL_LIBRARY", "/nowhere/libnccl.so.2", 1);
  const std::string missing = WayOf(1, 10, By(DeviceWay::kNccl));
  unsetenv("WARPCLUST_NCCL_LIBRARY");
  EXPECT_TRUE(absl::StrContains(missing, "/nowhere/libnccl.so.2")) << missing;
}

TEST_F(DeviceExchangeTest, OneRankWithNccl) {
  const absl::StatusOr<NcclLibrary> nccl = LoadNccl();
  if (!nccl.ok()) GTEST_SKIP() << nccl.status();
  for (const bool opens_later : {false, true}) {
    DeviceExchangeOptions options = By(DeviceWay::kNccl);
    options.opens_later = opens_later;
    for (const int64_t count : {0, 1, 3'000'000}) {
      EXPECT_EQ(WayOf(1, count, options), "NCCL " + nccl->version);
    }
  }
}

// A machine with more GPUs uses NCCL instead; both ways exchange the same.
TEST_F(DeviceExchangeTest, RanksOnOneGpu) {
  const std::string way = WayOf(2, 1000, By(DeviceWay::kNccl));
  if (way.rfind("NCCL", 0) == 0) GTEST_SKIP() << "a GPU per rank: " << way;
  EXPECT_EQ(way, "host memory (ranks 0 and 1 share a GPU)");
}

// What NCCL itself says of two ranks on one GPU.
TEST_F(DeviceExchangeTest, NcclRefusesASharedGpu) {
  const absl::StatusOr<NcclLibrary> nccl = LoadNccl();
  if (!nccl.ok()) GTEST_SKIP() << nccl.status();
  DeviceExchangeOptions options = By(DeviceWay::kNccl);
  options.find_shared_gpus = false;
  const std::string way = WayOf(2, 1000, options);
  if (way.rfind("NCCL", 0) == 0) GTEST_SKIP() << "it does not: " << way;
  EXPECT_TRUE(absl::StrContains(way, "NCCL: starting")) << way;
}

// A window has room for somewhat more than was asked for, for exchanges to
// come.
TEST_F(DeviceExchangeTest, WindowsAreUsedAgain) {
  SingleRank rank;
  DeviceExchangeOptions options = By(DeviceWay::kPeers);
  std::vector<const void*> outboxes;
  for (const int64_t megabytes : {65, 128}) {
    options.window_bytes = megabytes << 20;
    const auto exchange = DeviceExchange::Create(rank, options);
    ASSERT_TRUE(exchange.ok()) << exchange.status();
    outboxes.push_back((*exchange)->Outbox(options.window_bytes));
    EXPECT_EQ((*exchange)->Outbox(options.window_bytes + 1), nullptr);
  }
  EXPECT_NE(outboxes[0], nullptr);
  EXPECT_EQ(outboxes[0], outboxes[1]);
}

TEST_F(DeviceExchangeTest, BadArguments) {
  SingleRank rank;
  const auto exchange = DeviceExchange::Create(rank);
  ASSERT_TRUE(exchange.ok()) << exchange.status();
  auto few = *DeviceBuffer<int32_t>::Allocate(3);
  auto more = *DeviceBuffer<int32_t>::Allocate(4);
  EXPECT_EQ((*exchange)->SendReceive(few, 4, 0, &more, 4, 0).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ((*exchange)->SendReceive(more, 4, 0, &few, 4, 0).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
