// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --beta=auto on the ranks of a job. Rank 0 chooses by the documents that
// ChooseOClustR (algorithms/oclustr/oclustr_choice.h) would compare of those of
// all ranks: at most 2,048, which come to it.

#ifndef WARPCLUST_TOOLS_RANKS_CHOOSE_ON_RANKS_H_
#define WARPCLUST_TOOLS_RANKS_CHOOSE_ON_RANKS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {

// Which documents of rank `rank` are compared, from its first; `begins` as
// Communicator::Begins numbers all.
std::vector<int32_t> ComparedDocuments(const std::vector<int64_t>& begins,
                                       int rank);

// The weighting that `choose` returns on rank 0 for the compared documents of
// all ranks. `own`: those of this rank, with term numbers of all. A collective
// call; an error of `choose` is that of all ranks.
absl::StatusOr<Weighting> ChooseOnRanks(
    Communicator& ranks, const DocumentMatrix& own,
    const std::function<absl::StatusOr<Weighting>(const DocumentMatrix&)>&
        choose);

// The same for dense documents, of which `own` are all of this rank.
absl::Status ChooseOnRanks(
    Communicator& ranks, const DenseDocuments& own,
    const std::function<absl::Status(const DenseDocuments&)>& choose);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_RANKS_CHOOSE_ON_RANKS_H_
