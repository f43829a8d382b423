// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/io/dense_npy.h"

#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/io/npy/npy_header.h"
#include "base/io/row_share.h"
#include "base/io/testing/gzip.h"
#include "base/io/testing/told_rows.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

template <typename T>
std::string Bytes(const std::vector<T>& elements) {
  return std::string(reinterpret_cast<const char*>(elements.data()),
                     elements.size() * sizeof(T));
}

absl::StatusOr<DenseDocuments> Read(std::string content) {
  ByteReader bytes = ByteReader::FromString(std::move(content), "v.npy");
  return ReadDenseNpy(bytes);
}

std::string Write(const std::string& name, const std::string& content) {
  const std::string path = absl::StrCat(testing::TempDir(), "/", name);
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::vector<float> Values(const DenseDocuments& documents) {
  return std::vector<float>(documents.values.begin(), documents.values.end());
}

void ExpectError(const absl::StatusOr<DenseDocuments>& read,
                 const std::string& part) {
  EXPECT_EQ(read.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(read.status().message(), part))
      << read.status();
}

TEST(DenseNpyTest, TypesAndShapes) {
  const std::vector<float> expected = {1, -2, 0.5f, 0, 3, 4};
  for (const std::string& content :
       {NpyStart("<f4", {3, 2}) + Bytes<float>({1, -2, 0.5f, 0, 3, 4}),
        NpyStart("<f8", {3, 2}) + Bytes<double>({1, -2, 0.5, 0, 3, 4}),
        NpyStart("<f2", {3, 2}) +
            Bytes<uint16_t>({0x3C00, 0xC000, 0x3800, 0, 0x4200, 0x4400})}) {
    const absl::StatusOr<DenseDocuments> read = Read(content);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->num_documents(), 3);
    EXPECT_EQ(read->num_dimensions, 2);
    EXPECT_EQ(Values(*read), expected);
    // The same from a file, which is mapped if it is <f4.
    const absl::StatusOr<DenseDocuments> mapped =
        ReadDenseNpy(Write("types.npy", content));
    ASSERT_TRUE(mapped.ok()) << mapped.status();
    EXPECT_EQ(mapped->num_documents(), 3);
    EXPECT_EQ(mapped->num_dimensions, 2);
    EXPECT_EQ(Values(*mapped), expected);
  }
  const absl::StatusOr<DenseDocuments> none = Read(NpyStart("<f4", {0, 5}));
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_EQ(none->num_documents(), 0);
}

// Threads read and check a file, mapped (<f4) or not: the same documents, and
// the same first error.
TEST(DenseNpyTest, FilesByThreads) {
  constexpr int kRows = 40001;
  const auto expect_same = [&](const std::string& content) {
    const std::string path = Write("threads.npy", content);
    const absl::StatusOr<DenseDocuments> expected = Read(content);
    for (const int threads : {1, 2, 7, 16}) {
      const absl::StatusOr<DenseDocuments> read =
          ReadDenseNpy(path, /*work=*/nullptr, threads);
      ASSERT_EQ(read.ok(), expected.ok());
      if (read.ok()) {
        EXPECT_TRUE(read->values == expected->values);
      } else {
        EXPECT_EQ(absl::StripPrefix(read.status().message(), path),
                  absl::StripPrefix(expected.status().message(), "v.npy"));
      }
    }
  };
  std::vector<float> floats(kRows * 17);
  std::vector<uint16_t> halves(kRows * 17);
  for (size_t i = 0; i < floats.size(); ++i) {
    floats[i] = static_cast<float>(i);
    halves[i] = static_cast<uint16_t>(i & 0x3FFF);
  }
  for (const int bad : {-1, 0, 300000, kRows * 17 - 1}) {
    for (int i = bad; 0 <= i && i < kRows * 17; i += 55555) {
      floats[i] = std::nanf("");
      halves[i] = 0x7C00;
    }
    expect_same(NpyStart("<f4", {kRows, 17}) + Bytes(floats));
    expect_same(NpyStart("<f2", {kRows, 17}) + Bytes(halves));
    if (bad < 0)
      expect_same(NpyStart("<f2", {kRows, 17}) + Bytes(halves) + "x");
  }
}

TEST(DenseNpyTest, TellsAllRows) {
  constexpr int kRows = 40001;
  std::vector<float> floats(kRows * 57);
  for (size_t i = 0; i < floats.size(); ++i) floats[i] = static_cast<float>(i);
  const std::vector<double> doubles(floats.begin(), floats.end());
  const std::string mapped = NpyStart("<f4", {kRows, 57}) + Bytes(floats);
  for (const std::string& content :
       {mapped, NpyStart("<f8", {kRows, 57}) + Bytes(doubles),
        Gzip(mapped, /*level=*/1)}) {
    const std::string path = Write("told.npy", content);
    for (const int threads : {1, 7}) {
      ToldRows<float> told;
      const absl::StatusOr<DenseDocuments> read =
          ReadDenseNpy(path, /*work=*/nullptr, threads, told.Watch());
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(told.ExpectParts(read->values, kRows, 57), kRows * 57);
    }
  }
  // What is told before an error is what the file has.
  std::vector<float> bad = floats;
  bad[kRows * 40] = std::nanf("");
  const std::string path =
      Write("told.npy", NpyStart("<f4", {kRows, 57}) + Bytes(bad));
  ToldRows<float> told;
  EXPECT_FALSE(ReadDenseNpy(path, nullptr, 1, told.Watch()).ok());
  EXPECT_EQ(told.ExpectParts(floats, kRows, 57), int64_t{1} << 20);
}

TEST(DenseNpyTest, ManyChunks) {
  std::vector<float> values(700 * 1001);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const absl::StatusOr<DenseDocuments> read =
      Read(NpyStart("<f4", {700, 1001}) + Bytes(values));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(Values(*read), values);
  // A document longer than a chunk.
  const absl::StatusOr<DenseDocuments> row =
      Read(NpyStart("<f4", {1, 700 * 1001}) + Bytes(values));
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_EQ(Values(*row), values);
}

TEST(DenseNpyTest, CopiesKeepTheMapping) {
  DenseDocuments copy;
  {
    const absl::StatusOr<DenseDocuments> read = ReadDenseNpy(
        Write("copy.npy", NpyStart("<f4", {1, 3}) + Bytes<float>({7, 8, 9})));
    ASSERT_TRUE(read.ok()) << read.status();
    copy = *read;
  }
  EXPECT_EQ(Values(copy), (std::vector<float>{7, 8, 9}));
}

// Of `path` in seven parts: the values of all, or the first error.
absl::StatusOr<std::vector<float>> ReadParts(const std::string& path) {
  std::vector<float> all;
  for (int part = 0; part < 7; ++part) {
    const absl::StatusOr<DenseDocuments> read =
        ReadDenseNpy(path, /*work=*/nullptr, /*num_threads=*/2,
                     /*watch=*/nullptr, RowShare{part, 7});
    if (!read.ok()) return read.status();
    all.insert(all.end(), read->values.begin(), read->values.end());
  }
  return all;
}

TEST(DenseNpyTest, PartsAreTheWhole) {
  for (const int rows : {1, 5, 4001}) {
    std::vector<float> floats(rows * 57);
    for (size_t i = 0; i < floats.size(); ++i) {
      floats[i] = static_cast<float>(i);
    }
    for (const int bad : {-1, 0, rows * 40, rows * 57 - 1}) {
      if (bad >= 0) floats[bad] = std::nanf("");
      const std::vector<double> doubles(floats.begin(), floats.end());
      const std::string mapped = NpyStart("<f4", {rows, 57}) + Bytes(floats);
      for (const std::string& content :
           {mapped, NpyStart("<f8", {rows, 57}) + Bytes(doubles),
            Gzip(mapped, /*level=*/1), mapped + "x",
            mapped.substr(0, mapped.size() - 5)}) {
        const std::string path = Write("parts.npy", content);
        const absl::StatusOr<DenseDocuments> whole = ReadDenseNpy(path);
        const absl::StatusOr<std::vector<float>> parts = ReadParts(path);
        EXPECT_EQ(parts.status(), whole.status());
        if (!whole.ok() || !parts.ok()) continue;
        EXPECT_EQ(*parts, Values(*whole));
      }
      if (bad >= 0) floats[bad] = 0;
    }
  }
}

TEST(DenseNpyTest, APartTellsItsRows) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const std::string path =
      Write("told_part.npy", NpyStart("<f4", {3, 2}) + Bytes(values));
  ToldRows<float> told;
  ASSERT_TRUE(
      ReadDenseNpy(path, nullptr, 1, told.Watch(), RowShare{1, 2}).ok());
  const std::vector<float> last = {3, 4, 5, 6};
  EXPECT_EQ(told.ExpectParts(last, 2, 2), 4);
}

TEST(DenseNpyTest, HeadersThatAreNotRead) {
  ExpectError(Read("text"), "v.npy: expected an NPY file");
  ExpectError(Read(NpyStart(">f4", {1, 1})), "found '>f4'");
  ExpectError(Read(NpyStart("<i4", {1, 1})), "<f2, <f4 or <f8");
  ExpectError(Read(NpyStart("<f4", {4})), "found (4,)");
  ExpectError(Read(NpyStart("<f4", {4, 2, 1})), "found (4, 2, 1)");
  ExpectError(Read(NpyStart("<f4", {4, 0})), "found (4, 0)");
  ExpectError(Read(NpyStart("<f4", {int64_t{1} << 31, 2})), "2147483648");
  std::string fortran = NpyStart("<f4", {1, 1});
  fortran.replace(fortran.find("False"), 5, "True ");
  ExpectError(Read(fortran), "fortran_order False");
}

TEST(DenseNpyTest, SizesThatDoNotMatch) {
  const std::string start = NpyStart("<f4", {3, 2});
  const std::string five = Bytes<float>({1, 2, 3, 4, 5});
  for (const std::string& content :
       {start, start + five, start + five + "abc"}) {
    const std::string where =
        absl::StrCat("in document ", content.size() == start.size() ? 0 : 2);
    ExpectError(Read(content), where);
    ExpectError(ReadDenseNpy(Write("short.npy", content)), where);
  }
  const std::string longer = start + five + five;
  ExpectError(Read(longer), "found more");
  ExpectError(ReadDenseNpy(Write("long.npy", longer)), "found more");
  // A product that does not fit in memory, or in 64 bits.
  for (const absl::string_view descr : {"<f4", "<f8"}) {
    const std::string huge = NpyStart(descr, {2147483647, 2147483647}) + five;
    ExpectError(Read(huge), "end of the file in document 0");
    const std::string path = Write("huge.npy", huge);
    ExpectError(ReadDenseNpy(path), "end of the file in document 0");
    ExpectError(ReadDenseNpy(path, nullptr, 1, nullptr, RowShare{6, 7}),
                "end of the file in document 0");
    ExpectError(ReadDenseNpy(Write("huge.npy.gz", Gzip(huge, /*level=*/1)),
                             nullptr, 1, nullptr, RowShare{6, 7}),
                "end of the file in document 0");
  }
}

TEST(DenseNpyTest, ValuesThatAreNotFinite) {
  for (const float value : {std::numeric_limits<float>::quiet_NaN(),
                            -std::numeric_limits<float>::infinity()}) {
    const std::string content =
        NpyStart("<f4", {2, 2}) + Bytes<float>({1, 2, 3, value});
    ExpectError(Read(content), "v.npy: document 1, dimension 1: expected");
    ExpectError(ReadDenseNpy(Write("nan.npy", content)),
                "nan.npy: document 1, dimension 1: expected");
  }
  ExpectError(Read(NpyStart("<f8", {1, 1}) + Bytes<double>({1e300})),
              "fits in float32");
}

TEST(DenseNpyTest, FilesThatCannotBeOpened) {
  EXPECT_EQ(ReadDenseNpy("/no/such.npy").status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace warpclust
