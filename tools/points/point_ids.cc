// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/point_ids.h"

#include "absl/strings/str_cat.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "base/text/utf8.h"
#include "sparse/io/unique_ids.h"

namespace warpclust {

absl::Status PointIds::Add(absl::string_view file, int64_t line,
                           absl::string_view id) {
  RETURN_IF_ERROR(CheckDocumentId(file, line, id));
  // Readers of tables take such a line for a comment, or drop the mark.
  if (id[0] == '#' || StartsWithFileMark(id)) {
    return ExpectedInput(
        file, line, "an id that does not start with # or a byte order mark",
        id);
  }
  std::string text(id);
  RepairUtf8(&text);
  const int32_t next = ids_.size();
  if (files_.empty() || files_.back().name != file) {
    files_.push_back({std::string(file), next});
  }
  const int32_t number = ids_.Add(text);
  if (number < 0)
    return ExpectedInput(file, line, "at most 2^31 - 1 points", id);
  if (number == next) {
    line_of_id_.push_back(line);
    return absl::OkStatus();
  }
  std::string place = absl::StrCat("line ", line_of_id_[number]);
  if (number < files_.back().first) {
    // There is one other file: --input.
    absl::StrAppend(&place, " in ", files_.front().name);
  }
  return ExpectedInput(
      file, line, absl::StrCat("an id different from that of ", place), id);
}

std::function<absl::Status(absl::string_view, int64_t, absl::string_view)>
PointIds::Adder() {
  return [this](absl::string_view file, int64_t line, absl::string_view id) {
    return Add(file, line, id);
  };
}

int32_t PointIds::Find(absl::string_view id) const {
  std::string text(id);
  RepairUtf8(&text);
  return ids_.Find(text);
}

std::vector<std::string> PointIds::Of(absl::Span<const int32_t> numbers) const {
  if (numbers.empty()) return ids_.names();
  std::vector<std::string> result;
  result.reserve(numbers.size());
  for (const int32_t number : numbers) result.push_back(ids_.name(number));
  return result;
}

}  // namespace warpclust
