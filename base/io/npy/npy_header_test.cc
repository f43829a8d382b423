// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/npy/npy_header.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/byte_reader.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(NpyHeaderTest, WhatNumpyWrites) {
  const absl::StatusOr<NpyHeader> header = ParseNpyHeader(
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1000, 3), }       "
      "           \n");
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_EQ(header->descr, "<f8");
  EXPECT_FALSE(header->fortran_order);
  EXPECT_EQ(header->shape, (std::vector<int64_t>{1000, 3}));
}

TEST(NpyHeaderTest, OtherSpellingsOfTheSame) {
  const absl::StatusOr<NpyHeader> header = ParseNpyHeader(
      "{\"shape\":( 7 ,),'fortran_order':True,\n\"descr\" : \"|u1\"}");
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_EQ(header->descr, "|u1");
  EXPECT_TRUE(header->fortran_order);
  EXPECT_EQ(header->shape, std::vector<int64_t>{7});
  const absl::StatusOr<NpyHeader> scalar =
      ParseNpyHeader("{'descr': '<f8', 'fortran_order': False, 'shape': (), }");
  ASSERT_TRUE(scalar.ok()) << scalar.status();
  EXPECT_TRUE(scalar->shape.empty());
  EXPECT_TRUE(ParseNpyHeader("{'descr': '<f8', 'fortran_order': False, "
                             "'shape': (1, 2, 3,)}")
                  .ok());
}

TEST(NpyHeaderTest, Errors) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"", "expected '{' in the header, found nothing"},
      {"[1]", "expected '{' in the header, found '[1]'"},
      {"{}",
       "expected 'descr', 'fortran_order' and 'shape' in the header, found no "
       "'descr'"},
      {"{'descr': '<f8', 'fortran_order': False}",
       "expected 'descr', 'fortran_order' and 'shape' in the header, found no "
       "'shape'"},
      {"{'descr': '<f8', 'descr': '<f8'}",
       "expected 'descr', 'fortran_order' and 'shape' once each in the header, "
       "found 'descr'"},
      {"{'order': 1}",
       "expected 'descr', 'fortran_order' and 'shape' once each in the header, "
       "found 'order'"},
      {"{descr: '<f8'}",
       "expected a key or '}' in the header, found 'descr: \\'<f8\\'}'"},
      {"{'descr", "expected a key or '}' in the header, found '\\'descr'"},
      {"{'descr' '<f8'}", "expected ':' in the header, found '\\'<f8\\'}'"},
      {"{'descr': <f8}",
       "expected a type like '<f8' in the header, found '<f8}'"},
      {"{'descr': '<\\x668'}",
       "expected a type like '<f8' in the header, found "
       "'\\'<\\\\x668\\'}'"},
      {"{'descr': [('x', '<f8')]}",
       "expected an array of numbers, found an array of records"},
      {"{'fortran_order': 0}",
       "expected True or False in the header, found '0}'"},
      {"{'shape': 3}",
       "expected a shape like (1000, 3) in the header, found '3}'"},
      {"{'shape': (3)}", "expected ',' in the header, found ')}'"},
      {"{'shape': (3 4)}", "expected ',' in the header, found '4)}'"},
      {"{'shape': (3, 4", "expected ',' or ')' in the header, found nothing"},
      {"{'shape': (-3,)}",
       "expected a size or ')' in the header, found '-3,)}'"},
      {"{'shape': (,)}", "expected a size or ')' in the header, found ',)}'"},
      {"{'shape': (3L, 4L)}", "expected ',' in the header, found 'L, 4L)}'"},
      {"{'shape': (1000000000000000000,)}",
       "expected a size or ')' in the header, found "
       "'1000000000000000000,)}'"},
      {"{'shape': (3,) 'descr': '<f8'}",
       "expected ',' or '}' in the header, found '\\'descr\\': \\'<f8\\'}'"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} x",
       "expected nothing after '}' in the header, found 'x'"},
  };
  for (const auto& c : cases) {
    const absl::Status status = ParseNpyHeader(c.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_EQ(status.message(), absl::string_view(c.message)) << c.text;
  }
}

TEST(NpyHeaderTest, ReadsWhatIsWritten) {
  const std::string start = NpyStart("<f4", {1000, 384});
  EXPECT_EQ(start.size() % 64, 0);
  EXPECT_TRUE(IsNpy(start));
  EXPECT_FALSE(IsNpy("1,2\n3,4\n"));
  EXPECT_FALSE(IsNpy(""));
  ByteReader bytes = ByteReader::FromString(start + "rest", "a.npy");
  const absl::StatusOr<NpyHeader> header = ReadNpyHeader(bytes);
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_EQ(header->descr, "<f4");
  EXPECT_FALSE(header->fortran_order);
  EXPECT_EQ(header->shape, (std::vector<int64_t>{1000, 384}));
  EXPECT_EQ(header->data_offset, static_cast<int64_t>(start.size()));
}

}  // namespace
}  // namespace warpclust
