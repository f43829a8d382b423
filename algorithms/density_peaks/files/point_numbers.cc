// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/files/point_numbers.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

absl::StatusOr<std::vector<int32_t>> ReadPoints(
    absl::string_view path, int64_t num_points, absl::string_view expected,
    absl::FunctionRef<int32_t(absl::string_view)> find) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  std::vector<int32_t> points;
  std::vector<bool> seen(num_points, false);
  absl::string_view line;
  while (lines.Next(&line)) {
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#') continue;
    const absl::string_view field =
        absl::StripAsciiWhitespace(line.substr(0, line.find('\t')));
    const int32_t point = find(field);
    if (point < 0 || point >= num_points) {
      return lines.Expected(expected, field);
    }
    if (seen[point]) return lines.Expected("each point once", field);
    seen[point] = true;
    points.push_back(point);
  }
  RETURN_IF_ERROR(lines.status());
  return points;
}

}  // namespace

absl::StatusOr<std::vector<int32_t>> ReadPointNumbers(absl::string_view path,
                                                      int64_t num_points) {
  return ReadPoints(
      path, num_points,
      absl::StrCat("the number of a point, from 0 to ", num_points - 1),
      [](absl::string_view field) {
        int32_t number = 0;
        return absl::SimpleAtoi(field, &number) ? number : -1;
      });
}

absl::StatusOr<std::vector<int32_t>> ReadPointIds(
    absl::string_view path, int64_t num_points,
    absl::FunctionRef<int32_t(absl::string_view)> find) {
  return ReadPoints(path, num_points, "the id of a point", find);
}

}  // namespace warpclust
