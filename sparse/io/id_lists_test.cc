// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/id_lists.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::string WriteNames(const std::string& content) {
  std::string path = testing::TempDir() + "/id_lists_names";
  std::ofstream(path) << content;
  return path;
}

absl::StatusOr<std::vector<std::string>> Read(const std::string& content,
                                              int64_t num_documents) {
  return ReadIds(WriteNames(content), num_documents);
}

TEST(ReadIdsTest, ALineADocument) {
  const auto ids = Read("one\ntwo words\r\n#3", 3);
  ASSERT_TRUE(ids.ok()) << ids.status();
  EXPECT_EQ(*ids, (std::vector<std::string>{"one", "two words", "#3"}));
  EXPECT_TRUE(Read("", 0).ok());
}

TEST(ReadIdsTest, ErrorsNameTheLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"a\na\n",
       "names:2: expected an id different from that of line 1, found 'a'"},
      {"a\n\n", "names:2: expected a non-empty id without control"},
      {"a\nb\tc\n", "names:2: expected a non-empty id without control"},
      {"a\n", "names: expected 2 lines, one for each document, found 1"},
      {"a\nb\nc\n", "names: expected 2 lines, one for each document, found 3"},
  };
  for (const auto& [content, message] : cases) {
    const absl::Status status = Read(content, 2).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StrContains(status.message(), message)) << status;
  }
  EXPECT_FALSE(ReadIds("/no/such/file", 0).ok());
}

TEST(ReadIdListTest, ReadsOneALine) {
  absl::StatusOr<IdList> list = ReadIdList(WriteNames("a b\n\nc\n"));
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->ids, (std::vector<std::string>{"a b", "c"}));
  EXPECT_EQ(list->lines, (std::vector<int64_t>{1, 3}));
  list = ReadIdList(WriteNames("a\nb\na\n"));
  EXPECT_EQ(list.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(list.status().message(), "names:3: "));
}

}  // namespace
}  // namespace warpclust
