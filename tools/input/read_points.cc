// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/read_points.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "tools/input/input_format.h"
#include "vptree/io/csv_points.h"
#include "vptree/io/npy_points.h"

namespace warpclust {

absl::StatusOr<CsvPoints> ReadPointColumns(absl::string_view path,
                                           absl::string_view format,
                                           const CsvPointsOptions& columns,
                                           const FormatNote& note,
                                           WorkShare* work) {
  ASSIGN_OR_RETURN(const InputFormat known, format == "auto"
                                                ? DetectPointFormat(path, note)
                                                : ParseInputFormat(format));
  if (known != InputFormat::kNpy) {
    ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path, work));
    return ReadCsvPoints(lines, columns);
  }
  if (!columns.columns.empty() || !columns.left_out.empty() ||
      !columns.name_column.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        InputName(path), ": expected CSV for a choice of columns, found NPY"));
  }
  CsvPoints read;
  ASSIGN_OR_RETURN(ByteReader bytes, ByteReader::Open(path, work));
  ASSIGN_OR_RETURN(read.points,
                   ReadNpyPoints(bytes, columns.num_threads, columns.watch));
  return read;
}

absl::StatusOr<PointMatrix> ReadPoints(absl::string_view path,
                                       absl::string_view format,
                                       const FormatNote& note,
                                       WorkShare* work) {
  ASSIGN_OR_RETURN(
      CsvPoints read,
      ReadPointColumns(path, format, CsvPointsOptions(), note, work));
  return std::move(read.points);
}

}  // namespace warpclust
