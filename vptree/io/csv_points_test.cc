// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/io/csv_points.h"

#include <zlib.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/io/lines/line_reader.h"
#include "gtest/gtest.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using Values = std::vector<double>;

absl::StatusOr<PointMatrix> Read(std::string content) {
  LineReader lines = LineReader::FromString(std::move(content), "p.csv");
  return ReadCsvPoints(lines);
}

TEST(CsvPointsTest, SeparatorsAreFound) {
  for (const char* content :
       {"1,2.5,-3\n4,5,6\n", "1;2.5;-3\n4;5;6\n", "1\t2.5\t-3\n4\t5\t6\n",
        "1 2.5 -3\n4 5 6\n", "  1   2.5 -3 \n   4 5\t  6",
        "1 , 2.5, -3\r\n4,5 ,6", "+1, 2.5, -3\n4, 5, 6",
        "1\t 2.5\t-3\n4 \t5\t6\n",
        "\xEF\xBB\xBF"
        "1,2.5,-3\n4,5,6\n",
        "\"1\",\"2.5\",\"-3\"\n\"4\",\"5\",\"6\"\n", "1,\"2.5\",-3\n\"4\",5,6",
        "\" 1\" ; \"2.5 \";\"\t-3\" \n4;5;6", "\"1\" \"2.5\"  -3\r\n4 5 \"6\"",
        "1\t\"2.5\"\t-3\n4\t5\t\"6\"", "\"+1\",\"25e-1\",-3\n4,5,6"}) {
    const absl::StatusOr<PointMatrix> read = Read(content);
    ASSERT_TRUE(read.ok()) << read.status() << " of " << content;
    EXPECT_EQ(read->num_points, 2);
    EXPECT_EQ(read->num_dimensions, 3);
    EXPECT_EQ(read->values, (Values{1, 2.5, -3, 4, 5, 6})) << content;
    EXPECT_TRUE(read->Validate().ok());
  }
  // A tab in the first line is the separator.
  EXPECT_FALSE(Read("1,2.5,\t-3\n").ok());
}

TEST(CsvPointsTest, CommentsEmptyLinesAndHeaderAreSkipped) {
  for (const char* content :
       {"x,y\n1,2\n3,4\n", "# by hand\n\nx,y\n\n1,2\n# between\n \n3,4\n#",
        "\"longitude, degrees\",\"2\"\n1,2\n3,4",
        "sepal length\tsepal width\n1\t2\n3\t4", "x y\n1 2\n3 4",
        "x,y\n1 2\n3 4\n", "x,\n1,2\n3,4", "sep=;\n1;2\n3;4",
        "sep=;\r\nx;y\r\n1;2\r\n3;4\r\n", "\"x;m\",\"y\"\n1,2\n3,4",
        "\"x\",\"y\"\n\"1\",\"2\"\n\"3\",\"4\"",
        "\"x\",\"\"\n1,\"2\"\n\"3\",4"}) {
    const absl::StatusOr<PointMatrix> read = Read(content);
    ASSERT_TRUE(read.ok()) << read.status() << " of " << content;
    EXPECT_EQ(read->values, (Values{1, 2, 3, 4})) << content;
    EXPECT_EQ(read->num_points, 2);
  }
}

TEST(CsvPointsTest, ColumnsAreChosen) {
  using Names = std::vector<std::string>;
  std::string counted = "1,7,0\n";
  for (int i = 2; i <= 10; ++i) counted += absl::StrCat(i, ",7,0\n");
  const std::string few = counted.substr(0, counted.size() - 7);
  std::string rows = counted;
  rows.replace(rows.size() - 7, 2, "11");
  const std::string named = "Id,name,x\n1,\"a, b\",5\n9,,6\n";
  const struct {
    std::string content;
    Names columns;
    Names left_out;
    bool ids;
    std::vector<int32_t> expected_left_out;
    size_t expected_ids;
    int32_t dimensions;
  } cases[] = {
      {"1,2,3\n", {}, {}, true, {}, 0, 3},
      {"1,2,3\n", {"3", "1"}, {}, true, {2}, 0, 2},
      {"1,a,3\n4,\"b,c\",6\n", {}, {"2"}, true, {2}, 0, 2},
      {"1 a 3\n4  b   6\n", {}, {"2"}, true, {2}, 0, 2},
      {"a,2\n", {}, {"1"}, false, {1}, 0, 1},
      {"1,\n2,x\n", {}, {"2"}, false, {2}, 0, 1},
      {",x\n1,2\n", {}, {"1"}, true, {1}, 0, 1},
      {named, {}, {"name"}, true, {1, 2}, 1, 1},
      {named, {}, {"name"}, false, {2}, 0, 2},
      {named, {"x", "Id"}, {}, true, {2}, 0, 2},
      {named, {"Id"}, {}, true, {2, 3}, 0, 1},
      {"id\n1\n", {}, {}, true, {}, 0, 1},
      {counted, {}, {}, true, {1}, 1, 2},
      {"n,x,y\n" + counted, {}, {}, true, {1}, 1, 2},
      {"0,1,1\n" + counted, {}, {}, true, {1}, 1, 2},
      {counted, {}, {}, false, {}, 0, 3},
      {counted, {"1", "2", "3"}, {}, true, {}, 0, 3},
      {few, {}, {}, true, {}, 0, 3},
      {rows, {}, {}, true, {}, 0, 3},
      {"2,7,0\n" + counted, {}, {}, true, {}, 0, 3},
  };
  for (const auto& c : cases) {
    LineReader lines = LineReader::FromString(c.content, "p.csv");
    CsvPointsOptions options;
    options.columns = c.columns;
    options.left_out = c.left_out;
    options.leave_out_ids = c.ids;
    const absl::StatusOr<CsvPoints> read = ReadCsvPoints(lines, options);
    ASSERT_TRUE(read.ok()) << read.status() << " of " << c.content;
    EXPECT_TRUE(read->points.Validate().ok());
    EXPECT_EQ(read->points.num_dimensions, c.dimensions) << c.content;
    EXPECT_EQ(read->left_out, c.expected_left_out) << c.content;
    EXPECT_EQ(read->ids.size(), c.expected_ids) << c.content;
    if (c.expected_ids == 1 && c.dimensions == 2) {
      EXPECT_EQ(read->points.values.back(), 0);
      EXPECT_EQ(read->points.values[read->points.values.size() - 2], 7);
    }
  }
}

TEST(CsvPointsTest, NamesArePartOfTheResult) {
  CsvPointsOptions options;
  options.name_column = "who";
  LineReader named =
      LineReader::FromString("x,who,y\n1, ada ,2\n3,\"b, c\",4\n5,,6\n");
  const absl::StatusOr<CsvPoints> read = ReadCsvPoints(named, options);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->names, (std::vector<std::string>{"ada", "b, c", ""}));
  EXPECT_EQ(read->points.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read->left_out, (std::vector<int32_t>{2}));

  // Quotes within a name.
  options.name_column = "2";
  LineReader quotes = LineReader::FromString(
      "\"x\",\"who\"\n\"1\",\"a \"\"b\"\", c\"\n2,5\" pipe\n3,\"open\n");
  const absl::StatusOr<CsvPoints> quoted = ReadCsvPoints(quotes, options);
  ASSERT_TRUE(quoted.ok()) << quoted.status();
  EXPECT_EQ(quoted->names,
            (std::vector<std::string>{"a \"b\", c", "5\" pipe", "\"open"}));
  EXPECT_EQ(quoted->header, (std::vector<std::string>{"x", "who"}));
  EXPECT_EQ(quoted->name_column, 2);
  LineReader first =
      LineReader::FromString("5\" pipe,1\n7\" pipe,2\n5\" pipe,3\n", "p.csv");
  options.name_column = "1";
  options.check_name = [](absl::string_view file, int64_t line,
                          absl::string_view name) {
    return name == "7\" pipe" ? ExpectedInput(file, line, "another name", name)
                              : absl::OkStatus();
  };
  EXPECT_EQ(ReadCsvPoints(first, options).status().message(),
            "p.csv:2: expected another name, found '7\" pipe'");

  // What looks like a comment may be a point.
  options.check_name = nullptr;
  const std::pair<const char*, const char*> errors[] = {
      {"who,x\n#1,2\n", "p.csv:2: expected an id that does not start with #"},
      {"1,2\n#3,4\n", "p.csv:2: expected an id that does not start with #"},
      {"who,x\n\"a\nb\",2\n",
       "p.csv:2: expected a closing quote in the same line, found '\"a'"},
  };
  for (const auto& [content, message] : errors) {
    LineReader lines = LineReader::FromString(content, "p.csv");
    const absl::Status status = ReadCsvPoints(lines, options).status();
    EXPECT_EQ(status.message().substr(0, std::strlen(message)), message);
  }
  LineReader comments = LineReader::FromString("#w,x\nwho,x\n# a,1\n#a\nb,2\n");
  EXPECT_EQ(ReadCsvPoints(comments, options)->names.size(), 1);

  options.name_column = "4";
  LineReader narrow = LineReader::FromString("1,2,3\n");
  EXPECT_FALSE(ReadCsvPoints(narrow, options).ok());
  LineReader unnamed = LineReader::FromString("1,2,3\n");
  EXPECT_TRUE(ReadCsvPoints(unnamed, CsvPointsOptions())->names.empty());
}

TEST(CsvPointsTest, ColumnsThatAreMissing) {
  const struct {
    std::string content;
    CsvPointsOptions options;
    std::string message;
  } cases[] = {
      {"1,2\n", {{"3"}, {}}, "p.csv:1: expected a column from 1 to 2, found 3"},
      {"1,2\n", {{}, {"0"}}, "p.csv:1: expected a column from 1 to 2, found 0"},
      {"1,2\n", {{"x"}, {}}, "p.csv:1: expected the number of a column"},
      {"x,y\n1,2\n",
       {{"z"}, {}},
       "p.csv:1: expected one column \"z\", found none in 'x,y'"},
      {"x,x\n1,2\n",
       {{"x"}, {}},
       "p.csv:1: expected one column \"x\", found 2"},
      {"1,2\n", {{}, {"1", "2"}}, "p.csv:1: expected a column of coordinates"},
      {"1,a\n2\n", {{}, {"2"}}, "p.csv:2: expected 2 columns as on line 1"},
      {"1,a\n2,b,c\n", {{}, {"2"}}, "p.csv:2: expected"},
      {"1,a\nb,2\n", {{}, {"2"}}, "p.csv:2: expected a number, found 'b'"},
  };
  for (const auto& c : cases) {
    LineReader lines = LineReader::FromString(c.content, "p.csv");
    const absl::Status status = ReadCsvPoints(lines, c.options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message().substr(0, c.message.size()), c.message);
  }
}

TEST(CsvPointsTest, OnePointAndOneColumn) {
  const absl::StatusOr<PointMatrix> one = Read("5");
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(one->num_points, 1);
  EXPECT_EQ(one->num_dimensions, 1);
  const absl::StatusOr<PointMatrix> column = Read("x\n1\n2\n3\n");
  ASSERT_TRUE(column.ok()) << column.status();
  EXPECT_EQ(column->values, (Values{1, 2, 3}));
  EXPECT_EQ(column->num_dimensions, 1);
}

TEST(CsvPointsTest, RandomMatricesComeBackToTheBit) {
  constexpr unsigned kSeed = 5;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE(absl::StrCat("seed ", kSeed, " round ", round));
    const int n = 1 + random() % 200, d = 1 + random() % 9;
    const char separator = ",;\t "[random() % 4];
    Values values;
    std::string content;
    for (int i = 0; i < n * d; ++i) {
      const double value = std::ldexp(static_cast<double>(random()) - 9e18,
                                      static_cast<int>(random() % 500) - 250);
      values.push_back(value);
      absl::StrAppendFormat(&content, "%.17g%c", value,
                            (i + 1) % d == 0 ? '\n' : separator);
    }
    const absl::StatusOr<PointMatrix> read = Read(content);
    ASSERT_TRUE(read.ok()) << read.status();
    ASSERT_EQ(read->num_points, n);
    ASSERT_EQ(read->num_dimensions, d);
    ASSERT_EQ(std::memcmp(read->values.data(), values.data(),
                          values.size() * sizeof(double)),
              0);
  }
}

TEST(CsvPointsTest, Errors) {
  const struct {
    std::string content, message;
  } cases[] = {
      {"", ": expected a line of coordinates, found none"},
      {"# nothing\n\n", ": expected a line of coordinates, found none"},
      {"x;y\n", ": expected a line of coordinates, found only a header, 'x,y'"},
      {"1,2\n3\n", ":2: expected 2 columns as on line 1, found 1"},
      {"#\n1,2\n3,4,5,6\n", ":3: expected 2 columns as on line 2, found 4"},
      {"x,y\n1,2,3\n", ":2: expected 2 columns as on line 1, found 3"},
      {"1\n2,3\n", ":2: expected a number, found '2,3'"},
      {"1\n2 3\n", ":2: expected 1 column as on line 1, found 2"},
      {"x,y\n1,5,2,5\n", ":2: expected 2 columns as on line 1, found 4"},
      {"1,\n", ":1: expected a number, found nothing"},
      {",1\n", ":1: expected a number, found nothing"},
      {"1,2\n3,,4\n", ":2: expected a number, found nothing"},
      {"1,\xE2\x88\x92"
       "2\n",
       ":1: expected a number whose minus sign is a hyphen, found "
       "'\xE2\x88\x92"
       "2'"},
      {"1,two\n", ":1: expected a number, found 'two'"},
      {"x\nhello\n", ":2: expected a number, found 'hello'"},
      {"1,2\nx,y\n", ":2: expected a number, found 'x'"},
      {"1,2\n3,nan\n", ":2: expected a finite number, found 'nan'"},
      {"nan,nan\n", ":1: expected a finite number, found 'nan'"},
      {"1,2\n-inf,3\n", ":2: expected a finite number, found '-inf'"},
      {"1,2\n3,-1e151\n",
       ":2: expected a number of magnitude at most 1e150, found '-1e151'"},
      {"1,2\n3,1e999\n",
       ":2: expected a number of magnitude at most 1e150, found '1e999'"},
      {"1,5;2,5\n",
       ":1: expected a number with a decimal point, not a comma, found '1,5'"},
      {"1\t2,5\n",
       ":1: expected a number with a decimal point, not a comma, found '2,5'"},
      {"1;1.234,5\n", ":1: expected a number, found '1.234,5'"},
      {"1,2\n3;4\n", ":2: expected a number, found '3;4'"},
      {"1,2 3\n", ":1: expected a number, found '2 3'"},
      {"1 2\n3,4\n", ":2: expected a number, found '3,4'"},
      {"1,2 # two\n", ":1: expected a number, found '2 # two'"},
      {"1,0x10\n", ":1: expected a number, found '0x10'"},
      {"\"1,5\",\"2,5\"\n",
       ":1: expected a number with a decimal point, not a comma, found "
       "'\"1,5\"'"},
      {"1,\"two\"\n", ":1: expected a number, found '\"two\"'"},
      {"1,\"\"\n", ":1: expected a number, found '\"\"'"},
      {"1,\"\n", ":1: expected a number, found '\"'"},
      {"1,\"2,3\n", ":1: expected a number, found '\"2'"},
      {"1,\"2\"\",3\n", ":1: expected a number, found '\"2\"\"'"},
      {"1,\"2\"3\n", ":1: expected a number, found '\"2\"3'"},
      {"1,2\"3\"\n", ":1: expected a number, found '2\"3\"'"},
      {"1,\"2\" 3,4\n", ":1: expected a number, found '\"2\" 3'"},
      {"1 \"2 3\" 4\n", ":1: expected a number, found '\"2 3\"'"},
      {"1,\"\"\"2\"\"\"\n", ":1: expected a number, found '\"\"\"2\"\"\"'"},
      {"1,\"nan\"\n", ":1: expected a finite number, found '\"nan\"'"},
      {"1,\"-1e151\"\n",
       ":1: expected a number of magnitude at most 1e150, found '\"-1e151\"'"},
      {"\"1e5\",\"x\"\n\"2\",\"3\",\"4\"\n",
       ":2: expected 2 columns as on line 1, found 3"},
      {"\"1e5\",\"2\"\n\"3\"\n",
       ":2: expected 2 columns as on line 1, found 1"},
      {"\"NA\",\"2\"\n", ":1: expected a number, found '\"NA\"'"},
      {"\"x\",2\n", ":1: expected a number, found '\"x\"'"},
      {"\"\",\"x\"\n\"1\",5\n",
       ":1: expected a name for the first column, or no column of row numbers "
       "or names, found '\"\",\"x\"'"},
      {"# by pandas\n,x,y\n0,1,2\n",
       ":2: expected a name for the first column, or no column of row numbers "
       "or names, found ',x,y'"},
      {std::string("1,2\0\n", 5), ":1: expected a number, found '2\\x00'"},
  };
  for (const auto& c : cases) {
    const absl::Status status = Read(c.content).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.content;
    EXPECT_EQ(status.message(), absl::StrCat("p.csv", c.message));
  }
}

TEST(CsvPointsTest, FilesPlainAndGzip) {
  const std::string path = testing::TempDir() + "/csv_points_test.csv";
  const std::string zipped = path + ".gz";
  std::ofstream(path) << "1,2\n3,4\n";
  gzFile out = gzopen(zipped.c_str(), "wb");
  ASSERT_EQ(gzputs(out, "1,2\n3,4\n"), 8);
  ASSERT_EQ(gzclose(out), Z_OK);
  for (const std::string& file : {path, zipped}) {
    const absl::StatusOr<PointMatrix> read = ReadCsvPoints(file);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->values, (Values{1, 2, 3, 4}));
  }
  EXPECT_EQ(ReadCsvPoints(path + ".none").status().code(),
            absl::StatusCode::kNotFound);

  std::ifstream in(zipped, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)),
                    std::istreambuf_iterator<char>());
  bytes.resize(bytes.size() - 9);
  EXPECT_EQ(Read(bytes).status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace warpclust
