// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oclustr_output.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

OClustRResult Example() {
  OClustRResult result;
  result.cover.Append({0, 1, 2, 3});
  result.cover.Append({2, 4});
  result.centers = {1, 4};
  result.num_satellites = {2, 1};
  result.linked_offsets = {0, 1, 1};
  result.linked = {2};
  return result;
}

const std::vector<std::string>& Names() {
  static const auto* const names =
      new std::vector<std::string>{"a", "b", "c\"", "d", "e"};
  return *names;
}

TEST(OClustROutputTest, Json) {
  std::string json;
  ASSERT_TRUE(WriteOClustRJson(Example(), Names(), [&](absl::string_view text) {
                json.append(text.data(), text.size());
              }).ok());
  EXPECT_EQ(json, R"({"clusters":[{"members":["a","b","c\"","d"],"center":"b",)"
                  R"("satellites":["a","d"],"linked":["c\""]},)"
                  "\n"
                  R"({"members":["c\"","e"],"center":"e","satellites":["c\""],)"
                  R"("linked":[]}]})"
                  "\n");
}

TEST(OClustROutputTest, Tsv) {
  std::string tsv;
  ASSERT_TRUE(WriteOClustRTsv(Example(), Names(), [&](absl::string_view text) {
                tsv.append(text.data(), text.size());
              }).ok());
  EXPECT_EQ(tsv, "a\t0\nb\t0\nc\"\t0\nc\"\t1\nd\t0\ne\t1\n");
}

}  // namespace
}  // namespace warpclust
