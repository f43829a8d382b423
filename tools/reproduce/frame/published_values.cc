// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "tools/reproduce/frame/report.h"

namespace warpclust {

absl::StatusOr<std::vector<PublishedValue>> ParsePublishedValues(
    absl::string_view text, absl::string_view name) {
  std::vector<PublishedValue> values;
  std::set<std::vector<std::string>> seen;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> fields = absl::StrSplit(line, '\t');
    PublishedValue value;
    if (fields.size() != 7 || !absl::SimpleAtod(fields[5], &value.value)) {
      return absl::InvalidArgumentError(absl::StrCat(
          name, ":", number,
          ": expected exhibit, part, row, column, unit, value and place, "
          "separated by tabs, found \"",
          line, "\""));
    }
    value.exhibit = fields[0];
    value.part = fields[1];
    value.row = fields[2];
    value.column = fields[3];
    value.unit = fields[4];
    value.place = fields[6];
    if (!seen.insert({fields[0], fields[1], fields[2], fields[3]}).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          name, ":", number, ": expected each value once, found \"", line,
          "\" again"));
    }
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace warpclust
