// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/id_lists.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "sparse/io/unique_ids.h"

namespace warpclust {
namespace {

absl::StatusOr<IdList> ReadLines(absl::string_view path, bool skip_empty) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  IdList list;
  UniqueIds unique;
  absl::string_view line;
  while (lines.Next(&line)) {
    if (skip_empty && line.empty()) continue;
    RETURN_IF_ERROR(unique.Add(lines.name(), lines.line_number(), line));
    list.ids.emplace_back(line);
    list.lines.push_back(lines.line_number());
  }
  if (!lines.status().ok()) return lines.status();
  return list;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ReadIds(absl::string_view path,
                                                 int64_t num_documents) {
  ASSIGN_OR_RETURN(IdList list, ReadLines(path, /*skip_empty=*/false));
  if (static_cast<int64_t>(list.ids.size()) != num_documents) {
    return absl::InvalidArgumentError(
        absl::StrCat(InputName(path), ": expected ", num_documents,
                     " lines, one for each document, found ", list.ids.size()));
  }
  return std::move(list.ids);
}

absl::StatusOr<IdList> ReadIdList(absl::string_view path) {
  return ReadLines(path, /*skip_empty=*/true);
}

}  // namespace warpclust
