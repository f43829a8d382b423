// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as CSV points: what is read is valid, and is read back to the bit
// from any spelling that says as much. Blocks read by two threads give the same
// as one thread.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "base/io/lines/line_reader.h"
#include "vptree/io/csv_points.h"
#include "vptree/points/point_matrix.h"

namespace {

absl::StatusOr<warpclust::PointMatrix> Read(std::string text, int threads = 1,
                                            int64_t block_bytes = 1 << 19) {
  warpclust::LineReader lines =
      warpclust::LineReader::FromString(std::move(text));
  lines.SetBlockBytes(block_bytes);
  warpclust::CsvPointsOptions options;
  options.num_threads = threads;
  absl::StatusOr<warpclust::CsvPoints> read =
      warpclust::ReadCsvPoints(lines, options);
  if (!read.ok()) return read.status();
  return std::move(read->points);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const int64_t block_bytes = 1 + size / 5;
  const absl::StatusOr<warpclust::PointMatrix> read =
      Read(bytes, 1, block_bytes);
  const absl::StatusOr<warpclust::PointMatrix> in_blocks =
      Read(bytes, 2, block_bytes);
  if (in_blocks.status() != read.status()) std::abort();
  if (!read.ok()) return 0;
  if (in_blocks->num_points != read->num_points ||
      std::memcmp(in_blocks->values.data(), read->values.data(),
                  read->values.size() * sizeof(double)) != 0) {
    std::abort();
  }
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
