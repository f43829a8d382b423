// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// UpdateCover: the overlapping clusters of a stored graph after a change of its
// vertices and edges (González-Soler, Pérez-Suárez, Chang, Informatica 41,
// sections 2.2 and 3.2). The graph part of DClustRCollection
// (algorithms/dclustr/dclustr.h), which derives the edges from documents.
//
// Only connected components that hold an added vertex or a former neighbor of a
// removed one are visited, and of their rows only those that a decision needs:
//
//   relevance   the rows of the vertices whose edges changed. A relevance
//               counts comparisons with neighbors. Such a vertex is counted
//               again, and each of its other neighbors is corrected by the one
//               comparison that may have changed.
//   covering    exact mode: few rows (InitialCentersFromRows); dclustr mode:
//               all rows, since the paper's rules ask about all satellites
//   stage 3     exact mode: few rows again (SelectUsefulClustersFromRows)
//
// Complexity: O(vertices of the affected components, with a logarithm, +
// entries of the rows read). Memory: about 100 bytes per affected vertex, in
// dclustr mode 4 per entry of their rows, and 12 per vertex of the store.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COVER_COVER_UPDATE_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COVER_COVER_UPDATE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/pcc_store/pcc_store.h"
#include "kernels/device/device.h"

namespace warpclust {

enum class DClustRMode {
  // The clusters are always those of OClustR on the present graph.
  kExact,
  // The paper's rules, which keep old centers where they can.
  kDClustR,
};

// "exact" or "dclustr".
absl::string_view DClustRModeName(DClustRMode mode);
// The inverse; InvalidArgument for anything else.
absl::StatusOr<DClustRMode> ParseDClustRMode(absl::string_view name);

struct CoverUpdate {
  // The PCCs and vertices of the affected connected components, after the
  // change.
  int32_t affected_components = 0;  // partial ones
  int32_t affected_connected = 0;   // connected ones
  int32_t affected_vertices = 0;
  // Vertices whose edges changed.
  int32_t changed_vertices = 0;
  // Where relevances were counted.
  Device relevance_device = Device::kCpu;
  // Entries of the rows read, by stage; some are read twice.
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

// Applies `change` to the graph, states and cover of `store`. Edges have their
// weights, in (2^-8, 1]. Relevances are counted on `relevance_device`, which
// does not change the result (relevance_update.h says what kAuto chooses). The
// caller flushes the store and commits.
// InvalidArgument for another weight, DataLoss if states and rows contradict
// one another, and errors of the store. After an error the transaction must not
// be committed.
absl::StatusOr<CoverUpdate> UpdateCover(PccStore* store,
                                        const PccChange& change,
                                        DClustRMode mode, int num_threads,
                                        Device relevance_device = Device::kCpu);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COVER_COVER_UPDATE_H_
