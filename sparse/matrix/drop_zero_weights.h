// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DropZeroWeights: takes the entries of weight 0 out of sparse rows.
// O(entries).

#ifndef WARPCLUST_SPARSE_MATRIX_DROP_ZERO_WEIGHTS_H_
#define WARPCLUST_SPARSE_MATRIX_DROP_ZERO_WEIGHTS_H_

#include <cstddef>
#include <cstdint>

namespace warpclust {

// `rows` has `offsets`, `terms` and `weights` as a DocumentMatrix has them.
template <typename Rows>
void DropZeroWeights(Rows* rows) {
  int64_t kept = 0;
  int64_t begin = 0;
  for (size_t row = 1; row < rows->offsets.size(); ++row) {
    const int64_t end = rows->offsets[row];
    for (int64_t e = begin; e < end; ++e) {
      if (rows->weights[e] == 0) continue;
      rows->terms[kept] = rows->terms[e];
      rows->weights[kept] = rows->weights[e];
      ++kept;
    }
    begin = end;
    rows->offsets[row] = kept;
  }
  rows->terms.resize(kept);
  rows->weights.resize(kept);
}

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_MATRIX_DROP_ZERO_WEIGHTS_H_
