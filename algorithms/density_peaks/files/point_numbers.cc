// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/files/point_numbers.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/io/line_reader.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<std::vector<int32_t>> ReadPointNumbers(absl::string_view path,
                                                      int64_t num_points) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  std::vector<int32_t> ids;
  std::vector<bool> seen(num_points, false);
  absl::string_view line;
  while (lines.Next(&line)) {
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#') continue;
    const absl::string_view field =
        absl::StripAsciiWhitespace(line.substr(0, line.find('\t')));
    int32_t id = 0;
    if (!absl::SimpleAtoi(field, &id) || id < 0 || id >= num_points) {
      return lines.Expected(
          absl::StrCat("the number of a point, from 0 to ", num_points - 1),
          field);
    }
    if (seen[id]) {
      return lines.Expected("each point once", field);
    }
    seen[id] = true;
    ids.push_back(id);
  }
  RETURN_IF_ERROR(lines.status());
  return ids;
}

}  // namespace warpclust
