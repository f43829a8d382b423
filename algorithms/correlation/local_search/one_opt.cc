// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/one_opt.h"

namespace warpclust {

int64_t OneOpt::Descend(int32_t first, Labels* labels) {
  if (labels->empty()) return 0;
  search_->Assign(*labels);
  search_->MarkAll();
  return Run(first, labels);
}

int64_t OneOpt::DescendFrom(int32_t first, absl::Span<const int32_t> vertices,
                            Labels* labels) {
  if (labels->empty()) return 0;
  search_->Assign(*labels);
  for (const int32_t vertex : vertices) search_->Mark(vertex);
  return Run(first, labels);
}

int64_t OneOpt::Run(int32_t first, Labels* labels) {
  const int64_t before = search_->imbalance();
  search_->Descend(first, /*control=*/nullptr);
  *labels = search_->labels();
  return search_->imbalance() - before;
}

}  // namespace warpclust
