// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/search/ranked_search.h"

#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<bool> ShouldStopOnAnyRank(Communicator& ranks,
                                         SearchControl& control) {
  const int mine = control.StopRequested() ? 2 : control.ShouldStop() ? 1 : 0;
  ASSIGN_OR_RETURN(const int stop, ranks.AllReduce(Reduction::kMax, mine));
  if (stop == 2) control.RequestStop();
  if (stop == 1) control.End();
  return stop != 0;
}

}  // namespace warpclust
