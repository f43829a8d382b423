// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/unique_ids.h"

#include "absl/strings/str_cat.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "base/text/utf8.h"

namespace warpclust {

absl::Status CheckDocumentId(absl::string_view name, int64_t line,
                             absl::string_view id) {
  if (id.empty() || HasControlCharacter(id)) {
    return ExpectedInput(name, line,
                         "a non-empty id without control characters", id);
  }
  return absl::OkStatus();
}

absl::Status UniqueIds::Add(absl::string_view name, int64_t line,
                            absl::string_view id) {
  RETURN_IF_ERROR(CheckDocumentId(name, line, id));
  if (ids_.size() == INT32_MAX) {
    return ExpectedInput(name, line, "at most 2^31 - 1 documents", id);
  }
  const int32_t next = ids_.size();
  const int32_t number = ids_.Add(id);
  if (number != next) {
    return ExpectedInput(
        name, line,
        absl::StrCat("an id different from that of line ", line_of_id_[number]),
        id);
  }
  line_of_id_.push_back(line);
  return absl::OkStatus();
}

}  // namespace warpclust
