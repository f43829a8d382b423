// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_block_rows.h"

#include <cstdint>

#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

CosineBlockRows::CosineBlockRows(const DocumentMatrix& documents,
                                 const CosineProbeOptions& options, bool closed)
    : documents_(documents),
      num_threads_(ResolveThreads(options.num_threads)),
      integer_weights_(options.integer_arithmetic),
      closed_(closed),
      largest_squared_norm_(options.LargestSquaredNorm()),
      decision_(
          MakeCosineDecision(options.beta, options.integer_arithmetic, 0)),
      terms_(RankTerms(documents, /*fewest_documents=*/1)),
      table_(MakeTermTable({}, terms_, documents.num_terms)),
      rows_(MakeRows(documents)) {}

CosineRows CosineBlockRows::MakeRows(const DocumentMatrix& documents) const {
  return MakeCosineRows(documents, SquaredNorms(documents, num_threads_),
                        terms_, integer_weights_, decision_.beta, closed_,
                        num_threads_);
}

absl::StatusOr<CosineRows> CosineBlockRows::RowsOf(
    const DocumentMatrix& visitors) {
  // Terms that the block does not have are in no pair.
  if (visitors.num_terms > static_cast<int64_t>(terms_.rank.size())) {
    terms_.rank.resize(visitors.num_terms, kDroppedTerm);
  }
  CosineRows rows = MakeRows(visitors);
  RETURN_IF_ERROR(CheckNorms(rows));
  return rows;
}

absl::Status CosineBlockRows::CheckNorms(const CosineRows& rows) const {
  for (const double squared_norm : rows.squared_norms) {
    if (!(squared_norm <= largest_squared_norm_)) {
      return ProbeNormTooLarge("a document");
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
