// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// svmlight: reader and writer of the format of SVMlight and LIBSVM, one
// document a line:
//
//   label index:value index:value ...   # comment
//
// The label is any word without ':'; commas separate several ("3,7"). Indices
// are 1-based and ascending; index i is term i - 1. A line with a label only is
// a document without terms. Blank lines and comments are skipped, "qid:..." is
// ignored. Documents are called "0", "1", ... in the order of their lines.
//
// Stricter than most readers: a missing label or ':', an index that is zero,
// negative, not ascending, repeated or above 2^31 - 1, and a value that is
// negative, NaN or infinite are InvalidArgument "file:line: expected X, found
// Y". Zero values are dropped; their indices still count in num_terms, which is
// the largest index of the file.
//
// Cost: about that of inflate for a gzip'ed file. Thread-safety: pure.

#ifndef WARPCLUST_SPARSE_IO_SVMLIGHT_H_
#define WARPCLUST_SPARSE_IO_SVMLIGHT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/line_reader.h"
#include "sparse/matrix/labelled_documents.h"

namespace warpclust {

// Reads all documents of a file, "-" for standard input. The errors above, and
// those of LineReader.
absl::StatusOr<LabelledDocuments> ReadSvmLight(absl::string_view path);
absl::StatusOr<LabelledDocuments> ReadSvmLight(LineReader& lines);

// For streams: parses the line that `lines` returned last. True if it was a
// document, now the last row of `*documents`, with its labels in `*labels`;
// false if it was blank or a comment. An error leaves `*documents` unchanged.
absl::StatusOr<bool> AppendSvmLightRow(const LineReader& lines,
                                       absl::string_view line,
                                       DocumentMatrix* documents,
                                       std::vector<std::string>* labels);

// Writes documents as TextWriter does. Values are written so that they read
// back to the same float: integers without a point, all else with up to nine
// digits. A document without labels gets "0". Ids are not part of the format.
// `labels` is empty or holds a list a document. InvalidArgument if the
// documents are not valid, there are not as many lists, or if a label is empty
// or holds blanks, control characters, ':', ',' or '#', or the first one
// starts with a byte order mark.
absl::Status WriteSvmLight(const DocumentMatrix& documents,
                           const std::vector<std::vector<std::string>>& labels,
                           absl::string_view path);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_SVMLIGHT_H_
