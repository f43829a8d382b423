// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/report/report_file.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(ReportTitleTest, NamesTheFile) {
  EXPECT_EQ(ReportTitle("a.txt"), "a.txt");
  EXPECT_EQ(ReportTitle("/data/news.jsonl.gz"), "news.jsonl.gz");
  EXPECT_EQ(ReportTitle("texts/"), "texts");
  EXPECT_EQ(ReportTitle("-"), "standard input");
  EXPECT_EQ(ReportTitle("/"), "");
}

TEST(ReportFileTest, NothingIsOpenedForAnEmptyPath) {
  absl::StatusOr<ReportFile> file = ReportFile::Open("");
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(file->wanted());
  EXPECT_TRUE(file->Close().ok());
}

TEST(ReportFileTest, APathThatCannotBeWritten) {
  EXPECT_EQ(ReportFile::Open("/no/such/folder/r.html").status().code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace warpclust
