// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/io/dense_npy.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/lines/line_reader.h"
#include "base/io/npy/npy_header.h"
#include "base/status/status_macros.h"
#include "sparse/dense/io/dense_elements.h"

namespace warpclust {
namespace {

absl::StatusOr<ElementType> FindType(absl::string_view descr) {
  if (descr == "<f2") return ElementType::kFloat16;
  if (descr == "<f4") return ElementType::kFloat32;
  if (descr == "<f8") return ElementType::kFloat64;
  return absl::InvalidArgumentError(
      absl::StrCat("expected elements of type <f2, <f4 or <f8, found ",
                   QuoteInput(descr), ": save vectors.astype('<f4')"));
}

// `path`: where `bytes` come from, if it may be mapped.
absl::StatusOr<DenseDocuments> Read(ByteReader& bytes, absl::string_view path,
                                    int num_threads,
                                    const RowWatch<float>& watch,
                                    const RowShare& share) {
  ASSIGN_OR_RETURN(const NpyHeader header, ReadNpyHeader(bytes));
  ASSIGN_OR_RETURN(const ElementType type, FindType(header.descr));
  if (header.fortran_order) {
    return absl::InvalidArgumentError(
        "expected fortran_order False, found True: save "
        "numpy.ascontiguousarray(vectors)");
  }
  const std::string found = FormatNpyShape(header.shape);
  if (header.shape.size() != 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected an array of shape (documents, dimensions), found ", found));
  }
  const DenseShape shape = {header.shape[0], header.shape[1]};
  RETURN_IF_ERROR(CheckDenseShape(shape, found));
  if (type == ElementType::kFloat32 && path != "-") {
    absl::StatusOr<DenseDocuments> mapped =
        MapDenseElements(path, kNpyMagic, header.data_offset, shape, share,
                         /*is_last=*/true, num_threads, watch);
    if (!absl::IsOutOfRange(mapped.status())) return mapped;
  }
  ASSIGN_OR_RETURN(
      DenseDocuments documents,
      ReadDenseElements(bytes, type, shape, share, num_threads, watch));
  if (!share.is_last()) return documents;
  char extra;
  ASSIGN_OR_RETURN(const int64_t more, bytes.Read(&extra, 1));
  if (more == 0) return documents;
  return absl::InvalidArgumentError(absl::StrCat(
      "expected the end of the file after ", found, " elements, found more"));
}

absl::StatusOr<DenseDocuments> ReadNamed(ByteReader& bytes,
                                         absl::string_view path,
                                         int num_threads,
                                         const RowWatch<float>& watch,
                                         const RowShare& share) {
  absl::StatusOr<DenseDocuments> documents =
      Read(bytes, path, num_threads, watch, share);
  if (documents.ok()) return documents;
  return absl::Status(
      documents.status().code(),
      absl::StrCat(bytes.name(), ": ", documents.status().message()));
}

}  // namespace

absl::StatusOr<DenseDocuments> ReadDenseNpy(absl::string_view path,
                                            WorkShare* work, int num_threads,
                                            const RowWatch<float>& watch,
                                            const RowShare& share) {
  ASSIGN_OR_RETURN(ByteReader bytes, ByteReader::Open(path, work));
  return ReadNamed(bytes, path, num_threads, watch, share);
}

absl::StatusOr<DenseDocuments> ReadDenseNpy(ByteReader& bytes,
                                            int num_threads) {
  return ReadNamed(bytes, "-", num_threads, /*watch=*/nullptr, RowShare());
}

}  // namespace warpclust
