// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RowWatch: what a reader of a matrix tells about rows while it reads on, so
// that work with them can begin.
//
//   ReadDenseNpy(path, work, num_threads, [&](const RowsRead<float>& read) {
//     upload->Write(read.first, read.values, read.num_values());
//   });
//
// Several threads call it at once, with parts of the matrix in any order. Each
// value is told at most once; some are told never. A reader may fail later.

#ifndef WARPCLUST_BASE_IO_ROW_WATCH_H_
#define WARPCLUST_BASE_IO_ROW_WATCH_H_

#include <cstdint>
#include <functional>

#include "absl/types/span.h"

namespace warpclust {

template <typename T>
struct RowsRead {
  int64_t num_rows = 0;  // Of the matrix; 0 if it is not known yet.
  int64_t num_columns = 0;
  int64_t first = 0;           // The number of the first value, row by row.
  absl::Span<const T> values;  // Gone after the call.

  // Of the matrix; 0 if it is not known yet.
  int64_t num_values() const { return num_rows * num_columns; }
  // The rows of the matrix that there are at least.
  int64_t least_rows() const {
    return num_rows > 0
               ? num_rows
               : (first + static_cast<int64_t>(values.size())) / num_columns;
  }
};

// May be null.
template <typename T>
using RowWatch = std::function<void(const RowsRead<T>&)>;

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_ROW_WATCH_H_
