// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/read_cover.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::string Write(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/read_cover_" + name;
  std::ofstream(path) << text;
  return path;
}

std::vector<int32_t> Members(const Cover& cover, int32_t cluster) {
  const auto members = cover.MembersOf(cluster);
  return {members.begin(), members.end()};
}

TEST(ReadNamedCoverTest, ReadsLabelsAndTablesOverTheSameItems) {
  IdMap ids;
  const auto clusters =
      ReadNamedCover(Write("c.tsv", "d\t0\nb\t0\nb\t1\na\t1\n"), &ids);
  ASSERT_TRUE(clusters.ok()) << clusters.status();
  const auto truth = ReadNamedCover(
      Write("t.jsonl",
            "{\"id\":\"a\",\"labels\":[\"x\",\"y\"]}\n"
            "{\"id\":\"none\",\"labels\":[]}\n"
            "{\"id\":\"b\",\"labels\":[\"y\"],\"text\":\"ignored\"}\n"
            "{\"id\":\"e\",\"labels\":[\"x\"]}\n"),
      &ids);
  ASSERT_TRUE(truth.ok()) << truth.status();
  EXPECT_EQ(ids.names(), (std::vector<std::string>{"d", "b", "a", "e"}));
  ASSERT_EQ(truth->cover.num_clusters(), 2);
  EXPECT_EQ(truth->cluster_names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(Members(truth->cover, 0), (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(Members(truth->cover, 1), (std::vector<int32_t>{1, 2}));
}

TEST(ReadNamedCoverTest, ErrorsNameFileAndLine) {
  IdMap ids;
  const std::string table = Write("bad.tsv", "a\t0\nno tab\n");
  EXPECT_TRUE(absl::StrContains(ReadNamedCover(table, &ids).status().message(),
                                table + ":2"));
  const std::string labels = Write("bad.jsonl", "{\"id\":\"a\"}\n{\"id\":}\n");
  EXPECT_TRUE(absl::StrContains(ReadNamedCover(labels, &ids).status().message(),
                                labels + ":2"));
  EXPECT_EQ(ReadNamedCover("no/such/file", &ids).status().code(),
            absl::StatusCode::kNotFound);
}

TEST(KeepFirstItemsTest, DropsItemsAndEmptyClusters) {
  Cover cover;
  cover.Append({0, 2, 5});
  cover.Append({4, 5});
  cover.Append({1});
  const Cover kept = KeepFirstItems(cover, 3);
  ASSERT_EQ(kept.num_clusters(), 2);
  EXPECT_EQ(Members(kept, 0), (std::vector<int32_t>{0, 2}));
  EXPECT_EQ(Members(kept, 1), (std::vector<int32_t>{1}));
  EXPECT_EQ(CountUncovered(cover, 6), 1);
  EXPECT_EQ(CountUncovered(cover, 3), 0);
  EXPECT_EQ(CountUncovered(Cover(), 3), 3);
}

}  // namespace
}  // namespace warpclust
