// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/io/npy/npy_header.h"
#include "gtest/gtest.h"
#include "tools/input/input_format.h"

namespace warpclust {
namespace {

absl::optional<InputFormat> Detect(const std::string& name,
                                   const std::string& content,
                                   const std::string& field = "embedding",
                                   std::vector<std::string>* notes = nullptr) {
  const std::string path = absl::StrCat(testing::TempDir(), "/", name);
  std::ofstream(path, std::ios::binary) << content;
  const absl::StatusOr<absl::optional<InputFormat>> format =
      DetectDenseFormat(path, field, [&](absl::string_view note) {
        if (notes != nullptr) notes->emplace_back(note);
      });
  EXPECT_TRUE(format.ok()) << format.status();
  return format.ok() ? *format : absl::nullopt;
}

TEST(DetectDenseFormatTest, NamesAndContents) {
  EXPECT_EQ(Detect("a.NPY.gz", ""), InputFormat::kNpy);
  EXPECT_EQ(Detect("a.fvecs", ""), InputFormat::kFvecs);
  EXPECT_EQ(Detect("a.bvecs", ""), InputFormat::kBvecs);
  EXPECT_EQ(Detect("a.safetensors", ""), InputFormat::kSafetensors);
  EXPECT_EQ(Detect("a", NpyStart("<f4", {1, 1})), InputFormat::kNpy);
  EXPECT_EQ(Detect("b", std::string("\2\0\0\0\0\0\0\0{}", 10)),
            InputFormat::kSafetensors);
  EXPECT_EQ(Detect("a.svm", "1 1:2\n"), absl::nullopt);
  EXPECT_EQ(Detect("c", "words of a text\n"), absl::nullopt);
  EXPECT_EQ(Detect("d", ""), absl::nullopt);
  const absl::StatusOr<absl::optional<InputFormat>> directory =
      DetectDenseFormat(testing::TempDir(), "embedding");
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_EQ(*directory, absl::nullopt);
  EXPECT_EQ(DetectDenseFormat("no/such", "embedding").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(DetectDenseFormatTest, JsonLinesWithVectorsButNoTexts) {
  std::vector<std::string> notes;
  EXPECT_EQ(Detect("v.jsonl", R"({"id": 1, "embedding": [1, 2]})", "embedding",
                   &notes),
            InputFormat::kJsonVectors);
  ASSERT_EQ(notes.size(), 1);
  EXPECT_NE(notes[0].find("read as JSON Lines with vectors (its first object "
                          "has an array embedding"),
            std::string::npos)
      << notes[0];
  EXPECT_EQ(Detect("w.json", "[\n{\"embedding\": [1,\n 2]}\n]"),
            InputFormat::kJsonVectors);
  EXPECT_EQ(Detect("x", R"({"embedding": [1, 2], "text": "t"})"),
            absl::nullopt);
  EXPECT_EQ(Detect("x", R"({"text": "t", "v": [1, 2]})", "v"),
            InputFormat::kJsonVectors);
  EXPECT_EQ(Detect("x", R"({"embedding": "1 2"})"), absl::nullopt);
  EXPECT_EQ(Detect("x", R"({"v": {"embedding": [1]}})"), absl::nullopt);
  EXPECT_EQ(Detect("x", R"({"embedding": [1, 2)"), absl::nullopt);
}

}  // namespace
}  // namespace warpclust
