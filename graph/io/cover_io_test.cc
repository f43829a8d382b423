// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/cover_io.h"

#include <random>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

Cover MakeCover(const std::vector<std::vector<int32_t>>& clusters) {
  Cover cover;
  for (const std::vector<int32_t>& cluster : clusters) cover.Append(cluster);
  return cover;
}

std::string Tsv(const Cover& cover, const std::vector<std::string>& ids) {
  std::string text;
  const absl::Status status = WriteCoverTsv(
      cover, ids,
      [&](absl::string_view piece) { absl::StrAppend(&text, piece); });
  EXPECT_TRUE(status.ok()) << status;
  return text;
}

std::string ErrorOf(const std::string& text) {
  LineReader lines = LineReader::FromString(text, "cover.tsv");
  IdMap ids;
  const absl::StatusOr<NamedCover> cover = ReadCover(lines, &ids);
  EXPECT_EQ(cover.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(cover.status().message());
}

TEST(CoverIoTest, TsvNumbersClustersByFirstMember) {
  const std::vector<std::string> ids = {"a", "b", "c d", "e"};
  // The first two in output order share a first member and keep their order.
  EXPECT_EQ(Tsv(MakeCover({{2, 3}, {}, {0, 2}, {0}}), ids),
            "a\t0\na\t1\nc d\t0\nc d\t2\ne\t2\n");
  EXPECT_EQ(Tsv(Cover(), ids), "");
}

// Many blocks of lines. Items are in few clusters, in many or in none.
TEST(CoverIoTest, LargeTsvIsTheSameWithAnyThreads) {
  constexpr int32_t kItems = 60000;
  Cover cover;
  std::string expected;
  std::vector<std::string> ids;
  for (int32_t c = 0; c < 40; ++c) {
    std::vector<int32_t> members;
    for (int32_t i = c; i < kItems; ++i) {
      if (i < 1000 || i % 97 == c) members.push_back(i);
    }
    cover.Append(members);
  }
  for (int32_t i = 0; i < kItems; ++i) {
    ids.push_back(absl::StrCat("item ", i));
    for (int32_t c = 0; c < 40 && c <= i; ++c) {
      if (i < 1000 || i % 97 == c) {
        absl::StrAppend(&expected, ids[i], "\t", c, "\n");
      }
    }
  }
  for (const int threads : {0, 1, 3}) {
    std::string text;
    const absl::Status status = WriteCoverTsv(
        cover, ids,
        [&](absl::string_view piece) { absl::StrAppend(&text, piece); },
        threads);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_TRUE(text == expected) << threads << " threads";
  }
  const absl::Status status = WriteCoverTsv(
      cover, ids, [](absl::string_view) {}, -1);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
}

TEST(CoverIoTest, Json) {
  const Cover cover = MakeCover({{1, 2}, {0, 1}});
  const std::vector<std::string> ids = {"a\"\\\n\x01", "é", "\xff!"};
  std::string text;
  const auto write = [&](absl::string_view piece) {
    absl::StrAppend(&text, piece);
  };
  ASSERT_TRUE(WriteCoverJson(cover, ids, write).ok());
  EXPECT_EQ(text,
            "{\"clusters\":[\n"
            "{\"members\":[\"a\\\"\\\\\\u000a\\u0001\",\"é\"]},\n"
            "{\"members\":[\"é\",\"\xef\xbf\xbd!\"]}]}\n");
  text.clear();
  const auto fields = [](int32_t cluster, std::string* json) {
    absl::StrAppend(json, ",\"was\":", cluster);
  };
  ASSERT_TRUE(WriteCoverJson(MakeCover({{1}, {0}}), ids, write, fields).ok());
  EXPECT_EQ(text,
            "{\"clusters\":[\n"
            "{\"members\":[\"a\\\"\\\\\\u000a\\u0001\"],\"was\":1},\n"
            "{\"members\":[\"é\"],\"was\":0}]}\n");
  text.clear();
  ASSERT_TRUE(WriteCoverJson(Cover(), ids, write).ok());
  EXPECT_EQ(text, "{\"clusters\":[]}\n");
}

TEST(CoverIoTest, RefusesWhatCannotBeReadBack) {
  const auto refuse = [](absl::string_view) { FAIL() << "nothing is written"; };
  for (const std::string name :
       {"", "a\tb", "a\nb", "#a", "a\r", "\xEF\xBB\xBF", "\x1F\x8B"}) {
    const std::vector<std::string> ids = {name, "x"};
    const absl::Status status = WriteCoverTsv(MakeCover({{0}}), ids, refuse);
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(CheckCoverTsvNames(ids), status);
    // Names that are not used do not matter.
    EXPECT_EQ(Tsv(MakeCover({{1}}), ids), "x\t0\n");
  }
  const std::vector<std::string> one = {"a"};
  EXPECT_FALSE(WriteCoverTsv(MakeCover({{1}}), one, refuse).ok());
  EXPECT_FALSE(WriteCoverJson(MakeCover({{-1, 0}}), one, refuse).ok());
}

TEST(CoverIoTest, RefusesWhatIsNoCover) {
  const std::vector<std::string> ids = {"a", "b", "c"};
  const auto refuse = [](absl::string_view) { FAIL() << "nothing is written"; };
  for (const Cover& bad :
       {Cover{{}, {}}, Cover{{0, 5}, {0}}, Cover{{0, 1}, {0, 1, 2}},
        Cover{{0, 2, 1, 2}, {0, 1}}, Cover{{1, 2}, {0, 1}},
        Cover{{0, -5, 1}, {0}}, MakeCover({{1, 0}}), MakeCover({{1, 1}})}) {
    for (const absl::Status& status :
         {WriteCoverTsv(bad, ids, refuse), WriteCoverJson(bad, ids, refuse)}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    }
  }
}

TEST(CoverIoTest, ReadsAnyOrder) {
  LineReader lines =
      LineReader::FromString("# comment\nb\tx y\na\tz\n\nb\tz\r\na\tx y\nc\tw");
  IdMap ids;
  ids.Add("a");
  const absl::StatusOr<NamedCover> cover = ReadCover(lines, &ids);
  ASSERT_TRUE(cover.ok()) << cover.status();
  EXPECT_EQ(ids.names(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(cover->cluster_names, (std::vector<std::string>{"x y", "z", "w"}));
  EXPECT_EQ(cover->cover, MakeCover({{0, 1}, {0, 1}, {2}}));
  LineReader nothing = LineReader::FromString("");
  EXPECT_EQ(ReadCover(nothing, &ids)->cover, Cover());
  EXPECT_FALSE(ReadCover("no/such/file", &ids).ok());
}

// Clusters 2 and 3 become part of 0, which appears after 2; 7 has no line of
// its own, and what is not two names is a comment.
TEST(CoverIoTest, AppliesMerges) {
  IdMap ids;
  LineReader lines = LineReader::FromString(
      "a\t2\nb\t0\nc\t3\nb\t3\nd\t4\n#merged\t3\t2\n#merged\t2\t0\ne\t3\n"
      "#merged\t4\t7\n#merged\t0\t3\n#merged\t4\n#merged\t\t4\n");
  const absl::StatusOr<NamedCover> named = ReadCover(lines, &ids);
  ASSERT_EQ(named.status(), absl::OkStatus());
  EXPECT_EQ(named->cluster_names, (std::vector<std::string>{"0", "7"}));
  EXPECT_EQ(named->cover.offsets, (std::vector<int64_t>{0, 4, 5}));
  EXPECT_EQ(named->cover.members, (std::vector<int32_t>{0, 1, 2, 4, 3}));
}

TEST(CoverIoTest, ErrorsNameFileLineExpectedFound) {
  EXPECT_EQ(ErrorOf("a\t0\nb 0\n"),
            "cover.tsv:2: expected an item, a tab and a cluster, found 'b 0'");
  for (const char* const line : {"a\t", "\t0", "a\t0\t1", "\t"}) {
    EXPECT_NE(ErrorOf(line).find("cover.tsv:1: expected an item"),
              std::string::npos);
  }
  EXPECT_EQ(ErrorOf("a\tp\nb\tq\n\nb\tq\na\tp\n"),
            "cover.tsv:4: expected each item once in a cluster, found 'b' "
            "again in cluster 'q'");
}

TEST(CoverIoTest, ReadingWhatWasWrittenGivesTheSame) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const int32_t n = 1 + random() % 50;
    std::vector<std::string> ids;
    for (int32_t i = 0; i < n; ++i) ids.push_back(absl::StrCat("item ", i));
    Cover cover;
    std::set<std::set<int32_t>> expected;
    for (int c = random() % 20; c > 0; --c) {
      std::set<int32_t> members;
      for (int k = 1 + random() % 10; k > 0; --k) members.insert(random() % n);
      if (!expected.insert(members).second) continue;
      cover.Append(std::vector<int32_t>(members.begin(), members.end()));
    }
    LineReader lines = LineReader::FromString(Tsv(cover, ids));
    IdMap map;
    for (const std::string& id : ids) map.Add(id);
    const absl::StatusOr<NamedCover> read = ReadCover(lines, &map);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(map.size(), n);
    std::set<std::set<int32_t>> actual;
    for (int32_t c = 0; c < read->cover.num_clusters(); ++c) {
      EXPECT_EQ(read->cluster_names[c], absl::StrCat(c));
      const auto members = read->cover.MembersOf(c);
      actual.insert(std::set<int32_t>(members.begin(), members.end()));
    }
    EXPECT_EQ(actual, expected);
  }
}

}  // namespace
}  // namespace warpclust
