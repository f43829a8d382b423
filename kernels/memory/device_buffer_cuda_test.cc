// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/copy_in_parts.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

constexpr int64_t kMebibyte = int64_t{1} << 20;

TEST(DeviceBufferHostTest, EmptyAndBadCountsNeedNoGpu) {
  DeviceBuffer<int32_t> none;
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_EQ(none.bytes(), 0);
  absl::StatusOr<DeviceBuffer<int32_t>> empty =
      DeviceBuffer<int32_t>::FromHost({});
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_TRUE(empty->empty());
  EXPECT_TRUE(empty->FillBytes(1).ok());
  EXPECT_TRUE(empty->ToHost()->empty());
  EXPECT_EQ(DeviceBuffer<int32_t>::Allocate(-1).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(DeviceBuffer<int32_t>::Allocate(std::numeric_limits<int64_t>::max())
                .status()
                .code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(DeviceBufferHostTest, WithoutGpuIsUnavailable) {
  if (ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(DeviceBuffer<int32_t>::Allocate(1).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(DeviceMemoryFreeBytes().status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(DeviceMemoryInUseBytes(), 0);
}

class DeviceBufferTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const absl::StatusOr<Device> gpu = ResolveDevice(Device::kCuda);
    if (!gpu.ok()) GTEST_SKIP() << gpu.status();
  }
  void TearDown() override { SetDeviceMemoryLimit(-1); }
};

std::vector<uint8_t> RandomBytes(int64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint8_t> bytes(static_cast<size_t>(count));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

TEST_F(DeviceBufferTest, RoundTrips) {
  // On both sides of the staging threshold (16 MiB) and of whole chunks (2
  // MiB).
  for (int64_t count :
       {int64_t{1}, int64_t{31}, int64_t{1000}, int64_t{1000000},
        16 * kMebibyte - 1, 16 * kMebibyte, 16 * kMebibyte + 1,
        18 * kMebibyte - 1, 37 * kMebibyte + 3, 150 * kMebibyte + 77}) {
    SCOPED_TRACE(absl::StrCat(count, " bytes"));
    const std::vector<uint8_t> sent =
        RandomBytes(count, static_cast<uint64_t>(count));
    const absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
        DeviceBuffer<uint8_t>::FromHost(sent);
    ASSERT_TRUE(buffer.ok()) << buffer.status();
    EXPECT_EQ(buffer->size(), count);
    // Twice: the second finds the staging chunks used.
    for (int i = 0; i < 2; ++i) {
      const absl::StatusOr<std::vector<uint8_t>> received = buffer->ToHost();
      ASSERT_TRUE(received.ok()) << received.status();
      ASSERT_TRUE(*received == sent);
    }
  }
}

TEST_F(DeviceBufferTest, CopiesParts) {
  std::vector<int32_t> expected(1000, 0);
  absl::StatusOr<DeviceBuffer<int32_t>> buffer =
      DeviceBuffer<int32_t>::FromHost(expected);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  const std::vector<int32_t> part = {1, 2, 3, 4, 5};
  ASSERT_TRUE(buffer->CopyFromHost(part, 995).ok());
  ASSERT_TRUE(
      buffer->CopyFromHost(absl::MakeConstSpan(part).subspan(2), 10).ok());
  for (int i = 0; i < 5; ++i) expected[995 + i] = part[i];
  for (int i = 2; i < 5; ++i) expected[8 + i] = part[i];
  EXPECT_EQ(*buffer->ToHost(), expected);
  std::vector<int32_t> read(4);
  ASSERT_TRUE(buffer->CopyToHost(absl::MakeSpan(read), 9).ok());
  EXPECT_EQ(read, (std::vector<int32_t>{0, 3, 4, 5}));

  for (int64_t offset : {int64_t{-1}, int64_t{996}, int64_t{1001},
                         std::numeric_limits<int64_t>::max()}) {
    EXPECT_EQ(buffer->CopyFromHost(part, offset).code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(buffer->CopyToHost(absl::MakeSpan(read), offset + 1).code(),
              offset == -1 ? absl::StatusCode::kOk
                           : absl::StatusCode::kInvalidArgument);
  }
  EXPECT_TRUE(buffer->CopyFromHost({}, 1000).ok());
  EXPECT_EQ(*buffer->ToHost(), expected);
}

TEST_F(DeviceBufferTest, LargePartIsStagedAtItsPlace) {
  const int64_t count = 40 * kMebibyte;
  std::vector<uint8_t> expected = RandomBytes(count, 1);
  absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
      DeviceBuffer<uint8_t>::FromHost(expected);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  const std::vector<uint8_t> part = RandomBytes(20 * kMebibyte + 5, 2);
  ASSERT_TRUE(buffer->CopyFromHost(part, 1234567).ok());
  std::copy(part.begin(), part.end(), expected.begin() + 1234567);
  std::vector<uint8_t> read(static_cast<size_t>(count - 99));
  ASSERT_TRUE(buffer->CopyToHost(absl::MakeSpan(read), 99).ok());
  EXPECT_TRUE(std::equal(read.begin(), read.end(), expected.begin() + 99));
}

TEST_F(DeviceBufferTest, CopiesInParts) {
  // Parts without bytes, of less than a chunk (2 MiB), and of many.
  for (const std::vector<int64_t>& ends : std::vector<std::vector<int64_t>>{
           {0},
           {5},
           {0, 1, 1, 70, 3 * kMebibyte, 3 * kMebibyte + 1},
           {kMebibyte, 2 * kMebibyte, 4 * kMebibyte, 64 * kMebibyte},
           {16 * kMebibyte, 33 * kMebibyte + 7, 34 * kMebibyte,
            150 * kMebibyte + 77}}) {
    const int64_t size = ends.back();
    const std::vector<uint8_t> sent = RandomBytes(size, 3);
    absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
        DeviceBuffer<uint8_t>::Allocate(size);
    ASSERT_TRUE(buffer.ok()) << buffer.status();
    // Waits for the allocation.
    ASSERT_TRUE(buffer->CopyFromHost(std::vector<uint8_t>(size, 0)).ok());
    internal::CopyInParts copy(sent.data(), ends);
    copy.Start(buffer->data());
    int64_t begin = 0;
    for (size_t part = 0; part < ends.size(); ++part) {
      SCOPED_TRACE(absl::StrCat(part, " of ", ends.size(), ", ", size));
      ASSERT_TRUE(copy.WaitForPart(static_cast<int>(part)).ok());
      // Its end came last. More would wait until all is there.
      std::vector<uint8_t> read(std::min(ends[part] - begin, 4 * kMebibyte));
      begin = ends[part];
      const int64_t first = begin - static_cast<int64_t>(read.size());
      ASSERT_TRUE(buffer->CopyToHost(absl::MakeSpan(read), first).ok());
      EXPECT_TRUE(std::equal(read.begin(), read.end(), sent.begin() + first));
    }
    EXPECT_TRUE(*buffer->ToHost() == sent);
  }
}

// It ends first.
TEST_F(DeviceBufferTest, CopyInPartsNeedNotBeWaitedFor) {
  const std::vector<uint8_t> sent = RandomBytes(70 * kMebibyte, 4);
  absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
      DeviceBuffer<uint8_t>::FromHost(std::vector<uint8_t>(sent.size(), 0));
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  const std::vector<int64_t> ends = {kMebibyte, buffer->size()};
  internal::CopyInParts(sent.data(), ends);  // Not even started.
  EXPECT_TRUE(*buffer->ToHost() == std::vector<uint8_t>(sent.size(), 0));
  internal::CopyInParts(sent.data(), ends).Start(buffer->data());
  EXPECT_TRUE(*buffer->ToHost() == sent);
}

// Memory of both kinds, from which buffers move and grow.
TEST_F(DeviceBufferTest, AllocatesApart) {
  constexpr int64_t kLarge = int64_t{1} << 28;
  const int64_t before = DeviceMemoryInUseBytes();
  {
    absl::StatusOr<DeviceBuffer<uint8_t>> large =
        DeviceBuffer<uint8_t>::AllocateApart(kLarge);
    ASSERT_TRUE(large.ok()) << large.status();
    absl::StatusOr<DeviceBuffer<uint8_t>> small =
        DeviceBuffer<uint8_t>::AllocateApart(5);
    ASSERT_TRUE(small.ok()) << small.status();
    EXPECT_EQ(DeviceMemoryInUseBytes(), before + kLarge + 5);
    const std::vector<uint8_t> sent = RandomBytes(20 * kMebibyte, 8);
    ASSERT_TRUE(large->CopyFromHost(sent, kLarge - 20 * kMebibyte).ok());
    std::swap(*large, *small);
    ASSERT_TRUE(ReserveInto(kLarge + 1, *small).ok());
    std::vector<uint8_t> read(sent.size());
    ASSERT_TRUE(
        small->CopyToHost(absl::MakeSpan(read), kLarge - 20 * kMebibyte).ok());
    EXPECT_TRUE(read == sent);
    *large = *std::move(small);
    EXPECT_EQ(large->size(), kLarge + kLarge / 2);
    EXPECT_TRUE(large->FillBytes(1).ok());
  }
  EXPECT_EQ(DeviceMemoryInUseBytes(), before);
  SetDeviceMemoryLimit(before + kLarge - 1);
  EXPECT_EQ(DeviceBuffer<uint8_t>::AllocateApart(kLarge).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(DeviceMemoryInUseBytes(), before);
}

// What was freed serves arrays of about the same size, until it is returned.
TEST_F(DeviceBufferTest, KeepsWhatWasApart) {
  constexpr int64_t kLarge = int64_t{1} << 30;
  const auto place_of = [](int64_t bytes) -> const uint8_t* {
    const auto buffer = DeviceBuffer<uint8_t>::AllocateApart(bytes);
    EXPECT_TRUE(buffer.ok()) << buffer.status();
    return buffer.ok() ? buffer->data() : nullptr;
  };
  const uint8_t* const place = place_of(kLarge);
  EXPECT_EQ(place_of(kLarge - kLarge / 10), place);
  EXPECT_EQ(place_of(kLarge), place);
  absl::StatusOr<DeviceBuffer<uint8_t>> taken =
      DeviceBuffer<uint8_t>::AllocateApart(kLarge);
  ASSERT_TRUE(taken.ok()) << taken.status();
  EXPECT_NE(place_of(kLarge), taken->data());
  EXPECT_TRUE(ReturnDeviceMemory().ok());
  EXPECT_TRUE(taken->FillBytes(1).ok());
  // What is half as large gets a place of its own, and the kept one is freed.
  *taken = DeviceBuffer<uint8_t>();
  EXPECT_NE(place_of(kLarge / 2), nullptr);
  EXPECT_TRUE(ReturnDeviceMemory().ok());
}

TEST_F(DeviceBufferTest, Fills) {
  absl::StatusOr<DeviceBuffer<uint32_t>> buffer =
      DeviceBuffer<uint32_t>::Allocate(12345);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  ASSERT_TRUE(buffer->FillBytes(0xab).ok());
  EXPECT_EQ(*buffer->ToHost(), std::vector<uint32_t>(12345, 0xababababu));
}

TEST_F(DeviceBufferTest, ThreadsCopyAtOnce) {
  // Of 17 to 77 MiB: the last waits for others, which do not.
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (uint64_t i = 0; i < 3; ++i) {
        const std::vector<uint8_t> sent = RandomBytes(
            static_cast<int64_t>(17 + 20 * t) * kMebibyte, 10 * t + i);
        const absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
            DeviceBuffer<uint8_t>::FromHost(sent);
        ASSERT_TRUE(buffer.ok()) << buffer.status();
        const absl::StatusOr<std::vector<uint8_t>> received = buffer->ToHost();
        ASSERT_TRUE(received.ok()) << received.status();
        EXPECT_TRUE(*received == sent);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(DeviceBufferTest, MovesAndCountsUse) {
  const int64_t before = DeviceMemoryInUseBytes();
  ResetDeviceMemoryPeak();
  EXPECT_EQ(DeviceMemoryPeakBytes(), before);
  {
    absl::StatusOr<DeviceBuffer<int64_t>> a =
        DeviceBuffer<int64_t>::Allocate(1000);
    ASSERT_TRUE(a.ok()) << a.status();
    EXPECT_EQ(DeviceMemoryInUseBytes(), before + 8000);
    DeviceBuffer<int64_t> b = *std::move(a);
    EXPECT_EQ(a->data(), nullptr);
    EXPECT_EQ(a->size(), 0);
    EXPECT_EQ(DeviceMemoryInUseBytes(), before + 8000);
    absl::StatusOr<DeviceBuffer<int64_t>> c =
        DeviceBuffer<int64_t>::Allocate(10);
    ASSERT_TRUE(c.ok()) << c.status();
    b = *std::move(c);
    EXPECT_EQ(b.size(), 10);
  }
  EXPECT_EQ(DeviceMemoryInUseBytes(), before);
  EXPECT_EQ(DeviceMemoryPeakBytes(), before + 8080);
  ResetDeviceMemoryPeak();
  EXPECT_EQ(DeviceMemoryPeakBytes(), before);
}

TEST_F(DeviceBufferTest, LimitActsLikeASmallGpu) {
  const int64_t limit = DeviceMemoryInUseBytes() + 1000000;
  SetDeviceMemoryLimit(limit);
  EXPECT_EQ(*DeviceMemoryFreeBytes(), 1000000);
  const absl::StatusOr<DeviceBuffer<uint8_t>> a =
      DeviceBuffer<uint8_t>::Allocate(600000);
  ASSERT_TRUE(a.ok()) << a.status();
  EXPECT_EQ(*DeviceMemoryFreeBytes(), 400000);
  EXPECT_EQ(DeviceBuffer<uint8_t>::Allocate(400001).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(DeviceBuffer<uint8_t>::Allocate(400000).ok());
  // AllocateInto frees what the buffer held before it asks for more.
  DeviceBuffer<uint8_t> b;
  EXPECT_TRUE(AllocateInto(300000, b).ok());
  EXPECT_TRUE(AllocateInto(400000, b).ok());
  EXPECT_EQ(b.size(), 400000);
  EXPECT_EQ(AllocateInto(400001, b).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(b.empty());
  // Lowered below the use: nothing fits, and free is not negative.
  SetDeviceMemoryLimit(1);
  EXPECT_EQ(*DeviceMemoryFreeBytes(), 0);
  EXPECT_FALSE(DeviceBuffer<uint8_t>::Allocate(1).ok());
  SetDeviceMemoryLimit(-1);
  EXPECT_TRUE(DeviceBuffer<uint8_t>::Allocate(2000000).ok());
}

TEST_F(DeviceBufferTest, RealExhaustionIsAStatusAndLeavesUsWorking) {
  const int64_t before = DeviceMemoryInUseBytes();
  const absl::StatusOr<int64_t> free = DeviceMemoryFreeBytes();
  ASSERT_TRUE(free.ok()) << free.status();
  ASSERT_GT(*free, 0);
  const absl::Status status =
      DeviceBuffer<uint8_t>::Allocate(2 * *free).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_EQ(DeviceMemoryInUseBytes(), before);
  const std::vector<uint8_t> sent = RandomBytes(1000, 3);
  const absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
      DeviceBuffer<uint8_t>::FromHost(sent);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  EXPECT_EQ(*buffer->ToHost(), sent);
}

TEST_F(DeviceBufferTest, ReserveKeepsWhatIsThere) {
  DeviceBuffer<uint8_t> buffer;
  ASSERT_TRUE(ReserveInto(0, buffer).ok());
  EXPECT_TRUE(buffer.empty());
  ASSERT_TRUE(ReserveInto(1000, buffer).ok());
  ASSERT_EQ(buffer.size(), 1000);
  const std::vector<uint8_t> sent = RandomBytes(1000, 4);
  ASSERT_TRUE(buffer.CopyFromHost(sent).ok());
  ASSERT_TRUE(ReserveInto(500, buffer).ok());
  EXPECT_EQ(buffer.size(), 1000);
  ASSERT_TRUE(ReserveInto(1001, buffer).ok());
  EXPECT_EQ(buffer.size(), 1500);
  ASSERT_TRUE(ReserveInto(9000, buffer).ok());
  EXPECT_EQ(buffer.size(), 9000);
  std::vector<uint8_t> kept(1000);
  ASSERT_TRUE(buffer.CopyToHost(absl::MakeSpan(kept)).ok());
  EXPECT_EQ(kept, sent);
  ASSERT_TRUE(ReserveInto(20000, buffer, 300).ok());
  EXPECT_EQ(buffer.size(), 20000);
  kept.resize(300);
  ASSERT_TRUE(buffer.CopyToHost(absl::MakeSpan(kept)).ok());
  EXPECT_TRUE(std::equal(kept.begin(), kept.end(), sent.begin()));
}

TEST_F(DeviceBufferTest, ReserveZeroedClearsWhatIsNew) {
  DeviceBuffer<int32_t> buffer;
  ASSERT_TRUE(ReserveZeroed(100, buffer).ok());
  std::vector<int32_t> got(100, -1);
  ASSERT_TRUE(buffer.CopyToHost(absl::MakeSpan(got)).ok());
  EXPECT_EQ(got, std::vector<int32_t>(100, 0));
  const std::vector<int32_t> sent(100, 7);
  ASSERT_TRUE(buffer.CopyFromHost(sent).ok());
  ASSERT_TRUE(ReserveZeroed(50, buffer).ok());
  ASSERT_TRUE(ReserveZeroed(101, buffer).ok());
  ASSERT_EQ(buffer.size(), 150);
  got.resize(150, -1);
  ASSERT_TRUE(buffer.CopyToHost(absl::MakeSpan(got)).ok());
  std::vector<int32_t> expected = sent;
  expected.resize(150, 0);
  EXPECT_EQ(got, expected);
}

TEST_F(DeviceBufferTest, MakeRoomTakesWhatFits) {
  DeviceBuffer<uint8_t> buffer;
  ASSERT_TRUE(MakeRoom(0, buffer).ok());
  EXPECT_TRUE(buffer.empty());
  ASSERT_TRUE(MakeRoom(1000, buffer).ok());
  EXPECT_EQ(buffer.size(), 1000);
  ASSERT_TRUE(MakeRoom(1001, buffer).ok());
  EXPECT_EQ(buffer.size(), 1500);
  ASSERT_TRUE(MakeRoom(10, buffer).ok());
  EXPECT_EQ(buffer.size(), 1500);
  // Not half more, and not beside the old one: just what is needed.
  const int64_t others = DeviceMemoryInUseBytes() - buffer.bytes();
  SetDeviceMemoryLimit(others + 1600);
  EXPECT_TRUE(MakeRoom(1600, buffer).ok());
  EXPECT_EQ(buffer.size(), 1600);
  EXPECT_TRUE(absl::IsResourceExhausted(MakeRoom(1700, buffer)));
  SetDeviceMemoryLimit(-1);
}

// Memory freed in small pieces must serve one large allocation.
TEST_F(DeviceBufferTest, FreedPiecesMakeALargeOne) {
  const absl::StatusOr<int64_t> free = DeviceMemoryFreeBytes();
  ASSERT_TRUE(free.ok()) << free.status();
  const int64_t piece = *free / 25;
  {
    std::vector<DeviceBuffer<uint8_t>> pieces;
    for (int i = 0; i < 16; ++i) {
      absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
          DeviceBuffer<uint8_t>::Allocate(piece);
      ASSERT_TRUE(buffer.ok()) << buffer.status();
      pieces.push_back(*std::move(buffer));
    }
  }
  const absl::StatusOr<DeviceBuffer<uint8_t>> whole =
      DeviceBuffer<uint8_t>::Allocate(16 * piece);
  EXPECT_TRUE(whole.ok()) << whole.status();
}

}  // namespace
}  // namespace warpclust
