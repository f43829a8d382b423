// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/stream.h"

namespace warpclust {
namespace {

constexpr int64_t kBytes = int64_t{64} << 20;
constexpr int kRepeats = 500;

class StreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const absl::StatusOr<Device> gpu = ResolveDevice(Device::kCuda);
    if (!gpu.ok()) GTEST_SKIP() << gpu.status();
  }

  static void Fill(const Stream& stream, DeviceBuffer<uint8_t>& buffer,
                   int value, int repeats) {
    Fill(stream.get(), buffer, value, repeats);
  }

  static void Fill(cudaStream_t stream, DeviceBuffer<uint8_t>& buffer,
                   int value, int repeats) {
    for (int i = 0; i < repeats; ++i) {
      ASSERT_EQ(cudaMemsetAsync(buffer.data(), value,
                                static_cast<size_t>(buffer.bytes()), stream),
                cudaSuccess);
    }
  }

  static void ExpectAll(const DeviceBuffer<uint8_t>& buffer, uint8_t value) {
    const absl::StatusOr<std::vector<uint8_t>> bytes = buffer.ToHost();
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    EXPECT_EQ(std::count(bytes->begin(), bytes->end(), value), buffer.size());
  }
};

TEST_F(StreamTest, TimesWork) {
  absl::StatusOr<Stream> stream = Stream::Create();
  absl::StatusOr<Event> start = Event::Create();
  absl::StatusOr<Event> end = Event::Create();
  ASSERT_TRUE(stream.ok() && start.ok() && end.ok());
  absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
      DeviceBuffer<uint8_t>::Allocate(kBytes);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  ASSERT_TRUE(start->Record(*stream).ok());
  Fill(*stream, *buffer, 7, kRepeats);
  ASSERT_TRUE(end->Record(*stream).ok());
  const absl::StatusOr<double> seconds = end->SecondsSince(*start);
  ASSERT_TRUE(seconds.ok()) << seconds.status();
  // 32 GB written: more than a millisecond, less than a minute.
  EXPECT_GT(*seconds, 1e-3);
  EXPECT_LT(*seconds, 60);
  EXPECT_TRUE(stream->Synchronize().ok());
}

// Work on a Stream beside the default stream ends before work that was given to
// that one earlier.
TEST_F(StreamTest, BesideDoesNotWait) {
  absl::StatusOr<Stream> beside = Stream::CreateBeside();
  absl::StatusOr<Event> end = Event::Create();
  ASSERT_TRUE(beside.ok() && end.ok());
  absl::StatusOr<DeviceBuffer<uint8_t>> large =
      DeviceBuffer<uint8_t>::Allocate(kBytes);
  absl::StatusOr<DeviceBuffer<uint8_t>> small =
      DeviceBuffer<uint8_t>::Allocate(1);
  ASSERT_TRUE(large.ok() && small.ok());
  ASSERT_TRUE(small->FillBytes(0).ok());
  ExpectAll(*small, 0);  // The memory is there.
  const cudaStream_t usual = nullptr;
  Fill(usual, *large, 7, 10 * kRepeats);
  ASSERT_EQ(cudaEventRecord(end->get(), usual), cudaSuccess);
  Fill(*beside, *small, 3, 1);
  ASSERT_TRUE(beside->Synchronize().ok());
  EXPECT_EQ(cudaEventQuery(end->get()), cudaErrorNotReady);
  cudaGetLastError();
  ExpectAll(*small, 3);
}

TEST_F(StreamTest, NeverRecordedEventsHaveNoTime) {
  absl::StatusOr<Event> start = Event::Create();
  absl::StatusOr<Event> end = Event::Create();
  ASSERT_TRUE(start.ok() && end.ok());
  EXPECT_TRUE(end->Synchronize().ok());
  EXPECT_FALSE(end->SecondsSince(*start).ok());
  // And the error does not stay.
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(StreamTest, WaitForOrdersTwoStreams) {
  absl::StatusOr<Stream> first = Stream::Create();
  absl::StatusOr<Stream> second = Stream::Create();
  absl::StatusOr<Event> event = Event::Create();
  ASSERT_TRUE(first.ok() && second.ok() && event.ok());
  absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
      DeviceBuffer<uint8_t>::Allocate(kBytes);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  Fill(*first, *buffer, 1, kRepeats);
  ASSERT_TRUE(event->Record(*first).ok());
  ASSERT_TRUE(second->WaitFor(*event).ok());
  Fill(*second, *buffer, 2, 1);
  ASSERT_TRUE(second->Synchronize().ok());
  ExpectAll(*buffer, 2);
}

TEST_F(StreamTest, MovesLeaveOneOwner) {
  absl::StatusOr<Stream> created = Stream::Create();
  ASSERT_TRUE(created.ok()) << created.status();
  const cudaStream_t handle = created->get();
  Stream moved = *std::move(created);
  EXPECT_EQ(moved.get(), handle);
  absl::StatusOr<Stream> other = Stream::Create();
  ASSERT_TRUE(other.ok()) << other.status();
  moved = *std::move(other);
  EXPECT_NE(moved.get(), handle);
  EXPECT_TRUE(moved.Synchronize().ok());
}

// What device_buffer.h promises: memory freed while a Stream still writes to
// it is not given to another Stream before that write is done.
TEST_F(StreamTest, FreedMemoryIsReusedInOrder) {
  absl::StatusOr<Stream> first = Stream::Create();
  absl::StatusOr<Stream> second = Stream::Create();
  ASSERT_TRUE(first.ok() && second.ok());
  absl::StatusOr<DeviceBuffer<uint8_t>> old =
      DeviceBuffer<uint8_t>::Allocate(kBytes);
  ASSERT_TRUE(old.ok()) << old.status();
  const uint8_t* address = old->data();
  Fill(*first, *old, 1, kRepeats);
  *old = DeviceBuffer<uint8_t>();
  absl::StatusOr<DeviceBuffer<uint8_t>> fresh =
      DeviceBuffer<uint8_t>::Allocate(kBytes);
  ASSERT_TRUE(fresh.ok()) << fresh.status();
  const bool first_was_busy = cudaStreamQuery(first->get()) != cudaSuccess;
  cudaGetLastError();
  Fill(*second, *fresh, 2, 1);
  ExpectAll(*fresh, 2);
  // Whether this run could have shown a wrong order.
  RecordProperty("same_memory", fresh->data() == address ? "yes" : "no");
  RecordProperty("first_stream_busy", first_was_busy ? "yes" : "no");
}

// Also promised: FillBytes comes after earlier and before later work.
TEST_F(StreamTest, FillIsOrderedWithStreams) {
  absl::StatusOr<Stream> stream = Stream::Create();
  ASSERT_TRUE(stream.ok()) << stream.status();
  absl::StatusOr<DeviceBuffer<uint8_t>> buffer =
      DeviceBuffer<uint8_t>::Allocate(kBytes);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  Fill(*stream, *buffer, 1, kRepeats);
  ASSERT_TRUE(buffer->FillBytes(2).ok());
  ExpectAll(*buffer, 2);
  for (int i = 0; i < kRepeats; ++i) ASSERT_TRUE(buffer->FillBytes(3).ok());
  Fill(*stream, *buffer, 4, 1);
  ExpectAll(*buffer, 4);
}

}  // namespace
}  // namespace warpclust
