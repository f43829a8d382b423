// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// svmlight: reader and writer of the format of SVMlight and LIBSVM, one
// document per line:
//
//   label index:value index:value ...   # comment
//
// The label is any word without ':'; commas separate several ("3,7"). Indices
// are 1-based and ascending; index i is term i - 1. A line with only a label is
// a document without terms. Blank lines and comments are skipped, "qid:..." is
// ignored. Ids of documents are "0", "1", ... in the order of their lines.
//
// The reader is strict: a missing label or ':', an index that is not ascending
// or outside [1, 2^31 - 1], and a value that is negative, NaN or infinite are
// InvalidArgument "file:line: expected X, found Y". Zeros are dropped, but
// their indices count in num_terms, the largest index of the file. With
// `allow_negative`, values may be negative; such documents are not valid as
// DocumentMatrix, see DenseOfSparse (sparse/dense/dense_of_sparse.h). Cost:
// linear.

#ifndef WARPCLUST_SPARSE_IO_SVMLIGHT_H_
#define WARPCLUST_SPARSE_IO_SVMLIGHT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "sparse/matrix/labelled_documents.h"

namespace warpclust {

// Reads all documents of a file, "-" for standard input. Errors: as above, and
// those of LineReader.
absl::StatusOr<LabelledDocuments> ReadSvmLight(absl::string_view path,
                                               int num_threads = 0);
absl::StatusOr<LabelledDocuments> ReadSvmLight(LineReader& lines,
                                               int num_threads = 0,
                                               bool allow_negative = false);

// For streams: parses the line that `lines` returned last and appends it to
// `*documents`, with its labels in `*labels`. False if it was blank or a
// comment. An error leaves `*documents` unchanged.
absl::StatusOr<bool> AppendSvmLightRow(const LineReader& lines,
                                       absl::string_view line,
                                       DocumentMatrix* documents,
                                       std::vector<std::string>* labels,
                                       bool allow_negative = false);

// Writes documents by TextWriter. Values read back as the same floats: integers
// have no point, others up to nine digits. `labels` is empty or has one list
// per document; a document without labels gets "0". Ids are not part of the
// format. InvalidArgument for invalid documents, another number of lists, a
// label that is empty or holds blanks, control characters, ':', ',' or '#', or
// a first label with a byte order mark.
absl::Status WriteSvmLight(const DocumentMatrix& documents,
                           const std::vector<std::vector<std::string>>& labels,
                           absl::string_view path);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_SVMLIGHT_H_
