// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/ranks/choose_on_ranks.h"

#include <algorithm>
#include <utility>

#include "absl/types/span.h"
#include "algorithms/oclustr/oclustr_choice.h"
#include "base/status/status_macros.h"
#include "sparse/dense/owned_dense_rows.h"

namespace warpclust {

std::vector<int32_t> ComparedDocuments(const std::vector<int64_t>& begins,
                                       int rank) {
  const int64_t size =
      std::min<int64_t>(begins.back(), OClustRChoiceOptions().max_documents);
  std::vector<int32_t> compared;
  for (int64_t i = 0; i < size; ++i) {
    const int64_t d = i * begins.back() / size;
    if (d >= begins[rank] && d < begins[rank + 1]) {
      compared.push_back(static_cast<int32_t>(d - begins[rank]));
    }
  }
  return compared;
}

absl::StatusOr<Weighting> ChooseOnRanks(
    Communicator& ranks, const DocumentMatrix& own,
    const std::function<absl::StatusOr<Weighting>(const DocumentMatrix&)>&
        choose) {
  std::vector<int64_t> lengths;
  for (int32_t d = 0; d < own.num_documents(); ++d) {
    lengths.push_back(own.offsets[d + 1] - own.offsets[d]);
  }
  ASSIGN_OR_RETURN(const RankLists<int64_t> all_lengths,
                   ranks.Gather<int64_t>(lengths, 0));
  ASSIGN_OR_RETURN(RankLists<int32_t> terms,
                   ranks.Gather<int32_t>(own.terms, 0));
  ASSIGN_OR_RETURN(RankLists<float> weights,
                   ranks.Gather<float>(own.weights, 0));
  absl::Status status;
  int chosen = 0;
  if (ranks.rank() == 0) {
    DocumentMatrix compared;
    compared.num_terms = own.num_terms;
    for (const int64_t length : all_lengths.values) {
      compared.offsets.push_back(compared.offsets.back() + length);
    }
    compared.terms = std::move(terms.values);
    compared.weights = std::move(weights.values);
    const absl::StatusOr<Weighting> weighting = choose(compared);
    status = weighting.status();
    if (weighting.ok()) chosen = static_cast<int>(*weighting);
  }
  RETURN_IF_ERROR(ranks.Agree(status));
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&chosen, 1), 0));
  return static_cast<Weighting>(chosen);
}

absl::Status ChooseOnRanks(
    Communicator& ranks, const DenseDocuments& own,
    const std::function<absl::Status(const DenseDocuments&)>& choose) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> begins,
                   ranks.Begins(own.num_documents()));
  ASSIGN_OR_RETURN(const int32_t num_dimensions,
                   ranks.AllReduce(Reduction::kMax, own.num_documents() == 0
                                                        ? int32_t{0}
                                                        : own.num_dimensions));
  std::vector<float> values;
  for (const int32_t d : ComparedDocuments(begins, ranks.rank())) {
    const absl::Span<const float> row = own.Row(d);
    values.insert(values.end(), row.begin(), row.end());
  }
  ASSIGN_OR_RETURN(RankLists<float> all, ranks.Gather<float>(values, 0));
  absl::Status status;
  if (ranks.rank() == 0) {
    status = choose(MakeDenseDocuments(
        OwnedDenseRows{num_dimensions, std::move(all.values)}));
  }
  return ranks.Agree(status);
}

}  // namespace warpclust
