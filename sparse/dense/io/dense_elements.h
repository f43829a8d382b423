// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The elements of dense documents in binary files: floats of several widths,
// least significant byte first, document by document.

#ifndef WARPCLUST_SPARSE_DENSE_IO_DENSE_ELEMENTS_H_
#define WARPCLUST_SPARSE_DENSE_IO_DENSE_ELEMENTS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/io/byte_reader.h"
#include "base/io/row_share.h"
#include "base/io/row_watch.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

enum class ElementType { kUint8, kFloat16, kBfloat16, kFloat32, kFloat64 };

int64_t ElementBytes(ElementType type);

// Writes the elements in `bytes` to `values`, each rounded to the nearest
// float.
void ConvertElements(ElementType type, absl::string_view bytes, float* values);

// Checks that `values`, which begin with element `first` of a matrix of rows of
// `num_dimensions`, are finite. InvalidArgument naming document and dimension
// from 0.
absl::Status CheckElements(absl::Span<const float> values,
                           int64_t num_dimensions, int64_t first);

// A matrix in a file.
struct DenseShape {
  int64_t num_documents = 0;
  int64_t num_dimensions = 0;
};

// InvalidArgument "expected ..., found `found`" unless both fit in 31 bits and
// there are dimensions, or no documents.
absl::Status CheckDenseShape(const DenseShape& shape, absl::string_view found);

// Reads `share` of a matrix of legal shape; plain files on `num_threads`
// threads (0: all cores). The size is not trusted: memory grows with what is
// read, unless the file is long enough. Errors are those of CheckElements, of
// ByteReader, and of a file that ends before. `watch` is told the rows of the
// share, as if they were the matrix.
absl::StatusOr<DenseDocuments> ReadDenseElements(
    ByteReader& bytes, ElementType type, const DenseShape& shape,
    const RowShare& share, int num_threads, const RowWatch<float>& watch);

// Of the float32 matrix at `offset` of the file at `path`, the rows of `share`,
// mapped into memory. The file begins with `start`, unless it is compressed.
// OutOfRange if it cannot be mapped: a pipe, a compressed file, an offset that
// is not a multiple of 4, no rows. InvalidArgument if the file is shorter,
// before any page is read, or, with `is_last`, longer, and as CheckElements.
// The file must keep its length as long as the documents exist. `watch` as
// above.
absl::StatusOr<DenseDocuments> MapDenseElements(
    absl::string_view path, absl::string_view start, int64_t offset,
    const DenseShape& shape, const RowShare& share, bool is_last,
    int num_threads, const RowWatch<float>& watch);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_DENSE_IO_DENSE_ELEMENTS_H_
