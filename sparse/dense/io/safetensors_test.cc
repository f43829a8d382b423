// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/io/safetensors.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/io/row_share.h"
#include "base/io/testing/told_rows.h"
#include "base/numbers/little_endian.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

std::string File(const std::string& header, const std::string& data) {
  std::string file;
  AppendLittle64(header.size(), &file);
  return file + header + data;
}

template <typename T>
std::string Bytes(const std::vector<T>& elements) {
  return std::string(reinterpret_cast<const char*>(elements.data()),
                     elements.size() * sizeof(T));
}

std::string Tensor(const std::string& name, const std::string& dtype,
                   const std::string& shape, int64_t begin, int64_t end) {
  return absl::StrCat("\"", name, "\":{\"dtype\":\"", dtype,
                      "\",\"shape\":", shape, ",\"data_offsets\":[", begin, ",",
                      end, "]}");
}

absl::StatusOr<DenseDocuments> Read(std::string content,
                                    absl::string_view name = "") {
  ByteReader bytes =
      ByteReader::FromString(std::move(content), "m.safetensors");
  return ReadSafetensors(bytes, name);
}

void ExpectError(const absl::StatusOr<DenseDocuments>& read,
                 const std::string& part) {
  EXPECT_EQ(read.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(read.status().message(), part))
      << read.status();
}

TEST(SafetensorsTest, TypesAndNames) {
  const std::string data = Bytes<float>({1, 2, 3, 4}) +
                           Bytes<uint16_t>({0x3C00, 0xC000}) +
                           Bytes<uint16_t>({0x3F80, 0xC000}) +
                           Bytes<double>({1, -2}) + Bytes<int64_t>({5});
  const std::string header =
      absl::StrCat("{\"__metadata__\":{\"format\":\"pt\"},",
                   Tensor("a", "F32", "[2, 2]", 0, 16), ",",
                   Tensor("half", "F16", "[1,2]", 16, 20), ",",
                   Tensor("brain", "BF16", "[1,2]", 20, 24), ",",
                   Tensor("wide", "F64", "[1,2]", 24, 40), ",",
                   Tensor("count", "I64", "[]", 40, 48), "}  ");
  const std::string file = File(header, data);
  const std::string path = absl::StrCat(testing::TempDir(), "/m.safetensors");
  std::ofstream(path, std::ios::binary) << file;
  for (const bool from_path : {false, true}) {
    const auto read = [&](absl::string_view name) {
      return from_path ? ReadSafetensors(path, name) : Read(file, name);
    };
    const absl::StatusOr<DenseDocuments> floats = read("a");
    ASSERT_TRUE(floats.ok()) << floats.status();
    EXPECT_EQ(floats->num_documents(), 2);
    EXPECT_EQ(std::vector<float>(floats->values.begin(), floats->values.end()),
              (std::vector<float>{1, 2, 3, 4}));
    for (const absl::string_view name : {"half", "brain", "wide"}) {
      const absl::StatusOr<DenseDocuments> row = read(name);
      ASSERT_TRUE(row.ok()) << row.status();
      EXPECT_EQ(std::vector<float>(row->values.begin(), row->values.end()),
                (std::vector<float>{1, -2}));
    }
    ExpectError(read(""), "found several of two dimensions: a, half, brain, ");
    ExpectError(read("b"), "expected a tensor 'b', found a, half");
    ExpectError(read("count"), "[documents, dimensions], found []");
  }
}

TEST(SafetensorsTest, TellsTheRowsOfTheTensor) {
  const std::string path = absl::StrCat(testing::TempDir(), "/t.safetensors");
  std::ofstream(path, std::ios::binary)
      << File(absl::StrCat("{", Tensor("bias", "F32", "[1]", 0, 4), ",",
                           Tensor("rows", "F32", "[1,2]", 4, 12), "}"),
              Bytes<float>({9, 1, 2}));
  ToldRows<float> told;
  const absl::StatusOr<DenseDocuments> read =
      ReadSafetensors(path, "rows", nullptr, 1, told.Watch());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(told.ExpectParts(read->values, 1, 2), 2);
}

TEST(SafetensorsTest, PartsAreTheWhole) {
  const std::string path = absl::StrCat(testing::TempDir(), "/p.safetensors");
  std::ofstream(path, std::ios::binary) << File(
      absl::StrCat("{", Tensor("rows", "F32", "[3,1]", 4, 16), ",",
                   Tensor("halves", "F16", "[3,1]", 16, 22), "}"),
      Bytes<float>({9, 1, 2, 3}) + Bytes<uint16_t>({0x3C00, 0x4000, 0x4200}));
  for (const absl::string_view name : {"rows", "halves"}) {
    std::vector<float> all;
    for (int part = 0; part < 2; ++part) {
      const absl::StatusOr<DenseDocuments> read =
          ReadSafetensors(path, name, /*work=*/nullptr, /*num_threads=*/1,
                          /*watch=*/nullptr, RowShare{part, 2});
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(read->num_documents(), part + 1);
      all.insert(all.end(), read->values.begin(), read->values.end());
    }
    EXPECT_EQ(all, std::vector<float>({1, 2, 3}));
  }
}

TEST(SafetensorsTest, TheOnlyMatrixNeedsNoName) {
  const std::string header =
      absl::StrCat("{", Tensor("bias", "F32", "[1]", 0, 4), ",",
                   Tensor("rows", "F32", "[1,2]", 4, 12), "}");
  const absl::StatusOr<DenseDocuments> read =
      Read(File(header, Bytes<float>({9, 1, 2})));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->Row(0)[0], 1.0f);
}

TEST(SafetensorsTest, Errors) {
  const std::string four = Bytes<float>({1, 2, 3, 4});
  const auto one = [](const std::string& dtype, const std::string& shape,
                      int64_t begin, int64_t end) {
    return "{" + Tensor("a", dtype, shape, begin, end) + "}";
  };
  ExpectError(Read("short"), "expected a safetensors file");
  ExpectError(Read(File("", "")), "expected a safetensors file");
  ExpectError(Read("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F{"),
              "expected a safetensors file");
  ExpectError(Read(File("{}", "").substr(0, 9)), "rest of the header");
  ExpectError(Read(File("{}", "")), "a tensor of two dimensions, found none");
  ExpectError(Read(File("{\"a\":[]}", "")), "expected a JSON object");
  ExpectError(Read(File("{\"a\":{\"shape\":[-1,2]}}", "")), "expected a size");
  ExpectError(Read(File("{\"a\":{\"shape\":[1.5,2]}}", "")), "expected a size");
  ExpectError(Read(File(one("I8", "[2,2]", 0, 4), four)), "found 'I8'");
  ExpectError(Read(File(one("F32", "[2,2]", 0, 12), four)), "data_offsets");
  ExpectError(Read(File(one("F32", "[2,2]", 16, 0), four)), "data_offsets");
  ExpectError(Read(File("{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1]}}", four)),
              "data_offsets");
  ExpectError(Read(File(one("F32", "[4294967296,2]", 0, 16), four)),
              "found [4294967296, 2]");
  ExpectError(Read(File(one("F32", "[2147483647,2147483647]", 0, 16), four)),
              "data_offsets");
  ExpectError(Read(File(one("F32", "[2,2]", 4, 20), four)),
              "end of the file in document 1");
  ExpectError(Read(File(one("F32", "[2,2]", 1000000, 1000016), four)),
              "expected the tensor, found the end of the file");
  ExpectError(Read(File(one("F16", "[1,1]", 0, 2), std::string("\x00\x7C", 2))),
              "m.safetensors: document 0, dimension 0: expected a finite");
}

}  // namespace
}  // namespace warpclust
