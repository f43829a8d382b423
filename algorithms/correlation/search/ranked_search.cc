// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/search/ranked_search.h"

#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<bool> ShouldStopOnAnyRank(Communicator& ranks,
                                         SearchControl& control) {
  ASSIGN_OR_RETURN(
      const int stop,
      ranks.AllReduce(Reduction::kMax, control.ShouldStop() ? 1 : 0));
  if (stop != 0) control.RequestStop();
  return stop != 0;
}

}  // namespace warpclust
