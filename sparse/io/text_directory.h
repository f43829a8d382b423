// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Text directory: every file below a directory whose name ends in ".txt" or
// ".txt.gz", in capitals or not, is a document, called by its path relative to
// the directory, with '/' between the parts. Documents come in ascending order
// of the bytes of their ids. No labels.
//
// Links to files are followed, links to directories are not (they may form
// circles), links that lead nowhere are passed over. Ill-formed UTF-8 in texts
// and names becomes U+FFFD.
//
// Errors name the path: NotFound or InvalidArgument if there is no such
// directory or no document in it, PermissionDenied (also for what a link leads
// to), DataLoss for a truncated gzip, InvalidArgument for a name with control
// characters, ResourceExhausted for a document above 1 GiB. Cost: one read of
// the files. Memory: the texts. Thread-safety: pure function.

#ifndef WARPCLUST_SPARSE_IO_TEXT_DIRECTORY_H_
#define WARPCLUST_SPARSE_IO_TEXT_DIRECTORY_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "sparse/io/text_documents.h"

namespace warpclust {

absl::StatusOr<TextDocuments> ReadTextDirectory(absl::string_view path);

// Whether a file of that name is a document: a name, or a path that ends in it.
bool IsTextDocumentName(absl::string_view name);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_TEXT_DIRECTORY_H_
