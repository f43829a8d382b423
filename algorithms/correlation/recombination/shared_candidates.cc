// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/shared_candidates.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/types/span.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/ranked_search.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<std::vector<Candidate>> GatherCandidates(
    Communicator& ranks, std::vector<Candidate> mine) {
  if (ranks.size() == 1) return mine;
  std::vector<int64_t> imbalances;
  Labels labels;
  for (const Candidate& candidate : mine) {
    imbalances.push_back(candidate.imbalance);
    labels.insert(labels.end(), candidate.labels.begin(),
                  candidate.labels.end());
  }
  mine.clear();
  ASSIGN_OR_RETURN(const RankLists<int64_t> all_imbalances,
                   ranks.AllGather(absl::MakeConstSpan(imbalances)));
  ASSIGN_OR_RETURN(const RankLists<int32_t> all_labels,
                   ranks.AllGather(absl::MakeConstSpan(labels)));
  std::vector<Candidate> all(all_imbalances.values.size());
  if (all.empty()) return all;
  const size_t n = all_labels.values.size() / all.size();
  for (size_t i = 0; i < all.size(); ++i) {
    const auto first = all_labels.values.begin() + i * n;
    all[i].labels.assign(first, first + n);
    all[i].imbalance = all_imbalances.values[i];
  }
  return all;
}

absl::StatusOr<bool> AgreeAfterStop(Communicator& ranks, SearchControl& control,
                                    Candidate* candidate) {
  ASSIGN_OR_RETURN(const bool stop, ShouldStopOnAnyRank(ranks, control));
  if (!stop) return false;
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&candidate->imbalance, 1), 0));
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(candidate->labels), 0));
  return true;
}

}  // namespace warpclust
