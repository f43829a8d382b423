// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/one_opt.h"

namespace warpclust {

OneOpt::OneOpt(const SignedGraph& graph)
    : kit_(graph), descent_(kit_.NewDescent()) {}

int64_t OneOpt::Descend(int32_t first, Labels* labels) {
  if (labels->empty()) return 0;
  descent_->Assign(*labels);
  descent_->MarkAll();
  return Run(first, labels);
}

int64_t OneOpt::DescendFrom(int32_t first, absl::Span<const int32_t> vertices,
                            Labels* labels) {
  if (labels->empty()) return 0;
  descent_->Assign(*labels);
  for (const int32_t vertex : vertices) descent_->Mark(vertex);
  return Run(first, labels);
}

int64_t OneOpt::Run(int32_t first, Labels* labels) {
  const int64_t before = descent_->imbalance();
  descent_->Run(first, /*control=*/nullptr);
  *labels = descent_->labels();
  return descent_->imbalance() - before;
}

}  // namespace warpclust
