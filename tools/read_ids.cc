// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/read_ids.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sparse/line_reader.h"
#include "sparse/unique_ids.h"

namespace warpclust {

absl::StatusOr<std::vector<std::string>> ReadIds(absl::string_view path,
                                                 int64_t num_documents) {
  absl::StatusOr<LineReader> lines = LineReader::Open(path);
  if (!lines.ok()) return lines.status();
  std::vector<std::string> ids;
  UniqueIds unique;
  absl::string_view line;
  while (lines->Next(&line)) {
    absl::Status status = unique.Add(*lines, line);
    if (!status.ok()) return status;
    ids.emplace_back(line);
  }
  if (!lines->status().ok()) return lines->status();
  if (static_cast<int64_t>(ids.size()) != num_documents) {
    return absl::InvalidArgumentError(
        absl::StrCat(lines->name(), ": expected ", num_documents,
                     " lines, one for each document, found ", ids.size()));
  }
  return ids;
}

}  // namespace warpclust
