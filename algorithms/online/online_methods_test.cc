// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/online_methods.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "algorithms/online/online_engine_factory.h"
#include "base/numbers/decimal.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

constexpr OnlineMethod kMethods[] = {
    OnlineMethod::kAuto,      OnlineMethod::kSerial1,    OnlineMethod::kSerial2,
    OnlineMethod::kParallel1, OnlineMethod::kBatched,    OnlineMethod::kMdc1,
    OnlineMethod::kMdc2,      OnlineMethod::kApproximate};

TEST(OnlineMethodsTest, NamesComeBack) {
  for (const OnlineMethod method : kMethods) {
    const absl::StatusOr<OnlineMethod> parsed =
        ParseOnlineMethod(OnlineMethodName(method));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, method);
  }
  for (const char* name : {"", "Serial2", "serial", "batched "}) {
    const absl::Status status = ParseOnlineMethod(name).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << name;
    EXPECT_TRUE(absl::StrContains(status.message(), "serial1, serial2"));
  }
}

TEST(OnlineMethodsTest, ThePapersInitials) {
  EXPECT_EQ(*ParseOnlineMethod("sc1"), OnlineMethod::kSerial1);
  EXPECT_EQ(*ParseOnlineMethod("sc2"), OnlineMethod::kSerial2);
  EXPECT_EQ(*ParseOnlineMethod("pc1"), OnlineMethod::kParallel1);
}

TEST(OnlineMethodsTest, ThePapersBatchAndBuckets) {
  OnlineMethodOptions options;
  for (const OnlineMethod method :
       {OnlineMethod::kMdc1, OnlineMethod::kMdc2, OnlineMethod::kApproximate}) {
    const bool has_buckets = method != OnlineMethod::kApproximate;
    options = {};
    MultipleDocumentOptions taken = DocumentsAtATime(method, options);
    EXPECT_EQ(taken.batch, 1024);
    EXPECT_EQ(FormatDecimal(taken.epsilon), has_buckets ? "0.0625" : "0");
    EXPECT_EQ(taken.exhaustive, method == OnlineMethod::kMdc1);
    options.batch = 7;
    options.epsilon = Decimal("0.5");
    taken = DocumentsAtATime(method, options);
    EXPECT_EQ(taken.batch, 7);
    EXPECT_EQ(FormatDecimal(taken.epsilon), "0.5");
  }
  const MultipleDocumentOptions one =
      DocumentsAtATime(OnlineMethod::kParallel1, options);
  EXPECT_EQ(one.batch, 1);
  EXPECT_EQ(FormatDecimal(one.epsilon), "0");
  EXPECT_FALSE(one.exhaustive);
}

TEST(OnlineMethodsTest, SerialMethodsPrepareOnOneThread) {
  for (const OnlineMethod method : kMethods) {
    OnlineMethodOptions options;
    options.method = method;
    const bool serial =
        method == OnlineMethod::kSerial1 || method == OnlineMethod::kSerial2;
    EXPECT_EQ(options.preparing_threads(), serial ? 1 : 0);
    options.num_threads = 3;
    EXPECT_EQ(options.preparing_threads(), 3);
  }
}

TEST(OnlineMethodsTest, ValidateNamesWhatIsOutOfRange) {
  const auto expect = [](const OnlineMethodOptions& options, const char* part) {
    const absl::Status status = options.Validate();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << part;
    EXPECT_TRUE(absl::StrContains(status.message(), part)) << status;
  };
  for (const OnlineMethod method : kMethods) {
    OnlineMethodOptions options;
    options.method = method;
    EXPECT_TRUE(options.Validate().ok());
  }
  OnlineMethodOptions options;
  options.method = OnlineMethod::kSerial2;
  options.device = Device::kCuda;
  expect(options, "cpu for the method serial2");
  options.method = OnlineMethod::kSerial1;
  expect(options, "cpu for the method serial1");
  options.method = OnlineMethod::kParallel1;
  EXPECT_TRUE(options.Validate().ok());
  options.device = Device::kCpu;
  expect(options, "cuda for the method parallel1");
  options = {};
  options.num_threads = -1;
  expect(options, "num_threads");
  options = {};
  options.batch = -1;
  expect(options, "batch");
  options.batch = OnlineMethodOptions::kMaxBatch + 1;
  expect(options, "batch");
  options.batch = OnlineMethodOptions::kMaxBatch;
  EXPECT_TRUE(options.Validate().ok());
  for (const Decimal& epsilon :
       {Decimal("-0.1"), Decimal("1.1"), Decimal{1, 0}}) {
    options.epsilon = epsilon;
    expect(options, "epsilon");
  }
}

// As many documents at a time as lie between two merges of the default.
TEST(ChooseOnlineMethodTest, AutoTakesTheGpuForLongStreamsThatMerge) {
  const OnlineChoice cpu = {OnlineMethod::kBatched, Device::kCpu};
  const OnlineChoice gpu = {OnlineMethod::kBatched, Device::kCuda};
  const int64_t long_stream = 100'000'000;
  OnlineMethodOptions options;
  EXPECT_EQ(ChooseOnlineMethod(options, true, 1000, long_stream, cpu), gpu);
  EXPECT_EQ(ChooseOnlineMethod(options, false, 1000, long_stream, cpu), cpu);
  EXPECT_EQ(ChooseOnlineMethod(options, true, 1000, 20'000, cpu), cpu);
  EXPECT_EQ(ChooseOnlineMethod(options, true, 100, long_stream, cpu), cpu);
  EXPECT_EQ(ChooseOnlineMethod(options, true, 1, long_stream, gpu), gpu);
  // These merge on the CPU.
  options.method = OnlineMethod::kMdc2;
  EXPECT_EQ(ChooseOnlineMethod(options, true, 1000, long_stream, cpu),
            (OnlineChoice{OnlineMethod::kMdc2, Device::kCpu}));
}

TEST(ChooseOnlineMethodTest, DenseByMethodAndDevice) {
  const OnlineChoice cpu = {OnlineMethod::kBatched, Device::kCpu};
  const OnlineChoice gpu = {OnlineMethod::kBatched, Device::kCuda};
  const DenseStreamJob few = {.documents = 5000, .products = 1e9};
  const DenseStreamJob many = {.documents = 1000000, .products = 1e13};
  OnlineMethodOptions options;
  EXPECT_EQ(ChooseDenseOnlineMethod(options, true, 5000, many, cpu), gpu);
  EXPECT_EQ(ChooseDenseOnlineMethod(options, false, 5000, many, cpu), cpu);
  EXPECT_EQ(ChooseDenseOnlineMethod(options, true, 5000, few, cpu), cpu);
  EXPECT_EQ(ChooseDenseOnlineMethod(options, true, 1000, many, cpu), cpu);
  EXPECT_EQ(ChooseDenseOnlineMethod(options, true, 1, few, gpu), gpu);
  options.device = Device::kCuda;
  EXPECT_EQ(ChooseDenseOnlineMethod(options, true, 1, few, cpu), gpu);
  options.method = OnlineMethod::kSerial1;
  EXPECT_EQ(ChooseDenseOnlineMethod(options, true, 5000, many, cpu),
            (OnlineChoice{OnlineMethod::kSerial1, Device::kCpu}));
}

TEST(ChooseOnlineMethodTest, ByMethodAndDevice) {
  const OnlineChoice cpu = {OnlineMethod::kBatched, Device::kCpu};
  const OnlineChoice gpu = {OnlineMethod::kBatched, Device::kCuda};
  const int64_t many = 1 << 30;
  const int64_t call = 5000;  // Documents.
  OnlineMethodOptions options;
  EXPECT_EQ(ChooseOnlineMethod(options, true, call, many, cpu), gpu);
  EXPECT_EQ(ChooseOnlineMethod(options, false, call, many, cpu), cpu);
  EXPECT_EQ(ChooseOnlineMethod(options, true, call, call, cpu), cpu);
  // The start of CUDA has to pay.
  if (!CudaIsRunning()) {
    EXPECT_EQ(ChooseOnlineMethod(options, true, call, 1000000, cpu), cpu);
    EXPECT_EQ(ChooseOnlineMethod(options, true, call, 3000000, cpu), gpu);
  }
  // A long stream moves with the next call that brings many at once, and stays.
  EXPECT_EQ(ChooseOnlineMethod(options, true, 1, many, cpu), cpu);
  EXPECT_EQ(ChooseOnlineMethod(options, true, 1, many, gpu), gpu);
  options.device = Device::kCpu;
  EXPECT_EQ(ChooseOnlineMethod(options, true, call, many, cpu), cpu);
  options.device = Device::kCuda;
  EXPECT_EQ(ChooseOnlineMethod(options, true, 1, 1, cpu), gpu);
  options = {};
  options.method = OnlineMethod::kSerial2;
  EXPECT_EQ(ChooseOnlineMethod(options, true, call, many, cpu),
            (OnlineChoice{OnlineMethod::kSerial2, Device::kCpu}));
  options.method = OnlineMethod::kParallel1;
  EXPECT_EQ(ChooseOnlineMethod(options, true, 1, 1, cpu),
            (OnlineChoice{OnlineMethod::kParallel1, Device::kCuda}));
  options.method = OnlineMethod::kApproximate;
  EXPECT_EQ(ChooseOnlineMethod(options, true, call, many, {}),
            (OnlineChoice{OnlineMethod::kApproximate, Device::kCuda}));
}

}  // namespace
}  // namespace warpclust
