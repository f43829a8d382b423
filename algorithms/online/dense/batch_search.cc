// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/dense/batch_search.h"

namespace warpclust {

void BatchPairs::Group(absl::Span<const std::vector<Pair>> lists,
                       int32_t num_documents) {
  offsets.assign(num_documents + 1, 0);
  for (const std::vector<Pair>& list : lists) {
    for (const Pair& pair : list) ++offsets[pair.document + 1];
  }
  for (int32_t d = 0; d < num_documents; ++d) offsets[d + 1] += offsets[d];
  pairs.resize(offsets.back());
  std::vector<int64_t> next = offsets;
  for (const std::vector<Pair>& list : lists) {
    for (const Pair& pair : list) pairs[next[pair.document]++] = pair;
  }
}

}  // namespace warpclust
