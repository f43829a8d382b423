// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AffectedGraph: the connected components that a change affects, with vertices
// renumbered from 0 in their order, and rows that are read from the store on
// demand.
//
// Memory: 4 bytes per vertex of the store, 24 per affected vertex.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COVER_AFFECTED_GRAPH_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COVER_AFFECTED_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {

class AffectedGraph {
 public:
  // The graph on the vertices of the given PCCs. The store must outlive it, and
  // must not change while rows are read.
  static absl::StatusOr<AffectedGraph> Create(PccStore* store,
                                              std::vector<int32_t> components);

  int32_t num_vertices() const {
    return static_cast<int32_t>(vertices_.size());
  }
  // The store's numbers, ascending.
  const std::vector<int32_t>& vertices() const { return vertices_; }
  // The local number of each vertex of the store; -1 if it is not affected.
  const std::vector<int32_t>& locals() const { return local_; }
  int32_t Local(int32_t vertex) const { return local_[vertex]; }
  // The PCCs, ascending, and the index of each vertex's PCC among them.
  const std::vector<int32_t>& components() const { return components_; }
  int32_t ComponentIndexOf(int32_t local) const {
    return component_index_[local];
  }

  // Sorts local vertices by PCC, stably, so that rows of ascending vertices are
  // side by side on disk.
  void SortByComponent(std::vector<int32_t>* locals) const;

  // Afterwards several threads may read the rows of these vertices.
  absl::Status PrepareRows(absl::Span<const int32_t> locals);

  // Sets `*row` to the local neighbors of a local vertex, ascending. DataLoss
  // unless there are `degree` of them, all in this graph.
  absl::Status ReadRow(int32_t local, int32_t degree,
                       std::vector<int32_t>* row) const;
  // The same row in the store's numbers, at the beginning of `*buffer`
  // (PccStore::ReadRow). Does not check that the neighbors are in this graph.
  absl::StatusOr<absl::Span<const int32_t>> ReadStoredRow(
      int32_t local, int32_t degree, std::vector<int32_t>* buffer) const;
  // The DataLoss for neighbors of a local vertex that are not in this graph.
  absl::Status StrayNeighbor(int32_t local) const;

 private:
  explicit AffectedGraph(PccStore* store) : store_(store) {}

  PccStore* store_;
  std::vector<int32_t> components_;
  std::vector<int32_t> vertices_;
  std::vector<int32_t> component_index_;
  std::vector<int32_t> local_;  // -1: not affected
};

// The rows of some vertices in memory, back to back.
class AffectedRows {
 public:
  // Reads the rows of `locals` on `num_threads` threads (0: all cores).
  static absl::StatusOr<AffectedRows> Read(AffectedGraph* graph,
                                           absl::Span<const int32_t> locals,
                                           absl::Span<const int32_t> degrees,
                                           int num_threads);

  // `local` must be one of the `locals`.
  absl::Span<const int32_t> RowOf(int32_t local) const {
    const int32_t place = place_[local];
    return absl::MakeConstSpan(neighbors_)
        .subspan(offsets_[place], offsets_[place + 1] - offsets_[place]);
  }
  int64_t num_entries() const {
    return static_cast<int64_t>(neighbors_.size());
  }

 private:
  std::vector<int32_t> place_;
  std::vector<int64_t> offsets_;
  std::vector<int32_t> neighbors_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COVER_AFFECTED_GRAPH_H_
