// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Readers of files with one document id per line: names for documents that have
// none, such as vectors, or a selection of documents.

#ifndef WARPCLUST_SPARSE_IO_ID_LISTS_H_
#define WARPCLUST_SPARSE_IO_ID_LISTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// One name per line, for `num_documents` documents. InvalidArgument naming the
// line of a repeated or illegal name (sparse/io/unique_ids.h), or the file if
// it has more or fewer lines.
absl::StatusOr<std::vector<std::string>> ReadIds(absl::string_view path,
                                                 int64_t num_documents);

// The ids of a file and their line numbers; empty lines are skipped.
// InvalidArgument naming the line of a repeated or illegal id.
struct IdList {
  std::vector<std::string> ids;
  std::vector<int64_t> lines;
};
absl::StatusOr<IdList> ReadIdList(absl::string_view path);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_ID_LISTS_H_
