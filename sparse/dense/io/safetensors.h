// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Dense documents from a safetensors file: a tensor of shape [documents,
// dimensions] and type F16, BF16, F32 or F64.
//
//   ASSIGN_OR_RETURN(const DenseDocuments documents,
//                    ReadSafetensors("model.safetensors", "embeddings"));
//
// The file is the length of its header, 64 bits; the header, a JSON object of
// {"dtype", "shape", "data_offsets"} by name; and the elements. A plain file of
// F32 is mapped into memory, not copied: it must keep its length while the
// documents exist.
//
// Errors: InvalidArgument "file: expected X, found Y" for a header that is not
// as above, a tensor that is not there or not two-dimensional, other types,
// offsets that do not match the shape, a file that ends before, and values that
// are not finite, with document and dimension from 0; those of ByteReader.
// Cost: linear. Memory: the header, at most 100 MB, and the documents.

#ifndef WARPCLUST_SPARSE_DENSE_IO_SAFETENSORS_H_
#define WARPCLUST_SPARSE_DENSE_IO_SAFETENSORS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/byte_reader.h"
#include "base/io/row_share.h"
#include "base/io/row_watch.h"
#include "base/machine/work_share.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

// Whether the inflated bytes `head` may start a safetensors file.
bool IsSafetensors(absl::string_view head);

// Reads the tensor `name`; if that is empty, the only one with two dimensions.
// A plain or gzip'ed file; "-" is standard input. `work` as in
// ByteReader::Open; `num_threads` 0 means all cores; `watch` is told the rows.
// Only the rows of `share` are kept and checked, and none after them read.
absl::StatusOr<DenseDocuments> ReadSafetensors(
    absl::string_view path, absl::string_view name, WorkShare* work = nullptr,
    int num_threads = 0, const RowWatch<float>& watch = nullptr,
    const RowShare& share = {});
absl::StatusOr<DenseDocuments> ReadSafetensors(ByteReader& bytes,
                                               absl::string_view name,
                                               int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_DENSE_IO_SAFETENSORS_H_
