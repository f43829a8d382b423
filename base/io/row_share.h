// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RowShare: which rows of a matrix are those of a rank, such as the rows of a
// file that it reads: one of several parts of nearly the same size, one for
// each rank of a job.
//
//   ReadDenseNpy(path, work, num_threads, watch,
//                RowShare{ranks.rank(), ranks.size()});

#ifndef WARPCLUST_BASE_IO_ROW_SHARE_H_
#define WARPCLUST_BASE_IO_ROW_SHARE_H_

#include <cstdint>

namespace warpclust {

struct RowShare {
  int part = 0;
  int num_parts = 1;

  // Of `num_rows`, fewer than 2^31: the first row of the part, and the one
  // behind its last.
  int64_t Begin(int64_t num_rows) const { return num_rows * part / num_parts; }
  int64_t End(int64_t num_rows) const {
    return num_rows * (part + 1) / num_parts;
  }
  bool is_last() const { return part == num_parts - 1; }
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_ROW_SHARE_H_
