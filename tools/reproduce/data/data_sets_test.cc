// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/data/data_sets.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tools/reproduce/data/data_source.h"

namespace warpclust {
namespace {

TEST(DataSourceTest, Forms) {
  const auto part = ParseDataSource("file:a.svm.gz[10:20]");
  ASSERT_TRUE(part.ok()) << part.status();
  EXPECT_EQ(part->file, "a.svm.gz");
  EXPECT_EQ(part->begin, 10);
  EXPECT_EQ(part->end, 20);
  EXPECT_EQ(ParseDataSource("file:a.svm.gz")->end, -1);
  const auto points = ParseDataSource("points:n=100,deviation=2.5");
  ASSERT_TRUE(points.ok()) << points.status();
  EXPECT_EQ(points->parameters.at("deviation").ToDouble(), 2.5);
  for (const char* bad : {"file:", "file:a[3:2]", "file:a[1]", "words:n=1",
                          "points:n", "points", "a.csv"}) {
    EXPECT_FALSE(ParseDataSource(bad).ok()) << bad;
  }
  const std::string path = testing::TempDir() + "/points.csv";
  EXPECT_FALSE(
      GenerateData(*ParseDataSource("points:n=1,terms=3"), path, 1).ok());
}

class DataSetsTest : public testing::Test {
 protected:
  DataSetsTest() : folder_(testing::TempDir() + "/data_sets_test") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ + "/signed");
  }

  absl::StatusOr<DataSets> Open(const std::string& paper,
                                const std::string& folder) {
    return DataSets::Open({.paper = paper,
                           .folder = folder,
                           .scratch = folder_,
                           .num_threads = 1});
  }

  const std::string folder_;
};

TEST_F(DataSetsTest, FilesPartsAndStandIns) {
  // Vertices of the whole network are named by numbers.
  std::ofstream(folder_ + "/signed/slashdot_full.txt.gz")
      << "0 1 1\n1999 5 -1\n2000 1 1\n";
  auto sets = Open("correlation", folder_);
  ASSERT_TRUE(sets.ok()) << sets.status();
  const auto part = sets->Signed("Slashdot 2000");
  ASSERT_TRUE(part.ok()) << part.status();
  EXPECT_EQ(part->name, "slashdot_full.txt.gz[0:2000]");
  EXPECT_EQ(part->stand_in, "");
  EXPECT_EQ(part->data.num_vertices(), 2000);
  EXPECT_EQ(part->data.num_edges(), 2);
  // Not at hand: generated.
  const auto random = sets->Signed("400 0.1 0.5");
  ASSERT_TRUE(random.ok()) << random.status();
  EXPECT_EQ(random->stand_in, "400 0.1 0.5");
  EXPECT_EQ(random->data.num_edges(), 7980);
  EXPECT_EQ(random->data.num_negative_edges, 3990);
  // The hash is another one than the manifest's.
  for (const DataFile& file : sets->files()) {
    EXPECT_EQ(file.found_sha256.empty(), file.name != "slashdot_full.txt.gz");
    EXPECT_NE(file.found_sha256, file.sha256);
  }
}

TEST_F(DataSetsTest, NotAtHand) {
  auto sets = Open("correlation", "");
  ASSERT_TRUE(sets.ok()) << sets.status();
  EXPECT_EQ(sets->Signed("Slashdot 2000").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(Open("correlation", folder_ + "/missing").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(DataSetsTest, GeneratedDocumentsArePartsOfNothing) {
  std::ofstream(folder_ + "/aclimdb100k_tf.svm.gz") << "1 1:2\n1 2:1 3:4\n0\n";
  auto sets = Open("oclustr", folder_);
  ASSERT_TRUE(sets.ok()) << sets.status();
  const auto documents = sets->Documents("Reu-10K");
  ASSERT_TRUE(documents.ok()) << documents.status();
  EXPECT_EQ(documents->data.num_documents(), 3);
  EXPECT_EQ(documents->stand_in, "Reu-10K");
}

}  // namespace
}  // namespace warpclust
