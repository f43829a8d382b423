// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/status/status_macros.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

absl::StatusOr<int> Half(int n) {
  if (n % 2 != 0) return absl::InvalidArgumentError("odd");
  return n / 2;
}

absl::Status CheckEven(int n) {
  RETURN_IF_ERROR(Half(n).status());
  return absl::OkStatus();
}

absl::StatusOr<int> Quarter(int n) {
  ASSIGN_OR_RETURN(const int half, Half(n));
  int quarter = -1;
  ASSIGN_OR_RETURN(quarter, Half(half));
  return quarter;
}

absl::StatusOr<std::unique_ptr<int>> Boxed(int n) {
  ASSIGN_OR_RETURN(
      std::unique_ptr<int> box,
      absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(n)));
  RETURN_IF_ERROR(CheckEven(*box));
  return box;
}

TEST(StatusMacrosTest, ReturnIfError) {
  EXPECT_TRUE(CheckEven(2).ok());
  EXPECT_EQ(CheckEven(3), absl::InvalidArgumentError("odd"));
}

TEST(StatusMacrosTest, AssignOrReturn) {
  EXPECT_EQ(*Quarter(8), 2);
  EXPECT_EQ(Quarter(3).status(), absl::InvalidArgumentError("odd"));
  EXPECT_EQ(Quarter(6).status(), absl::InvalidArgumentError("odd"));
}

TEST(StatusMacrosTest, MovesTheValue) {
  EXPECT_EQ(**Boxed(4), 4);
  EXPECT_FALSE(Boxed(5).ok());
}

}  // namespace
}  // namespace warpclust
