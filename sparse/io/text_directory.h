// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Text directory: each file below a directory whose name ends in ".txt",
// ".txt.gz" or ".txt.zst", in either case, is a document. Its id is its path
// relative to the directory, with '/' between the parts. Documents are in
// ascending order of the bytes of their ids. There are no labels.
//
// Links to files are followed. Links to directories are not, since they may
// form circles; links to nothing are skipped. Ill-formed UTF-8 in texts and
// names becomes U+FFFD.
//
// Errors name the path: NotFound or InvalidArgument if there is no such
// directory or no document in it; PermissionDenied, also behind a link;
// DataLoss for a truncated file; InvalidArgument for a name with control
// characters; ResourceExhausted for a document above 1 GiB. Memory: the texts.

#ifndef WARPCLUST_SPARSE_IO_TEXT_DIRECTORY_H_
#define WARPCLUST_SPARSE_IO_TEXT_DIRECTORY_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/machine/work_share.h"
#include "sparse/io/text_documents.h"

namespace warpclust {

// `work`, unless null, counts the files. The threads (0: all cores) read files;
// of several errors, that of the first file counts.
absl::StatusOr<TextDocuments> ReadTextDirectory(absl::string_view path,
                                                WorkShare* work = nullptr,
                                                int num_threads = 0);

// Whether a file with this name or path is a document.
bool IsTextDocumentName(absl::string_view name);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_TEXT_DIRECTORY_H_
