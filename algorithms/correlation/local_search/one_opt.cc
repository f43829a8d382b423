// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/one_opt.h"

#include "base/machine/trace.h"

namespace warpclust {

int64_t OneOpt::Descend(int32_t first, Labels* labels,
                        const SearchControl* control) {
  const TraceSpan span("descend");
  if (labels->empty()) return 0;
  search_->Assign(*labels);
  search_->MarkAll(control);
  const int64_t before = search_->imbalance();
  search_->Descend(first, control);
  *labels = search_->labels();
  return search_->imbalance() - before;
}

}  // namespace warpclust
