// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/data/sha256.h"

#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// FIPS 180-2, appendix B.
TEST(FileSha256Test, Published) {
  const std::string path = testing::TempDir() + "/message";
  std::ofstream(path) << "abc";
  EXPECT_EQ(*FileSha256(path),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  std::ofstream(path) << std::string(1000000, 'a');
  EXPECT_EQ(*FileSha256(path),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(FileSha256Test, Missing) {
  EXPECT_EQ(FileSha256("missing").status().code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace warpclust
