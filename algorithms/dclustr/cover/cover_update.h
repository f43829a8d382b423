// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// UpdateCover: the overlapping clusters of a stored graph after a change of its
// vertices and edges (González-Soler, Pérez-Suárez, Chang, Informatica 41,
// sections 2.2 and 3.2). The graph part of DClustRCollection
// (algorithms/dclustr/dclustr.h), which makes the edges from documents.
//
// Only connected components that hold an added vertex or a former neighbor of a
// removed one are looked at, and of their rows only what a decision needs:
//
//   relevance   the rows of the vertices whose edges changed. A relevance
//               counts comparisons with neighbors, so such a vertex is counted
//               anew, and each of its other neighbors corrected by the one
//               comparison that may have changed.
//   covering    exact mode: few rows (InitialCentersFromRows); dclustr mode:
//               all of them, as the paper's rules ask about all satellites
//   stage 3     exact mode: few rows again (SelectUsefulClustersFromRows)
//
// Cost: O(vertices of the affected components, with a logarithm, + entries of
// the rows read). Memory: about 100 bytes a vertex of the affected components,
// in dclustr mode 4 an entry of their rows, and 12 a vertex of the store.
// Determinism: the same store for any number of threads. Thread-safety: one
// thread at a time, as the store.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COVER_COVER_UPDATE_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COVER_COVER_UPDATE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {

enum class DClustRMode {
  // After every update the clusters of OClustR on the present graph.
  kExact,
  // Those of the paper's rules, which keep old centers where they can.
  kDClustR,
};

// "exact" or "dclustr".
absl::string_view DClustRModeName(DClustRMode mode);
// The inverse; InvalidArgument for anything else.
absl::StatusOr<DClustRMode> ParseDClustRMode(absl::string_view name);

struct CoverUpdate {
  // What the affected connected components consist of, after the change.
  int32_t affected_components = 0;  // partial ones
  int32_t affected_vertices = 0;
  // Vertices whose edges changed.
  int32_t changed_vertices = 0;
  // Entries of the rows asked for, by phase; some are asked for twice.
  int64_t relevance_entries = 0;
  int64_t covering_entries = 0;
  int64_t center_entries = 0;
  struct Seconds {
    double graph = 0;  // rows, components and links
    double relevance = 0;
    double covering = 0;
    double useful = 0;
  } seconds;
};

// Applies `change`, whose edges carry their weights, in (2^-8, 1], to `store`:
// graph, states and cover. The caller flushes the store and commits. The
// store's errors; InvalidArgument for another weight; DataLoss if states and
// rows contradict one another. After an error the transaction must not be
// committed.
absl::StatusOr<CoverUpdate> UpdateCover(PccStore* store,
                                        const PccChange& change,
                                        DClustRMode mode, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COVER_COVER_UPDATE_H_
