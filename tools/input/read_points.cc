// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/read_points.h"

#include "base/status/status_macros.h"
#include "tools/input/input_format.h"
#include "vptree/io/csv_points.h"
#include "vptree/io/npy_points.h"

namespace warpclust {

absl::StatusOr<PointMatrix> ReadPoints(absl::string_view path,
                                       absl::string_view format,
                                       const FormatNote& note) {
  ASSIGN_OR_RETURN(const InputFormat known, format == "auto"
                                                ? DetectPointFormat(path, note)
                                                : ParseInputFormat(format));
  return known == InputFormat::kNpy ? ReadNpyPoints(path) : ReadCsvPoints(path);
}

}  // namespace warpclust
