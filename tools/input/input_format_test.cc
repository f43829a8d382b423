// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/input_format.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/testing/zstd.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(InputFormatTest, NamesRoundTrip) {
  for (InputFormat format :
       {InputFormat::kJsonLines, InputFormat::kLines, InputFormat::kDirectory,
        InputFormat::kSvmlight, InputFormat::kMatrixMarket, InputFormat::kEdges,
        InputFormat::kCsv, InputFormat::kNpy}) {
    const auto parsed = ParseInputFormat(InputFormatName(format));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(*parsed, format);
  }
  EXPECT_FALSE(ParseInputFormat("auto").ok());
}

TEST(DetectContentFormatTest, TellsFormatsApart) {
  const struct {
    const char* head;
    InputFormat with_edges;
    InputFormat without_edges;
  } cases[] = {
      {"", InputFormat::kLines, InputFormat::kLines},
      {"{\"text\":\"a\"}\n{\"te", InputFormat::kJsonLines,
       InputFormat::kJsonLines},
      {"\n  {\"text\":\"a\"}\n", InputFormat::kJsonLines,
       InputFormat::kJsonLines},
      {"[{\"text\":\"a\"},\n{\"text\":\"b\"}]\n", InputFormat::kJsonLines,
       InputFormat::kJsonLines},
      {"[\n  {\"text\":\"a\"}\n]\n", InputFormat::kJsonLines,
       InputFormat::kJsonLines},
      {"[1] a footnote\n[\n{", InputFormat::kLines, InputFormat::kLines},
      {"%%MatrixMarket matrix coordinate real general\n",
       InputFormat::kMatrixMarket, InputFormat::kMatrixMarket},
      {"1 3:1 5:2\n0 1:1\n0\n2 4:0.5 # seven\n7 1:1 2", InputFormat::kSvmlight,
       InputFormat::kSvmlight},
      {"gold,metal 1:2 3:4\ngold 2:1\n", InputFormat::kSvmlight,
       InputFormat::kSvmlight},
      {"gold\ngold,metal 1:2 3:4\n0\n", InputFormat::kSvmlight,
       InputFormat::kSvmlight},
      {"# made by hand\n+1 qid:3 1:1e-3\n", InputFormat::kSvmlight,
       InputFormat::kSvmlight},
      {"# Nodes: 5\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n", InputFormat::kEdges,
       InputFormat::kLines},
      {"#vertex\ta\n#vertex\tb\n", InputFormat::kEdges, InputFormat::kLines},
      {"1,2\n2,3\n", InputFormat::kEdges, InputFormat::kLines},
      {"a b 0.5\nb c 1\n", InputFormat::kEdges, InputFormat::kLines},
      {"hello world\ngood morning\n", InputFormat::kLines, InputFormat::kLines},
      {"The year 2001: a space odyssey\n", InputFormat::kLines,
       InputFormat::kLines},
      {"1\n2\n3\n", InputFormat::kLines, InputFormat::kLines},
      {"12 monkeys\n", InputFormat::kLines, InputFormat::kLines},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(DetectContentFormat(c.head, true), c.with_edges) << c.head;
    EXPECT_EQ(DetectContentFormat(c.head, false), c.without_edges) << c.head;
  }
}

class DetectInputFormatTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = testing::TempDir() + "/input_format_test";
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = directory_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  std::string directory_;
};

TEST_F(DetectInputFormatTest, NameFirstThenContent) {
  EXPECT_EQ(*DetectInputFormat(Write("z", Zstd("{\"text\": \"a\"}\n")), true),
            InputFormat::kJsonLines);
  EXPECT_EQ(*DetectInputFormat(Write("a.jsonl.zst", "1 2\n"), true),
            InputFormat::kJsonLines);
  EXPECT_EQ(*DetectInputFormat(Write("a.JSONL.gz", "1 2\n"), true),
            InputFormat::kJsonLines);
  EXPECT_EQ(*DetectInputFormat(Write("b.jsonl.GZ", "1 2\n"), true),
            InputFormat::kJsonLines);
  EXPECT_EQ(*DetectInputFormat(Write("A.MTX.Gz", ""), true),
            InputFormat::kMatrixMarket);
  EXPECT_EQ(*DetectInputFormat(Write("a.svm", ""), true),
            InputFormat::kSvmlight);
  EXPECT_EQ(*DetectInputFormat(Write("a.edges", "a b\n"), true),
            InputFormat::kEdges);
  for (const std::string& graph :
       {Write("b.edges", "a b\n"), Write("b.EDGES.GZ", "a b\n"),
        Write("b.txt", "#vertex\ta\n")}) {
    EXPECT_EQ(DetectInputFormat(graph, false).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(*DetectInputFormat(Write("a.txt", "1 2\n2 3\n"), true),
            InputFormat::kEdges);
  EXPECT_EQ(*DetectInputFormat(Write("c.txt", "one two three four\n"), true),
            InputFormat::kLines);
  EXPECT_EQ(*DetectInputFormat(Write("a.CSV", "id,text\n1,tin\n"), true),
            InputFormat::kCsv);
  EXPECT_EQ(*DetectInputFormat(Write("b.csv", "a b\nb c\nc a\n"), true),
            InputFormat::kCsv);
  EXPECT_EQ(*DetectInputFormat(Write("c.csv", "1,2\n2,3\n"), true),
            InputFormat::kEdges);
  EXPECT_EQ(*DetectInputFormat(directory_, true), InputFormat::kDirectory);
  EXPECT_EQ(DetectInputFormat(directory_ + "/none", true).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(DetectInputFormatTest, WhatIsNoTextIsNotLinesOfIt) {
  const std::pair<std::string, std::string> cases[] = {
      {std::string("\xFD"
                   "7zXZ\0",
                   6),
       "an xz file"},
      {"BZh91AY&SY", "a bzip2 file"},
      {"PK\x03\x04", "a zip file"},
      {std::string("\x93NUMPY\x01\0", 8), "an NPY file"},
      {std::string("a\0b\n", 4), "a NUL byte (--input_format=lines reads any"},
  };
  for (const auto& [content, what] : cases) {
    const auto format = DetectInputFormat(Write("a.jsonl.x", content), true);
    EXPECT_EQ(format.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(
        absl::StrContains(format.status().message(),
                          absl::StrCat("a.jsonl.x: expected text, plain or "
                                       "compressed by gzip or zstd, found ",
                                       what)))
        << format.status();
  }
  // The reader says so, with a line.
  EXPECT_EQ(*DetectInputFormat(Write("b", std::string("\xFF\xFE"
                                                      "a\0",
                                                      4)),
                               true),
            InputFormat::kLines);
}

TEST_F(DetectInputFormatTest, NotesTheFormatAndTheRule) {
  std::string text;
  const FormatNote note = [&text](absl::string_view message) {
    text = std::string(message);
  };
  const auto noted = [&](const std::string& name, const std::string& content) {
    text.clear();
    const auto format = DetectInputFormat(Write(name, content), true, note);
    EXPECT_TRUE(format.ok()) << format.status();
    return text.substr(std::min(text.size(), directory_.size() + 1));
  };
  EXPECT_EQ(noted("a.txt", "tin can\na pot\n"),
            "a.txt: read as lines of text (no other format fits; "
            "--input_format sets another)");
  EXPECT_EQ(noted("a.JSON.gz", ""),
            "a.JSON.gz: read as JSON Lines (the name ends in .json; "
            "--input_format sets another)");
  EXPECT_EQ(noted("b.txt", "1 2\n"),
            "b.txt: read as edges of a graph (its first lines are "
            "`u v [weight]`; --input_format sets another)");
  ASSERT_TRUE(DetectInputFormat(directory_, false, note).ok());
  EXPECT_TRUE(absl::StrContains(text, "read as a directory of texts (it is"));
  ASSERT_TRUE(DetectPointFormat(Write("p.txt", "1,2\n"), note).ok());
  EXPECT_TRUE(absl::StrContains(text, "p.txt: read as CSV (it is not NPY;"));
  // A format that was given is no guess.
  text.clear();
  ASSERT_TRUE(ResolveInputFormat("-", "lines", true, note).ok());
  EXPECT_EQ(text, "");
}

TEST_F(DetectInputFormatTest, WordsMayBeTextsOrEdges) {
  std::string wide, many, late;
  for (int i = 0; i < 20; ++i) many += "tin can\n";
  for (int i = 0; i < 10000; ++i) wide += "alice bob\n";
  late = many.substr(8) + "a tin can\n";
  for (const std::string& text :
       {std::string("alice bob\nbob carol\ncarol alice"),
        std::string("# friends\n\nalice\tlikes\tbob\nbob,likes,carol\r\n"
                    "carol likes dan\n"),
        many + "a tin can\n", wide}) {
    const std::string path = Write("names.txt", text);
    const auto format = DetectInputFormat(path, true);
    EXPECT_EQ(format.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StrContains(format.status().message(),
                                  "names.txt: expected documents or edges"));
    EXPECT_TRUE(
        absl::StrContains(format.status().message(), "--input_format=lines"));
    EXPECT_TRUE(
        absl::StrContains(format.status().message(), "--input_format=edges"));
    // Where no graph is read, and where nothing else is.
    EXPECT_EQ(*DetectInputFormat(path, false), InputFormat::kLines);
    EXPECT_EQ(*DetectGraphFormat(path), InputFormat::kEdges);
  }
  // Short texts.
  for (const std::string& text : {std::string("alice bob\nbob carol\n"), late,
                                  std::string("tin can\na tin can\ntin pot\n"),
                                  std::string("tin\ncan\npot\n"),
                                  std::string("a b c d\na b c d\na b c d\n"),
                                  std::string("\n\n\n"), std::string()}) {
    EXPECT_EQ(*DetectInputFormat(Write("c.txt", text), true),
              InputFormat::kLines)
        << text;
  }
}

TEST_F(DetectInputFormatTest, OtherFilesAreNoPoints) {
  const auto format = DetectPointFormat(Write("a.npz", "PK\x03\x04 and so on"));
  EXPECT_EQ(format.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(
      format.status().message(),
      "a.npz: expected points as CSV or NPY, plain or compressed by gzip or "
      "zstd, found a zip file; "
      "an .npz is a zip file of arrays: `unzip` it and read one .npy"))
      << format.status();
}

// A pipe keeps what was looked at.
TEST_F(DetectInputFormatTest, PipesAreNotDrained) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string text = "1 2:3\n0 4:5\n";
  ASSERT_EQ(write(ends[1], text.data(), text.size()),
            static_cast<ssize_t>(text.size()));
  close(ends[1]);
  const std::string path = absl::StrCat("/dev/fd/", ends[0]);
  const auto format = DetectInputFormat(path, true);
  ASSERT_TRUE(format.ok()) << format.status();
  EXPECT_EQ(*format, InputFormat::kSvmlight);
  std::string left(100, '\0');
  left.resize(read(ends[0], left.data(), left.size()));
  EXPECT_EQ(left, text);
  close(ends[0]);
}

TEST_F(DetectInputFormatTest, NamedPipesNeedAFormat) {
  const std::string path = directory_ + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(DetectInputFormat(path, true).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(DetectInputFormatTest, PointsByContentThenName) {
  const std::string npy("\x93NUMPY\x01\0", 8);
  EXPECT_EQ(*DetectPointFormat(Write("p.csv", "1,2\n")), InputFormat::kCsv);
  EXPECT_EQ(*DetectPointFormat(Write("p.txt", npy)), InputFormat::kNpy);
  EXPECT_EQ(*DetectPointFormat(Write("q.csv", npy)), InputFormat::kNpy);
  EXPECT_EQ(*DetectPointFormat(Write("p.NPY.gz", "1,2\n")), InputFormat::kNpy);
  EXPECT_EQ(*DetectPointFormat(Write("P.NPY.GZ", "1,2\n")), InputFormat::kNpy);
  EXPECT_EQ(*DetectPointFormat(Write("P.CSV.GZ", "1,2\n")), InputFormat::kCsv);
  EXPECT_EQ(*DetectPointFormat(Write("empty", "")), InputFormat::kCsv);
  EXPECT_EQ(*DetectPointFormat(Write("short", npy.substr(0, 5))),
            InputFormat::kCsv);
  EXPECT_EQ(*DetectPointFormat(directory_), InputFormat::kCsv);
  EXPECT_EQ(DetectPointFormat(directory_ + "/none").status().code(),
            absl::StatusCode::kNotFound);

  const std::string zipped = directory_ + "/zipped";
  gzFile out = gzopen(zipped.c_str(), "wb");
  ASSERT_EQ(gzwrite(out, npy.data(), npy.size()), 8);
  ASSERT_EQ(gzclose(out), Z_OK);
  EXPECT_EQ(*DetectPointFormat(zipped), InputFormat::kNpy);

  const std::string pipe = directory_ + "/pipe";
  for (const char* extension : {".csv", ".npy", ""}) {
    ASSERT_EQ(mkfifo((pipe + extension).c_str(), 0600), 0);
  }
  EXPECT_EQ(*DetectPointFormat(pipe + ".csv"), InputFormat::kCsv);
  EXPECT_EQ(*DetectPointFormat(pipe + ".npy"), InputFormat::kNpy);
  EXPECT_EQ(DetectPointFormat(pipe).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
