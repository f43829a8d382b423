// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/bundled_example.h"

#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(BundledExampleTest, AreFoundInRunfiles) {
  for (const char* name :
       {"encyclopedia_clusters.tsv", "encyclopedia_truth.tsv", "points.csv",
        "points_truth.tsv", "tribes.txt"}) {
    EXPECT_TRUE(BundledExample(name).ok()) << name;
  }
  const absl::StatusOr<std::string> path = BundledExample("encyclopedia.jsonl");
  ASSERT_TRUE(path.ok()) << path.status();
  std::string line;
  std::ifstream in(*path);
  ASSERT_TRUE(std::getline(in, line));
  EXPECT_TRUE(absl::StrContains(line, "\"text\"")) << line;
}

TEST(BundledExampleTest, AMissingOneSaysWhatToDo) {
  const absl::StatusOr<std::string> path = BundledExample("no_such_file");
  EXPECT_EQ(path.status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(absl::StrContains(path.status().message(), "no_such_file"));
}

TEST(BundledExampleTest, PlacesAreRunfilesThenArchive) {
  EXPECT_EQ(BundledExamplePlaces("e", "/a/bin/oclustr", "/r", "/t"),
            (std::vector<std::string>{
                "/a/bin/oclustr.runfiles/warpclust/examples/e",
                "/r/warpclust/examples/e", "/t/warpclust/examples/e",
                "/a/examples/e", "/a/share/warpclust/examples/e",
                "/a/runfiles/warpclust/examples/e", "/a/bin/examples/e"}));
  EXPECT_EQ(BundledExamplePlaces("e", "/oclustr", "", "").back(),
            "//examples/e");
}

}  // namespace
}  // namespace warpclust
