// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/nccl/nccl_library.h"

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// The error of loading this file.
std::string ErrorOf(const std::string& path) {
  setenv("WARPCLUST_NCCL_LIBRARY", path.c_str(), 1);
  const absl::Status status = LoadNccl().status();
  unsetenv("WARPCLUST_NCCL_LIBRARY");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  return std::string(status.message());
}

std::string Fake(const std::string& name) {
  return absl::StrCat(std::getenv("TEST_SRCDIR"), "/",
                      std::getenv("TEST_WORKSPACE"), "/kernels/nccl/testing/",
                      name);
}

TEST(NcclLibraryTest, Missing) {
  const std::string error = ErrorOf("/nowhere/libnccl.so.2");
  EXPECT_TRUE(absl::StrContains(error, "/nowhere/libnccl.so.2")) << error;
  EXPECT_TRUE(absl::StrContains(error, "WARPCLUST_NCCL_LIBRARY")) << error;
}

TEST(NcclLibraryTest, AnotherLibrary) {
  const std::string error = ErrorOf("libm.so.6");
  EXPECT_EQ(error,
            "NCCL: expected a function ncclGetVersion in libm.so.6, found "
            "none");
}

TEST(NcclLibraryTest, TooOld) {
  const std::string path = Fake("libnccl_of_2_7.so");
  const std::string error = ErrorOf(path);
  EXPECT_EQ(error,
            absl::StrCat("NCCL: expected version 2.18.0 or later, found 2.7.8 "
                         "in ",
                         path, "; WARPCLUST_NCCL_LIBRARY=PATH names another"));
}

}  // namespace
}  // namespace warpclust
