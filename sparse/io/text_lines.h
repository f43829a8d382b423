// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Text lines: one document per line. Ids are the numbers of lines, from 0; a
// blank line is an empty document. There are no labels. Ill-formed UTF-8
// becomes U+FFFD. Errors: those of LineReader. Cost: linear.

#ifndef WARPCLUST_SPARSE_IO_TEXT_LINES_H_
#define WARPCLUST_SPARSE_IO_TEXT_LINES_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "sparse/io/text_documents.h"

namespace warpclust {

// Reads all lines of a file, "-" for standard input.
absl::StatusOr<TextDocuments> ReadTextLines(absl::string_view path,
                                            int num_threads = 0);
absl::StatusOr<TextDocuments> ReadTextLines(LineReader& lines,
                                            int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_TEXT_LINES_H_
