// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/early_upload.h"

namespace warpclust {
namespace {

// The chunks of a staged copy, in floats.
constexpr int64_t kChunk = int64_t{1} << 19;

std::vector<float> RandomValues(int64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = static_cast<float>(random() >> 40);
  return values;
}

TEST(EarlyUploadHostTest, CopiesNothingBeforeCudaRuns) {
  if (CudaIsRunning()) GTEST_SKIP() << "CUDA runs in this process";
  const std::unique_ptr<EarlyUpload<float>> upload = EarlyUpload<float>::New();
  const std::vector<float> values = RandomValues(1000, 1);
  upload->Write(0, values, 1000);
  EXPECT_EQ(DeviceMemoryInUseBytes(), 0);
}

class EarlyUploadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const absl::StatusOr<Device> gpu = ResolveDevice(Device::kCuda);
    if (!gpu.ok()) GTEST_SKIP() << gpu.status();
    upload_ = EarlyUpload<float>::New();
  }
  void TearDown() override {
    SetDeviceMemoryLimit(-1);
    upload_ = nullptr;
    EXPECT_EQ(DeviceMemoryInUseBytes(), 0);
  }

  // Writes the blocks of `values` whose number `chooses` returns true for.
  template <typename Chooses>
  void WriteBlocks(const std::vector<float>& values, int64_t block,
                   int64_t expected, const Chooses& chooses) {
    const auto size = static_cast<int64_t>(values.size());
    for (int64_t b = 0; b * block < size; ++b) {
      if (!chooses(b)) continue;
      // Gone after the call, as those of a reader.
      const std::vector<float> part(
          values.begin() + b * block,
          values.begin() + std::min(size, (b + 1) * block));
      upload_->Write(b * block, part, expected);
    }
  }

  // What FromHost gives: the same values in as much memory.
  void ExpectFinishes(const std::vector<float>& values) {
    const auto on_gpu = upload_->Finish(values);
    ASSERT_TRUE(on_gpu.ok()) << on_gpu.status();
    EXPECT_EQ(on_gpu->size(), static_cast<int64_t>(values.size()));
    EXPECT_EQ(DeviceMemoryInUseBytes(), on_gpu->bytes());
    const auto back = on_gpu->ToHost();
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_TRUE(*back == values);
  }

  std::unique_ptr<EarlyUpload<float>> upload_;
};

constexpr auto kAll = [](int64_t) { return true; };

TEST_F(EarlyUploadTest, WritesBlocks) {
  for (const int64_t size : {int64_t{0}, int64_t{1}, int64_t{1000}, kChunk - 1,
                             kChunk, kChunk + 1, 9 * kChunk + 3}) {
    for (const int64_t block : {int64_t{977}, kChunk - 1, kChunk, 2 * kChunk,
                                3 * kChunk + 1, 20 * kChunk}) {
      SCOPED_TRACE(absl::StrCat(size, " values by ", block));
      upload_ = EarlyUpload<float>::New();
      const std::vector<float> values = RandomValues(size, size + block);
      WriteBlocks(values, block, size, kAll);
      EXPECT_EQ(DeviceMemoryInUseBytes(), 4 * size);
      ExpectFinishes(values);
    }
  }
}

// Were they not on the GPU already, the others could not be told from them.
TEST_F(EarlyUploadTest, KeepsWhatWasWritten) {
  std::vector<float> values = RandomValues(4 * kChunk, 2);
  EXPECT_EQ(upload_->NumWritten(), 0);
  WriteBlocks(values, kChunk, 4 * kChunk, [](int64_t b) { return b % 2 == 1; });
  EXPECT_EQ(upload_->NumWritten(), 2 * kChunk);
  const std::vector<float> right = values;
  std::fill(values.begin() + kChunk, values.begin() + 2 * kChunk, -1.0f);
  const auto on_gpu = upload_->Finish(values);
  ASSERT_TRUE(on_gpu.ok()) << on_gpu.status();
  EXPECT_TRUE(*on_gpu->ToHost() == right);
}

TEST_F(EarlyUploadTest, FinishesWhatWasNotWritten) {
  const std::vector<float> values = RandomValues(23 * kChunk + 5, 3);
  const auto size = static_cast<int64_t>(values.size());
  // None; the first; the last; a few; all but the last.
  for (const uint32_t chosen :
       {0u, 1u, 1u << 23, 0b10001000000000110u, (1u << 23) - 1}) {
    for (const int64_t expected : {int64_t{0}, size}) {
      SCOPED_TRACE(absl::StrCat(chosen, ", expected ", expected));
      upload_ = EarlyUpload<float>::New();
      WriteBlocks(values, kChunk, expected,
                  [chosen](int64_t b) { return (chosen >> b & 1) != 0; });
      ExpectFinishes(values);
    }
  }
}

TEST_F(EarlyUploadTest, GrowsWithoutAnExpectedSize) {
  for (const int64_t expected : {int64_t{0}, int64_t{5000}, 30 * kChunk}) {
    SCOPED_TRACE(absl::StrCat("expected ", expected));
    upload_ = EarlyUpload<float>::New();
    const std::vector<float> values = RandomValues(11 * kChunk + 7, 4);
    WriteBlocks(values, 100003, expected, kAll);
    ExpectFinishes(values);
  }
}

TEST_F(EarlyUploadTest, ManyThreadsWriteInAnyOrder) {
  constexpr int64_t kBlock = 70001;
  const std::vector<float> values = RandomValues(40 * kChunk + 11, 5);
  const auto size = static_cast<int64_t>(values.size());
  for (const int64_t expected : {int64_t{0}, size}) {
    upload_ = EarlyUpload<float>::New();
    std::atomic<int64_t> next{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 20; ++t) {
      threads.emplace_back([&] {
        for (;;) {
          const int64_t begin = kBlock * next.fetch_add(1);
          if (begin >= size) return;
          upload_->Write(begin,
                         absl::MakeConstSpan(values).subspan(begin, kBlock),
                         expected);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    ExpectFinishes(values);
  }
}

// The limit does not let the buffer grow, or not become as large as the values,
// or not hold the values at all.
TEST_F(EarlyUploadTest, LittleMemoryIsThatOfFromHost) {
  const std::vector<float> values = RandomValues(6 * kChunk, 6);
  const int64_t bytes = 4 * static_cast<int64_t>(values.size());
  for (const int64_t limit :
       {int64_t{0}, int64_t{4}, bytes / 3, bytes - 1, bytes, bytes + 1,
        3 * bytes / 2, 2 * bytes, 5 * bytes / 2}) {
    for (const int64_t expected : {int64_t{0}, 6 * kChunk, 60 * kChunk}) {
      SCOPED_TRACE(absl::StrCat(limit, " bytes, expected ", expected));
      SetDeviceMemoryLimit(limit);
      const absl::Status usual = DeviceBuffer<float>::FromHost(values).status();
      EXPECT_EQ(usual.ok(), limit >= bytes);
      upload_ = EarlyUpload<float>::New();
      WriteBlocks(values, kChunk / 2, expected, kAll);
      if (usual.ok()) {
        ExpectFinishes(values);
      } else {
        EXPECT_EQ(upload_->Finish(values).status().code(), usual.code());
        EXPECT_EQ(DeviceMemoryInUseBytes(), 0);
      }
    }
  }
}

TEST_F(EarlyUploadTest, MayBeDroppedUnfinished) {
  const std::vector<float> values = RandomValues(3 * kChunk, 7);
  WriteBlocks(values, kChunk, 5 * kChunk, kAll);
  EXPECT_EQ(DeviceMemoryInUseBytes(), 4 * 5 * kChunk);
}

TEST_F(EarlyUploadTest, CopiesDoubles) {
  const std::vector<double> values = {1e-300, -2.5, 3e150, 4};
  const auto upload = EarlyUpload<double>::New();
  upload->Write(2, absl::MakeConstSpan(values).subspan(2), 0);
  upload->Write(0, absl::MakeConstSpan(values).subspan(0, 1), 4);
  const auto on_gpu = upload->Finish(values);
  ASSERT_TRUE(on_gpu.ok()) << on_gpu.status();
  EXPECT_EQ(*on_gpu->ToHost(), values);
}

}  // namespace
}  // namespace warpclust
