// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/text_directory.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/text_writer.h"
#include "base/machine/work_share.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Strings = std::vector<std::string>;
namespace fs = std::filesystem;

class TextDirectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = absl::StrCat(
        testing::TempDir(), "/directory_",
        testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(root_);
    fs::create_directories(root_);
  }

  void Put(const std::string& name, const std::string& text) {
    const std::string path = absl::StrCat(root_, "/", name);
    fs::create_directories(fs::path(path).parent_path());
    absl::StatusOr<TextWriter> writer = TextWriter::Open(path);
    ASSERT_TRUE(writer.ok()) << writer.status();
    writer->Write(text);
    ASSERT_TRUE(writer->Close().ok());
  }

  std::string root_;
};

TEST_F(TextDirectoryTest, RecursiveSortedAndInflated) {
  Put("b.txt", "\xEF\xBB\xBFlast\nline");
  Put("a/z.txt.gz", "zipped");
  Put("a/deep/er/x.txt", "");
  Put("a.txt", "bad \xFF");
  Put("notes.md", "not a document");
  Put("folder.txt/inner.txt", "inner");
  for (const char* suffix : {"", "/", "//", "/.", "/a/.."}) {
    WorkShare work;
    const absl::StatusOr<TextDocuments> read =
        ReadTextDirectory(absl::StrCat(root_, suffix), &work);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(work.done(), 5);
    EXPECT_EQ(work.total(), 5);
    EXPECT_EQ(read->ids, Strings({"a.txt", "a/deep/er/x.txt", "a/z.txt.gz",
                                  "b.txt", "folder.txt/inner.txt"}));
    EXPECT_EQ(read->texts, Strings({"bad \xEF\xBF\xBD", "", "zipped",
                                    "last\nline", "inner"}));
    EXPECT_EQ(read->labels.size(), 5);
  }
}

// Bytes above and below that of '/', at several depths.
TEST_F(TextDirectoryTest, AscendingByTheWholePath) {
  std::set<std::string> names;
  for (const char* a : {"a", "a-b", "a.b", "a0", "ab", "z"}) {
    for (const char* b : {"", "/a", "/a-", "/a/b", "/a0/b/c"}) {
      for (const char* c : {"/x.txt", "/a.txt", "/a-.txt", "-.txt", "0.txt"}) {
        const std::string name = absl::StrCat(a, b, c);
        if (names.insert(name).second) Put(name, "text");
      }
    }
  }
  const Strings expected(names.begin(), names.end());
  for (const int threads : {1, 7}) {
    const absl::StatusOr<TextDocuments> read =
        ReadTextDirectory(root_, nullptr, threads);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->ids, expected);
  }
}

TEST_F(TextDirectoryTest, NamesInCapitals) {
  Put("A.TXT", "one");
  Put("b.Txt", "two");
  Put("c.txt.gz", "three");
  fs::rename(absl::StrCat(root_, "/c.txt.gz"),
             absl::StrCat(root_, "/C.TXT.GZ"));
  Put("d.text", "not a document");
  Put("e.txt.Zst", "plain, whatever the name");
  const absl::StatusOr<TextDocuments> read = ReadTextDirectory(root_);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->ids, Strings({"A.TXT", "C.TXT.GZ", "b.Txt", "e.txt.Zst"}));
  EXPECT_EQ(read->texts,
            Strings({"one", "three", "two", "plain, whatever the name"}));
  EXPECT_TRUE(IsTextDocumentName("texts/A.TXT"));
  EXPECT_FALSE(IsTextDocumentName("a.txt.bz2"));
  EXPECT_FALSE(IsTextDocumentName(""));
}

TEST_F(TextDirectoryTest, Utf16IsRefused) {
  Put("a.txt", "\xFF\xFEx");
  const auto read = ReadTextDirectory(root_);
  EXPECT_EQ(read.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(read.status().message(),
                                "/a.txt: expected UTF-8, found the byte order"))
      << read.status();
}

TEST_F(TextDirectoryTest, LinksToFilesButNotToDirectories) {
  Put("a.txt", "text");
  fs::create_symlink(absl::StrCat(root_, "/a.txt"),
                     absl::StrCat(root_, "/link.txt"));
  fs::create_directory_symlink(root_, absl::StrCat(root_, "/circle"));
  fs::create_symlink("/no/such/file", absl::StrCat(root_, "/dangling.txt"));
  const absl::StatusOr<TextDocuments> read = ReadTextDirectory(root_);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->ids, Strings({"a.txt", "link.txt"}));
}

TEST_F(TextDirectoryTest, ALinkInACircleIsAnErrorThatNamesIt) {
  Put("a.txt", "text");
  const std::string link = absl::StrCat(root_, "/circle.txt");
  fs::create_symlink(link, link);
  const absl::Status circle = ReadTextDirectory(root_).status();
  EXPECT_EQ(circle.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(circle.message(), "circle.txt")) << circle;
}

TEST_F(TextDirectoryTest, Errors) {
  const absl::Status empty = ReadTextDirectory(root_).status();
  EXPECT_EQ(empty.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(empty.message(), "found none")) << empty;
  EXPECT_EQ(ReadTextDirectory(absl::StrCat(root_, "/none")).status().code(),
            absl::StatusCode::kNotFound);
  Put("c.txt", "x");
  EXPECT_EQ(ReadTextDirectory(absl::StrCat(root_, "/c.txt")).status().code(),
            absl::StatusCode::kInvalidArgument);
  Put("t\tab.txt", "x");
  const absl::Status name = ReadTextDirectory(root_).status();
  EXPECT_TRUE(absl::StrContains(name.message(), "found 't\\tab.txt'")) << name;
}

TEST_F(TextDirectoryTest, ThreadsReadTheSame) {
  for (int i = 0; i < 300; ++i) {
    Put(absl::StrCat("d", i % 7, "/", i, i % 3 == 0 ? ".txt.gz" : ".txt"),
        std::string(i * 37 % 1000, static_cast<char>('a' + i % 26)));
  }
  const auto expect_same = [&] {
    const absl::StatusOr<TextDocuments> expected =
        ReadTextDirectory(root_, nullptr, 1);
    for (const int threads : {2, 7, 16}) {
      const absl::StatusOr<TextDocuments> read =
          ReadTextDirectory(root_, nullptr, threads);
      ASSERT_EQ(read.status(), expected.status());
      if (!read.ok()) continue;
      EXPECT_EQ(read->ids, expected->ids);
      EXPECT_EQ(read->texts, expected->texts);
      EXPECT_EQ(read->labels, expected->labels);
    }
  };
  expect_same();
  // The first bad file wins.
  for (const char* bad : {"d6/293.txt", "d4/11.txt", "d2/9.txt"}) {
    Put(bad, "\xFF\xFEx");
    const absl::Status status = ReadTextDirectory(root_).status();
    EXPECT_TRUE(absl::StrContains(status.message(), bad)) << status;
    expect_same();
  }
}

TEST_F(TextDirectoryTest, TruncatedGzipNamesTheFile) {
  Put("ok.txt", "x");
  Put("sub/cut.txt.gz", std::string(1000, 'x'));
  const std::string path = absl::StrCat(root_, "/sub/cut.txt.gz");
  fs::resize_file(path, fs::file_size(path) - 4);
  const absl::Status cut = ReadTextDirectory(root_).status();
  EXPECT_EQ(cut.code(), absl::StatusCode::kDataLoss);
  EXPECT_TRUE(absl::StrContains(cut.message(), "sub/cut.txt.gz")) << cut;
}

}  // namespace
}  // namespace warpclust
