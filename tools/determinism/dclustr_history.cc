// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/determinism/dclustr_history.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace warpclust {

std::vector<DClustRBatch> DClustRHistory(const DocumentsInput& input,
                                         int32_t num_batches, bool changes) {
  const int32_t n = input.counts.num_documents();
  num_batches = std::max(1, std::min(num_batches, n));
  const auto begin_of = [&](int32_t batch) {
    return static_cast<int32_t>(int64_t{n} * batch / num_batches);
  };
  std::vector<DClustRBatch> history;
  std::vector<std::string> guests;
  for (int32_t b = 0; b < num_batches; ++b) {
    DClustRBatch batch;
    batch.removed_ids = std::exchange(guests, {});
    std::vector<int32_t> rows = RowRange(begin_of(b), begin_of(b + 1));
    for (const int32_t row : rows) batch.added_ids.push_back(input.ids[row]);
    if (changes && b + 1 < num_batches) {
      for (int32_t d = begin_of(b + 1); d < begin_of(b + 2); d += 3) {
        rows.push_back(n - 1 - d);
        guests.push_back(input.ids[d]);
      }
      for (int32_t d = 0; d < begin_of(b + 1); d += 5) {
        rows.push_back(d);
        // No name of a document: those have no line ends.
        guests.push_back(absl::StrCat("guest\n", d));
      }
      batch.added_ids.insert(batch.added_ids.end(), guests.begin(),
                             guests.end());
    }
    batch.added = SelectRows(input.counts, rows);
    history.push_back(std::move(batch));
  }
  return history;
}

}  // namespace warpclust
