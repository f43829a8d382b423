// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/io/npy_points.h"

#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/io/byte_reader.h"
#include "base/io/testing/told_rows.h"
#include "gtest/gtest.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using Values = std::vector<double>;

absl::StatusOr<PointMatrix> Read(std::string content) {
  ByteReader bytes = ByteReader::FromString(std::move(content), "p.npy");
  return ReadNpyPoints(bytes);
}

std::string Dictionary(absl::string_view descr, absl::string_view shape,
                       absl::string_view order = "False") {
  return absl::StrCat("{'descr': '", descr, "', 'fortran_order': ", order,
                      ", 'shape': ", shape, ", }");
}

// The bytes up to the elements, padded as numpy does.
std::string Start(std::string dictionary, int version = 1) {
  const size_t fixed = version == 1 ? 10 : 12;
  while ((fixed + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  std::string start("\x93NUMPY", 6);
  start += static_cast<char>(version);
  start += '\0';
  uint32_t size = static_cast<uint32_t>(dictionary.size());
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i, size >>= 8) {
    start += static_cast<char>(size & 0xFF);
  }
  return start + dictionary;
}

template <typename T>
std::string Bytes(const std::vector<T>& elements) {
  return std::string(reinterpret_cast<const char*>(elements.data()),
                     elements.size() * sizeof(T));
}

template <typename T>
void ExpectReads(absl::string_view descr, const std::vector<T>& elements) {
  const std::string content = absl::StrCat(
      Start(Dictionary(descr, absl::StrCat("(", elements.size(), ",)"))),
      Bytes(elements));
  const absl::StatusOr<PointMatrix> read = Read(content);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->num_points, static_cast<int32_t>(elements.size()));
  EXPECT_EQ(read->num_dimensions, 1);
  EXPECT_EQ(read->values, Values(elements.begin(), elements.end())) << descr;
}

template <typename T>
std::vector<T> Extremes() {
  return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 0, 7};
}

TEST(NpyPointsTest, AllElementTypes) {
  ExpectReads<float>("<f4", {1.5f, -0.1f, 3.4e38f, 1e-45f});
  ExpectReads<double>("<f8", {1.5, -0.1, 1e150, -1e150, 5e-324});
  ExpectReads<int8_t>("|i1", Extremes<int8_t>());
  ExpectReads<uint8_t>("|u1", Extremes<uint8_t>());
  ExpectReads<int16_t>("<i2", Extremes<int16_t>());
  ExpectReads<uint16_t>("<u2", Extremes<uint16_t>());
  ExpectReads<int32_t>("<i4", Extremes<int32_t>());
  ExpectReads<uint32_t>("<u4", Extremes<uint32_t>());
  constexpr int64_t kMost = int64_t{1} << 53;
  ExpectReads<int64_t>("<i8", {kMost, -kMost, 0, -1});
  ExpectReads<uint64_t>("<u8", {uint64_t{kMost}, 0, 1});
}

TEST(NpyPointsTest, AllVersionsAndRows) {
  for (int version : {1, 2, 3}) {
    const absl::StatusOr<PointMatrix> read =
        Read(absl::StrCat(Start(Dictionary("<f4", "(2, 3)"), version),
                          Bytes<float>({1, 2, 3, 4, 5, 6})));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->num_points, 2);
    EXPECT_EQ(read->num_dimensions, 3);
    EXPECT_EQ(read->values, (Values{1, 2, 3, 4, 5, 6}));
    EXPECT_TRUE(read->Validate().ok());
  }
}

// Sizes around those of the blocks in which elements are read.
TEST(NpyPointsTest, RandomMatrices) {
  constexpr unsigned kSeed = 3;
  std::mt19937_64 random(kSeed);
  for (int n : {1, 31, 32, 33, 32767, 32768, 32769, 100000}) {
    SCOPED_TRACE(absl::StrCat("seed ", kSeed, " n ", n));
    Values values(n * 2);
    for (double& value : values) {
      value = std::ldexp(static_cast<double>(random()), -32);
    }
    const absl::StatusOr<PointMatrix> read = Read(absl::StrCat(
        Start(Dictionary("<f8", absl::StrCat("(", n, ", 2)"))), Bytes(values)));
    ASSERT_TRUE(read.ok()) << read.status();
    ASSERT_EQ(read->num_points, n);
    ASSERT_TRUE(read->values == values);
    ASSERT_EQ(read->values.capacity(), values.size());
  }
}

// A plain file is read by several threads: the same points, and the same first
// error.
TEST(NpyPointsTest, FilesByThreads) {
  const std::string path = testing::TempDir() + "/threads.npy";
  constexpr int kPoints = 100003;
  const auto expect_same = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
    const absl::StatusOr<PointMatrix> expected = Read(content);
    for (const int threads : {1, 2, 7, 16}) {
      const absl::StatusOr<PointMatrix> read = ReadNpyPoints(path, threads);
      ASSERT_EQ(read.ok(), expected.ok());
      if (read.ok()) {
        EXPECT_EQ(read->num_points, expected->num_points);
        EXPECT_TRUE(read->values == expected->values);
        ToldRows<double> told;
        ByteReader bytes = *ByteReader::Open(path);
        EXPECT_TRUE(ReadNpyPoints(bytes, threads, told.Watch()).ok());
        EXPECT_EQ(told.ExpectParts(read->values, read->num_points,
                                   read->num_dimensions),
                  static_cast<int64_t>(read->values.size()));
      } else {
        EXPECT_EQ(read.status().code(), expected.status().code());
        EXPECT_EQ(absl::StripPrefix(read.status().message(), path),
                  absl::StripPrefix(expected.status().message(), "p.npy"));
      }
    }
  };
  Values doubles(kPoints * 2);
  std::iota(doubles.begin(), doubles.end(), 0.5);
  const std::string start =
      Start(Dictionary("<f8", absl::StrCat("(", kPoints, ", 2)")));
  expect_same(start + Bytes(doubles));
  expect_same(start + Bytes(doubles) + "x");
  expect_same((start + Bytes(doubles)).substr(0, 900001));
  for (const int bad : {0, 77777, 2 * kPoints - 1}) {
    Values some = doubles;
    for (int i = bad; i < 2 * kPoints; i += 11111) some[i] = std::nan("");
    expect_same(start + Bytes(some));
    expect_same(start + Bytes(some) + "x");
  }
  const std::vector<int16_t> integers(kPoints, -3);
  expect_same(Start(Dictionary("<i2", absl::StrCat("(", kPoints, ",)"))) +
              Bytes(integers));
}

TEST(NpyPointsTest, TellsPointsThatAreNotInAPlainFile) {
  const Values values(100000, 2.5);
  ByteReader bytes = ByteReader::FromString(
      Start(Dictionary("<f8", "(50000, 2)")) + Bytes(values), "p.npy");
  ToldRows<double> told;
  ASSERT_TRUE(ReadNpyPoints(bytes, 3, told.Watch()).ok());
  EXPECT_EQ(told.ExpectParts(values, 50000, 2), 100000);
}

TEST(NpyPointsTest, PartsAreTheWhole) {
  for (const int n : {1, 5, 50000}) {
    Values values(n * 3);
    std::iota(values.begin(), values.end(), 1.0);
    const std::string content = absl::StrCat(
        Start(Dictionary("<f8", absl::StrCat("(", n, ", 3)"))), Bytes(values));
    const auto read_part = [&](std::string bytes, int part) {
      ByteReader reader = ByteReader::FromString(std::move(bytes), "p.npy");
      return ReadNpyShare(reader, {part, 7});
    };
    Values all;
    for (int part = 0; part < 7; ++part) {
      const absl::StatusOr<PointMatrix> read = read_part(content, part);
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(read->num_points, n * (part + 1) / 7 - n * part / 7);
      EXPECT_EQ(read->num_dimensions, 3);
      all.insert(all.end(), read->values.begin(), read->values.end());
    }
    EXPECT_EQ(all, values);
    // The last share finds what is missing or too much.
    EXPECT_FALSE(read_part(content.substr(0, content.size() - 1), 6).ok());
    EXPECT_FALSE(read_part(content + "x", 6).ok());
  }
}

// What the header promises does not fit in 64 bits of bytes.
TEST(NpyPointsTest, AShareOfWhatIsNotThere) {
  ByteReader bytes = ByteReader::FromString(
      Start(Dictionary("<f8", "(2147483647, 2147483647)")) +
          Bytes<double>({1, 2, 3}),
      "p.npy");
  EXPECT_EQ(ReadNpyShare(bytes, {6, 7}).status().message(),
            "p.npy: expected 2147483647 x 2147483647 elements of 8 bytes, "
            "found the end of the file in point 0");
}

TEST(NpyPointsTest, BadHeaders) {
  constexpr char kTypes[] =
      "expected elements of type <f4, <f8, |i1, |u1, <i2, <u2, <i4, <u4, <i8 "
      "or <u8, found ";
  const struct {
    std::string content, message;
  } cases[] = {
      {"",
       "expected an NPY file, which starts with '\\x93NUMPY', found nothing"},
      {"1,2\n3,4\n",
       "expected an NPY file, which starts with '\\x93NUMPY', found "
       "'1,2\\n3,'"},
      {std::string("\x93NUMPY\x01", 7),
       "expected the rest of the NPY header, found the end of the file"},
      {std::string("\x93NUMPY\x04\0", 8),
       "expected NPY version 1.0, 2.0 or 3.0, found 4.0"},
      {std::string("\x93NUMPY\x01\x01", 8),
       "expected NPY version 1.0, 2.0 or 3.0, found 1.1"},
      {std::string("\x93NUMPY\x01\0\x10\0{'descr':", 20),
       "expected the rest of the NPY header, found the end of the file"},
      {std::string("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF", 12),
       "expected an NPY header of at most 1048576 bytes, found one of "
       "4294967295"},
      {Start("{'descr': '<f8'"),
       "expected ',' or '}' in the header, found nothing"},
      {Start(Dictionary(">f8", "(1, 1)")),
       absl::StrCat(kTypes,
                    "'>f8' (big-endian): save "
                    "points.astype(points.dtype.newbyteorder('<'))")},
      {Start(Dictionary("<f2", "(1, 1)")), absl::StrCat(kTypes, "'<f2'")},
      {Start(Dictionary("<c16", "(1, 1)")), absl::StrCat(kTypes, "'<c16'")},
      {Start(Dictionary("|O", "(1, 1)")), absl::StrCat(kTypes, "'|O'")},
      {Start(Dictionary("<f8", "(2, 2)", "True")),
       "expected fortran_order False, found True: save "
       "numpy.ascontiguousarray(points)"},
      {Start(Dictionary("<f8", "()")),
       "expected an array of shape (points, coordinates), found ()"},
      {Start(Dictionary("<f8", "(1, 2, 3)")),
       "expected an array of shape (points, coordinates), found (1, 2, 3)"},
      {Start(Dictionary("<f8", "(0, 2)")),
       "expected from 1 to 2147483647 points and coordinates, found (0, 2)"},
      {Start(Dictionary("<f8", "(2, 0)")),
       "expected from 1 to 2147483647 points and coordinates, found (2, 0)"},
      {Start(Dictionary("<f8", "(0,)")),
       "expected from 1 to 2147483647 points and coordinates, found (0,)"},
      {Start(Dictionary("<f8", "(2147483648, 2)")),
       "expected from 1 to 2147483647 points and coordinates, found "
       "(2147483648, 2)"},
  };
  for (const auto& c : cases) {
    const absl::Status status = Read(c.content).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.message;
    EXPECT_EQ(status.message(), absl::StrCat("p.npy: ", c.message));
  }
}

TEST(NpyPointsTest, BadElements) {
  const std::string doubles = Start(Dictionary("<f8", "(2, 2)"));
  const double kNan = std::numeric_limits<double>::quiet_NaN();
  const double kInfinity = std::numeric_limits<double>::infinity();
  const struct {
    std::string content, message;
  } cases[] = {
      {doubles,
       "expected 2 x 2 elements of 8 bytes, found the end of the file in point "
       "0"},
      {absl::StrCat(doubles, Bytes<double>({1, 2, 3}), "1234567"),
       "expected 2 x 2 elements of 8 bytes, found the end of the file in point "
       "1"},
      // What the header promises is not allocated.
      {Start(Dictionary("<f8", "(2147483647, 2147483647)")),
       "expected 2147483647 x 2147483647 elements of 8 bytes, found the end of "
       "the file in point 0"},
      {absl::StrCat(doubles, Bytes<double>({1, 2, 3, 4}), "x"),
       "expected the end of the file after 2 x 2 elements, found more"},
      {absl::StrCat(doubles, Bytes<double>({1, 2, 3, kNan})),
       "point 1, coordinate 1: expected a finite number of magnitude at most "
       "1e150, found nan"},
      {absl::StrCat(doubles, Bytes<double>({1, -kInfinity, 3, 4})),
       "point 0, coordinate 1: expected a finite number of magnitude at most "
       "1e150, found -inf"},
      {absl::StrCat(doubles, Bytes<double>({1, 2, 1.1e150, 4})),
       "point 1, coordinate 0: expected a finite number of magnitude at most "
       "1e150, found 1.1e+150"},
      {absl::StrCat(Start(Dictionary("<i8", "(2,)")),
                    Bytes<int64_t>({0, -(int64_t{1} << 53) - 1})),
       "point 1, coordinate 0: expected an integer of magnitude at most 2^53, "
       "found more"},
      {absl::StrCat(Start(Dictionary("<u8", "(2,)")),
                    Bytes<uint64_t>({(uint64_t{1} << 53) + 1, 0})),
       "point 0, coordinate 0: expected an integer of magnitude at most 2^53, "
       "found more"},
  };
  for (const auto& c : cases) {
    const absl::Status status = Read(c.content).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.message;
    EXPECT_EQ(status.message(), absl::StrCat("p.npy: ", c.message));
  }
}

TEST(NpyPointsTest, FilesPlainAndGzip) {
  const std::string content = absl::StrCat(Start(Dictionary("<f8", "(2, 2)")),
                                           Bytes<double>({1, 2, 3, 4}));
  const std::string path = testing::TempDir() + "/npy_points_test.npy";
  const std::string zipped = path + ".gz";
  std::ofstream(path, std::ios::binary) << content;
  gzFile out = gzopen(zipped.c_str(), "wb");
  ASSERT_EQ(gzwrite(out, content.data(), content.size()),
            static_cast<int>(content.size()));
  ASSERT_EQ(gzclose(out), Z_OK);
  for (const std::string& file : {path, zipped}) {
    const absl::StatusOr<PointMatrix> read = ReadNpyPoints(file);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->values, (Values{1, 2, 3, 4}));
  }
  EXPECT_EQ(ReadNpyPoints(path + ".none").status().code(),
            absl::StatusCode::kNotFound);
  std::ofstream(zipped, std::ios::binary | std::ios::in).seekp(0, std::ios::end)
      << "x";
  const absl::Status status = ReadNpyPoints(zipped).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_TRUE(absl::StartsWith(status.message(), zipped)) << status;
}

}  // namespace
}  // namespace warpclust
