// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/vnd.h"

#include <cstdint>

namespace warpclust {

Vnd::Vnd(const SignedGraph& graph, int neighborhood) {
  if (neighborhood >= 2) two_opt_ = std::make_unique<TwoOpt>(graph);
}

bool Vnd::Run(Random* random, const SearchControl* control,
              LocalSearch* search) {
  const uint64_t n = search->graph().num_vertices();
  if (n == 0) return true;
  while (true) {
    const int32_t first = static_cast<int32_t>(random->Below(n));
    if (!search->Descend(first, control)) return false;
    if (two_opt_ == nullptr) return true;
    const int32_t pairs_first = static_cast<int32_t>(random->Below(n));
    if (!two_opt_->Improve(pairs_first, control, search)) {
      return control == nullptr || !control->ShouldStop();
    }
  }
}

}  // namespace warpclust
