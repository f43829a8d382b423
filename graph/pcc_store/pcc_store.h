// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccStore: a graph that changes, kept on disk as partial connected components
// (PCCs), so that an update reads what it touches and no more. The graph part
// of a store of documents; weights are not kept (they follow from the
// documents), sums of them are (VertexState).
//
// After L. J. Gonzalez-Soler, A. Perez-Suarez, L. Chang, "Static and
// incremental overlapping clustering algorithms for large collections
// processing in GPU", section 3.2. The rule of the partition: new vertices in
// ascending order; one without a PCC founds the next one, and every vertex
// brings those of its later new neighbors that have none into its own. So a
// PCC is connected in itself, and what was added before stays as it is. Two
// PCCs are linked if an edge joins them; PCCs linked to one another, directly
// or not, are a connected component of the graph, whose label is its smallest
// PCC.
//
// Removals, which the paper leaves out: a removed vertex leaves its PCC. What
// is left of a PCC may fall into pieces: one of them (the last to be searched
// through, so mostly the largest) remains that PCC, the others become PCCs with
// the next numbers, by their smallest vertex.
//
// Vertices are numbered by arrival and PCCs by foundation; no number is used
// twice.
//
//   auto transaction = environment->Begin(/*write=*/true);
//   auto store = PccStore::Open(&*transaction);
//   PccChange change;
//   change.num_added = 2;
//   change.added_edges = {{0, 1}};
//   auto touched = store->Apply(change);
//   store->Flush();
//   transaction->Commit();
//
// On disk (tables of pcc_tables.h): for each PCC a header, its vertices, its
// links to smaller PCCs with their numbers of edges, and its rows in segments:
// a base, and for each later update that gave it new neighbors a further one,
// of these alone. New neighbors have larger numbers than old ones, so a row is
// what the segments hold of it, one after the other. The last segment is merged
// with the one before when it has at least half of its entries: an update
// writes in proportion to its change, and a PCC has logarithmically many
// segments. Neighbors that were removed stay in the rows until a merge; readers
// skip them. Rows are checked in blocks of 4 KiB when they are first touched,
// all other records when they are read.
//
// Cost: Apply is O(edges of the change), about 20 ns an added edge, plus a few
// nanoseconds a vertex and PCC there ever was; a removal reads rows from the
// removed vertices' neighbors on until these are seen to be connected (mostly:
// a few rows). ReadRow is about 0.5 ns a neighbor plus 0.1 us, checksums
// included; AppendRow a little more.
//
// Memory: 4 bytes a vertex and a PCC, 1 bit a vertex; directories of the PCCs
// whose rows were read (8 bytes a vertex and segment); what Apply has changed,
// until Flush (about 3 bytes an added edge, in rows); and while Apply runs up
// to 20 bytes an added edge.
//
// Errors: DataLoss if records are damaged or contradict one another,
// InvalidArgument for arguments that break the conditions below (but see
// PccChange::removed_edges); and those of LmdbTransaction. After a failed Apply
// or Flush the transaction must not be committed.
//
// Thread-safety: one thread at a time, but for AppendRow and ReadRow as said
// there. Determinism: contents follow from the sequence of changes alone.

#ifndef WARPCLUST_GRAPH_PCC_STORE_PCC_STORE_H_
#define WARPCLUST_GRAPH_PCC_STORE_PCC_STORE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/csr/csr_graph.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"

namespace warpclust {

namespace internal {
class PccGraph;
}  // namespace internal

// What is kept of a vertex beside its row. `degree` is -1 for a dead vertex.
struct VertexState {
  uint64_t weight_sum = 0;
  uint32_t relevance_count = 0;
  int32_t degree = 0;

  friend bool operator==(const VertexState& a, const VertexState& b) {
    return a.weight_sum == b.weight_sum &&
           a.relevance_count == b.relevance_count && a.degree == b.degree;
  }
};

struct PccChange {
  // They get the numbers from next_vertex() on.
  int32_t num_added = 0;
  // Ascending, alive.
  std::vector<int32_t> removed;
  // Each once, in any order and direction, weights unused; at least one end
  // added, none removed.
  std::vector<WeightedEdge> added_edges;
  // All edges of the removed vertices, each once, likewise. That none is
  // missing or comes twice is not looked for, which would take reading their
  // rows: Apply may then give InvalidArgument or DataLoss, or Verify later.
  std::vector<WeightedEdge> removed_edges;
};

struct PccTouched {
  // The PCCs, after the change, of the affected connected components: those
  // that hold an added vertex or a former neighbor of a removed one. Ascending.
  std::vector<int32_t> components;
};

// What was read from the store.
struct PccLoads {
  int64_t components = 0;   // PCCs of which anything but links was read.
  int64_t vertices = 0;     // Vertices of these.
  int64_t row_entries = 0;  // Neighbors decoded, dead ones too.
  int64_t bytes = 0;        // Records, directories and blocks of rows.
};

// One transaction's view. Move-only.
class PccStore {
 public:
  // A center of the cover with the vertices linked to it.
  struct Center {
    int32_t vertex = 0;
    std::vector<int32_t> linked;  // Ascending.

    friend bool operator==(const Center& a, const Center& b) {
      return a.vertex == b.vertex && a.linked == b.linked;
    }
  };

  // An empty store if nothing is there. FailedPrecondition if another version
  // of the format is. The transaction must outlive the store; its tables
  // kMeta (but for keys that do not begin with "pcc"), kRows, kComponents,
  // kConnected, kVertices and kCover are the store's alone, and one store is
  // opened on a transaction at a time.
  static absl::StatusOr<PccStore> Open(LmdbTransaction* transaction);

  PccStore(PccStore&&) noexcept;
  PccStore& operator=(PccStore&&) noexcept;
  ~PccStore();

  int32_t next_vertex() const;   // Vertices there ever were.
  int32_t num_vertices() const;  // Alive.
  int64_t num_edges() const;
  int32_t next_component() const;  // PCCs there ever were.
  int32_t num_components() const;  // Alive.

  // Rows, PCCs, links and labels after the change, and the centers of removed
  // vertices dropped; states are the caller's (those of added vertices are
  // zero, those of removed ones read as dead). Removals come first, then
  // additions. ResourceExhausted if numbers run out at 2^31 - 1, or the rows of
  // one PCC take more than 4 GiB.
  absl::StatusOr<PccTouched> Apply(const PccChange& change);

  // Alive PCCs, ascending. O(next_component()).
  absl::StatusOr<std::vector<int32_t>> Components();
  // The alive vertices of an alive PCC, ascending; InvalidArgument if it is not
  // one (for all that take a component).
  absl::StatusOr<std::vector<int32_t>> VerticesOf(int32_t component);
  // Its links to smaller PCCs, ascending, with their numbers of edges.
  absl::StatusOr<std::vector<std::pair<int32_t, int64_t>>> LinksOf(
      int32_t component);
  // The label of its connected component: the smallest PCC there.
  absl::StatusOr<int32_t> ConnectedComponentOf(int32_t component);
  // All PCCs of the connected component of that label, ascending.
  absl::StatusOr<std::vector<int32_t>> ComponentsOf(int32_t label);
  // The PCC of a vertex; -1 if it is dead.
  absl::StatusOr<int32_t> ComponentOf(int32_t vertex);

  // Appends the alive neighbors of `vertex`, ascending. InvalidArgument if it
  // is dead. Safe from several threads, until the next call of another method,
  // for vertices of components that PrepareRows was called for since the last
  // Apply, Flush or Rewrite.
  absl::Status AppendRow(int32_t vertex, std::vector<int32_t>* row);
  // The same row at the beginning of `*buffer`, which grows if need be and is
  // else left as it is: nothing is zeroed for each row.
  absl::StatusOr<absl::Span<const int32_t>> ReadRow(
      int32_t vertex, std::vector<int32_t>* buffer);
  // Reads the directories of their rows.
  absl::Status PrepareRows(absl::Span<const int32_t> components);

  // `vertices` ascending; as many states. Written ones have a degree of at
  // least 0, so those of dead vertices are not written back.
  absl::Status ReadStates(absl::Span<const int32_t> vertices,
                          absl::Span<VertexState> states);
  absl::Status WriteStates(absl::Span<const int32_t> vertices,
                           absl::Span<const VertexState> states);

  // The cover, by PCC: the final centers that belong to it, ascending. Dead
  // centers and dead linked vertices are left out; a center moves to another
  // PCC with its vertex.
  absl::StatusOr<std::vector<Center>> CentersOf(int32_t component);
  // InvalidArgument unless ascending. Writes only if they differ.
  absl::Status SetCenters(int32_t component,
                          const std::vector<Center>& centers);

  // Writes what is held back, which is all that was changed; before Commit.
  absl::Status Flush();

  // Everything against everything: rows ascending and symmetric, PCCs
  // connected and without a vertex in common, links counted, labels, degrees
  // of the states, centers where their vertex is, counters. DataLoss says
  // what is wrong first. Reads all rows; 40 bytes a vertex of memory.
  absl::Status Verify();

  // Drops dead entries and merges segments, in all PCCs; writes on the way.
  absl::Status Rewrite();

  // What was read through this object. Not changed by what is read again.
  PccLoads loads() const;

 private:
  explicit PccStore(std::unique_ptr<internal::PccGraph> graph);

  std::unique_ptr<internal::PccGraph> graph_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_PCC_STORE_H_
