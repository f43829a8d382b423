// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RemoteStarRows: StarRows of a graph that is dealt to ranks, for rank 0, which
// runs stage 3. The other ranks serve it meanwhile: ServeStarRows. Only rows
// that are asked for travel, and each once.
//
// Memory on rank 0: 8 bytes per vertex, 4 per entry fetched.

#ifndef WARPCLUST_GRAPH_STARS_DISTRIBUTED_REMOTE_STAR_ROWS_H_
#define WARPCLUST_GRAPH_STARS_DISTRIBUTED_REMOTE_STAR_ROWS_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"

namespace warpclust {

// The rows of some vertices of this rank, back to back. All vertices have the
// numbers of the whole graph.
using OwnStarRows = absl::FunctionRef<absl::StatusOr<std::vector<int32_t>>(
    absl::Span<const int32_t> vertices)>;

class RemoteStarRows {
 public:
  // `begins`: as in GraphShare; `degrees`: of all vertices of the whole graph.
  // All must outlive the reader.
  RemoteStarRows(Communicator& ranks, OwnStarRows own_rows,
                 const std::vector<int32_t>& begins,
                 const std::vector<int32_t>& degrees);

  // Fetches the rows of `vertices` that are not here yet.
  void Fetch(absl::Span<const int32_t> vertices);

  // The row of a vertex, valid as long as the reader; fetched if it is not
  // here. Empty after an error. Rows that are here may be read on several
  // threads at a time.
  absl::Span<const int32_t> RowOf(int32_t vertex);

  // Ends ServeStarRows of the other ranks. Returns the first error.
  absl::Status Finish();

 private:
  absl::Status FetchRows(absl::Span<const int32_t> vertices);

  Communicator& ranks_;
  const OwnStarRows own_rows_;
  const std::vector<int32_t>& begins_;
  const std::vector<int32_t>& degrees_;
  absl::Status status_;
  std::vector<const int32_t*> rows_;  // By vertex; null: not here.
  std::vector<std::vector<int32_t>> chunks_;
};

// Sends rows to rank 0 until its reader finishes. Called by all other ranks.
absl::Status ServeStarRows(Communicator& ranks, OwnStarRows own_rows);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_DISTRIBUTED_REMOTE_STAR_ROWS_H_
