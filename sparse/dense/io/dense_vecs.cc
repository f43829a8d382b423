// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/io/dense_vecs.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/numbers/little_endian.h"
#include "base/status/status_macros.h"
#include "sparse/dense/io/dense_elements.h"

namespace warpclust {
namespace {

constexpr int64_t kMostDimensions = int64_t{1} << 20;
// Values that are told together: 4 MB.
constexpr int64_t kToldValues = int64_t{1} << 20;

absl::StatusOr<DenseDocuments> Read(ByteReader& bytes, ElementType type,
                                    const RowWatch<float>& watch) {
  std::vector<float> values;
  std::string row;
  int64_t dimensions = 0;  // Of the first document.
  int64_t told = 0;        // Values.
  for (int64_t document = 0;; ++document) {
    const auto expected = [&](absl::string_view what, absl::string_view found) {
      return absl::InvalidArgumentError(absl::StrCat(
          "document ", document, ": expected ", what, ", found ", found));
    };
    char size[4];
    ASSIGN_OR_RETURN(const int64_t size_bytes,
                     ReadUpTo(bytes, size, sizeof(size)));
    if (size_bytes == 0) {
      return MakeDenseDocuments(std::move(values),
                                static_cast<int32_t>(document));
    }
    if (size_bytes < 4) {
      return expected("a number of dimensions", "the end of the file");
    }
    if (document == std::numeric_limits<int32_t>::max()) {
      return expected("at most 2147483647 documents", "more");
    }
    const auto found = static_cast<int32_t>(LoadLittle32(size));
    if (document == 0) dimensions = found;
    if (found < 1 || found > kMostDimensions) {
      return expected("from 1 to 1048576 dimensions", absl::StrCat(found));
    }
    if (found != dimensions) {
      return expected(
          absl::StrCat(dimensions, " dimensions, as the first document has"),
          absl::StrCat(found));
    }
    row.resize(dimensions * ElementBytes(type));
    ASSIGN_OR_RETURN(
        const int64_t count,
        ReadUpTo(bytes, row.data(), static_cast<int64_t>(row.size())));
    if (count < static_cast<int64_t>(row.size())) {
      return expected(absl::StrCat(dimensions, " elements"),
                      "the end of the file");
    }
    values.resize(values.size() + dimensions);
    float* const to = values.data() + document * dimensions;
    ConvertElements(type, row, to);
    RETURN_IF_ERROR(CheckElements({to, static_cast<size_t>(dimensions)},
                                  dimensions, document * dimensions));
    const auto untold = static_cast<int64_t>(values.size()) - told;
    if (watch && untold >= kToldValues) {
      watch({/*num_rows=*/0, dimensions, told,
             absl::MakeConstSpan(values).subspan(told)});
      told += untold;
    }
  }
}

absl::StatusOr<DenseDocuments> ReadNamed(ByteReader& bytes, ElementType type,
                                         const RowWatch<float>& watch) {
  absl::StatusOr<DenseDocuments> documents = Read(bytes, type, watch);
  if (documents.ok()) return documents;
  return absl::Status(
      documents.status().code(),
      absl::StrCat(bytes.name(), ": ", documents.status().message()));
}

}  // namespace

absl::StatusOr<DenseDocuments> ReadFvecs(ByteReader& bytes,
                                         const RowWatch<float>& watch) {
  return ReadNamed(bytes, ElementType::kFloat32, watch);
}

absl::StatusOr<DenseDocuments> ReadBvecs(ByteReader& bytes,
                                         const RowWatch<float>& watch) {
  return ReadNamed(bytes, ElementType::kUint8, watch);
}

}  // namespace warpclust
