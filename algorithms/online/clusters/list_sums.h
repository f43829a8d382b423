// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AddUpLists: the similarities of a document with all rows of term lists that
// share a term with it; the inner loop of Serial Clusterer 2 (Teitler et al.
// 2010, section 1).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_LIST_SUMS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_LIST_SUMS_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {

// Adds the products of a document's weights with those in the lists of its
// terms to `similarities`, one a row, 0 before; the caller makes those met 0
// again. They are the first of `candidates`, which has room for one more than
// there are rows: what comes after the last is written too. Returns how many,
// and adds the number of products to *products.
inline size_t AddUpLists(absl::Span<const int32_t> terms,
                         absl::Span<const int32_t> weights,
                         const DynamicTermLists& lists, int64_t* similarities,
                         int32_t* candidates, int64_t* products) {
  size_t count = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    const int64_t weight = weights[i];
    const absl::Span<const TermListEntry> list = lists[terms[i]];
    for (const TermListEntry& entry : list) {
      // All products are positive: 0 is a row not met before.
      const int64_t before = similarities[entry.row];
      candidates[count] = entry.row;
      count += before == 0 ? 1 : 0;
      similarities[entry.row] = before + weight * entry.weight;
    }
    *products += static_cast<int64_t>(list.size());
  }
  return count;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_LIST_SUMS_H_
