// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/point_ids.h"

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "base/text/utf8.h"
#include "sparse/io/unique_ids.h"

namespace warpclust {

absl::Status PointIds::Add(const LineReader& lines, absl::string_view id) {
  RETURN_IF_ERROR(CheckDocumentId(lines.name(), lines.line_number(), id));
  // Readers of tables take such a line for a comment, or drop the mark.
  if (id[0] == '#' || StartsWithFileMark(id)) {
    return lines.Expected(
        "an id that does not start with # or a byte order mark", id);
  }
  std::string text(id);
  RepairUtf8(&text);
  const int32_t next = ids_.size();
  if (files_.empty() || files_.back().name != lines.name()) {
    files_.push_back({lines.name(), next});
  }
  const int32_t number = ids_.Add(text);
  if (number < 0) return lines.Expected("at most 2^31 - 1 points", id);
  if (number == next) {
    line_of_id_.push_back(lines.line_number());
    return absl::OkStatus();
  }
  std::string place = absl::StrCat("line ", line_of_id_[number]);
  if (number < files_.back().first) {
    // There is one other file: --input.
    absl::StrAppend(&place, " in ", files_.front().name);
  }
  return lines.Expected(absl::StrCat("an id different from that of ", place),
                        id);
}

std::function<absl::Status(const LineReader&, absl::string_view)>
PointIds::Adder() {
  return [this](const LineReader& lines, absl::string_view id) {
    return Add(lines, id);
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
