// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Dense documents from a NumPy array file (numpy.save): shape (documents,
// dimensions), elements <f2, <f4 or <f8, in C order.
//
//   ASSIGN_OR_RETURN(const DenseDocuments documents,
//                    ReadDenseNpy("vectors.npy"));
//
// A plain file of <f4 is mapped into memory, not copied: it must keep its
// length while the documents exist. Other elements are rounded to the nearest
// float.
//
// Errors: InvalidArgument "file: expected X, found Y" for other elements, big
// endian, Fortran order, other shapes, files that are too short or too long,
// and values that are not finite, with document and dimension from 0; those of
// ByteReader. Cost: linear; all threads read plain files.

#ifndef WARPCLUST_SPARSE_DENSE_IO_DENSE_NPY_H_
#define WARPCLUST_SPARSE_DENSE_IO_DENSE_NPY_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/byte_reader.h"
#include "base/io/row_share.h"
#include "base/io/row_watch.h"
#include "base/machine/work_share.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

// A plain or gzip'ed file; "-" is standard input. `work` as in
// ByteReader::Open; `num_threads` 0 means all cores; `watch` is told the rows.
// Only the rows of `share` are kept and checked, and what comes after them is
// not read, except by the last share.
absl::StatusOr<DenseDocuments> ReadDenseNpy(
    absl::string_view path, WorkShare* work = nullptr, int num_threads = 0,
    const RowWatch<float>& watch = nullptr, const RowShare& share = {});
absl::StatusOr<DenseDocuments> ReadDenseNpy(ByteReader& bytes,
                                            int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_DENSE_IO_DENSE_NPY_H_
