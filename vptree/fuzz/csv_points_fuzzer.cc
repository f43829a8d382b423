// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as CSV points: what is read is valid, and is read back to the bit
// from any spelling that says as much.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "base/io/line_reader.h"
#include "vptree/io/csv_points.h"
#include "vptree/points/point_matrix.h"

namespace {

absl::StatusOr<warpclust::PointMatrix> Read(std::string text) {
  warpclust::LineReader lines =
      warpclust::LineReader::FromString(std::move(text));
  return warpclust::ReadCsvPoints(lines);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::StatusOr<warpclust::PointMatrix> read =
      Read(std::string(reinterpret_cast<const char*>(data), size));
  if (!read.ok()) return 0;
  if (read->num_points < 1 || !read->Validate().ok()) std::abort();
  for (const auto& [separator, quote] :
       {std::pair(',', ""), std::pair(';', ""), std::pair('\t', ""),
        std::pair(' ', ""), std::pair(',', "\""), std::pair(' ', "\"")}) {
    std::string text = "# again\n";
    for (int32_t point = 0; point < read->num_points; ++point) {
      for (int32_t k = 0; k < read->num_dimensions; ++k) {
        if (k > 0) text += separator;
        absl::StrAppendFormat(&text, "%s%.17g%s", quote, read->Row(point)[k],
                              quote);
      }
      text += '\n';
    }
    const absl::StatusOr<warpclust::PointMatrix> again = Read(std::move(text));
    if (!again.ok() || again->num_points != read->num_points ||
        again->num_dimensions != read->num_dimensions ||
        std::memcmp(again->values.data(), read->values.data(),
                    read->values.size() * sizeof(double)) != 0) {
      std::abort();
    }
  }
  return 0;
}
