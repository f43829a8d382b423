// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccStore: a graph that changes, kept on disk as partial connected components
// (PCCs), so that an update reads and writes only what it touches. It is the
// graph part of a store of documents; graph/pcc_store/documents has the rest.
//
// After L. J. Gonzalez-Soler, A. Perez-Suarez, L. Chang, "Static and
// incremental overlapping clustering algorithms for large collections
// processing in GPU", section 3.2. README.md defines PCCs, says how removals
// split them, and describes the tables on disk.
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
// Vertices are numbered in order of arrival, PCCs in order of foundation. A
// number is never used again. Edges have no weights here: weights follow from
// the documents, and the store keeps their sum per vertex (VertexState).
//
// Complexity: Apply takes time linear in the edges of the change, plus a scan
// of a few bytes per vertex and PCC ever made. A removal also reads rows around
// the removed vertices until these are seen to be connected, which mostly takes
// a few rows. ReadRow and AppendRow are linear in the row.
//
// Memory: 4 bytes per vertex and per PCC, 1 bit per vertex; 8 bytes per vertex
// and segment of the PCCs whose rows were read; the changed records until
// Flush; and up to 20 bytes per added edge during Apply.
//
// Errors: DataLoss if records are damaged or contradict one another,
// InvalidArgument for arguments that break the conditions below (with the
// exception named at PccChange::removed_edges), and the errors of
// LmdbTransaction. After a failed Apply or Flush the transaction must not be
// committed.

#ifndef WARPCLUST_GRAPH_PCC_STORE_PCC_STORE_H_
#define WARPCLUST_GRAPH_PCC_STORE_PCC_STORE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/csr/csr_graph.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/pcc_store/paged_numbers.h"
#include "graph/pcc_store/pcc_records.h"
#include "graph/pcc_store/pcc_segment.h"
#include "graph/pcc_store/pcc_states.h"

namespace warpclust {

struct PccChange {
  // Added vertices get the numbers from next_vertex() on.
  int32_t num_added = 0;
  // Ascending, alive.
  std::vector<int32_t> removed;
  // Each edge once, in any order and direction; weights are unused. At least
  // one end is an added vertex, no end is a removed one.
  std::vector<WeightedEdge> added_edges;
  // All edges of the removed vertices, each once, in any order and direction.
  // Missing and repeated edges are not detected, since that would take reading
  // their rows: Apply may then return InvalidArgument or DataLoss, or a later
  // Verify DataLoss.
  std::vector<WeightedEdge> removed_edges;
};

struct PccTouched {
  // The PCCs, after the change, of the affected connected components: those
  // that hold an added vertex or a former neighbor of a removed one. Ascending.
  std::vector<int32_t> components;
};

// What was read from the store.
struct PccLoads {
  int64_t components = 0;   // PCCs of which more than links was read.
  int64_t vertices = 0;     // Vertices of these.
  int64_t row_entries = 0;  // Neighbors decoded, dead ones included.
  int64_t bytes = 0;        // Records, directories and blocks of rows.
};

// The view of one transaction. Move-only.
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
  // (smaller PCC, number of edges to it), ascending.
  using Links = std::vector<std::pair<int32_t, int64_t>>;

  // Opens the store that the transaction sees, an empty one if there is none.
  // FailedPrecondition if the store has another version of the format. The
  // transaction must outlive the store. The tables kMeta (except keys that do
  // not begin with "pcc"), kRows, kComponents, kConnected, kVertices and kCover
  // belong to the store alone, and a transaction has one store at a time.
  static absl::StatusOr<PccStore> Open(LmdbTransaction* transaction);

  PccStore(PccStore&&) noexcept;
  PccStore& operator=(PccStore&&) noexcept;
  ~PccStore();

  // Alive and dead vertices; the number of the next one.
  int32_t next_vertex() const { return component_of_.size(); }
  int32_t num_vertices() const { return num_vertices_; }  // Alive ones.
  int64_t num_edges() const { return num_edges_; }
  int32_t next_component() const { return labels_.size(); }
  int32_t num_components() const { return num_components_; }  // Alive PCCs.

  // Updates rows, PCCs, links and labels, and drops the centers of removed
  // vertices. Removals are applied before additions. States are the caller's to
  // update: those of added vertices are zero, those of removed vertices read as
  // dead. ResourceExhausted if vertex or PCC numbers reach 2^31 - 1, or the
  // rows of one PCC take more than 4 GiB.
  absl::StatusOr<PccTouched> Apply(const PccChange& change);

  // Alive PCCs, ascending. O(next_component()).
  absl::StatusOr<std::vector<int32_t>> Components();

  // All functions that take a `component` return InvalidArgument unless it is
  // an alive PCC.

  // The alive vertices of a PCC, ascending.
  absl::StatusOr<std::vector<int32_t>> VerticesOf(int32_t component);
  absl::StatusOr<Links> LinksOf(int32_t component);
  // The label of its connected component: the smallest PCC there.
  absl::StatusOr<int32_t> ConnectedComponentOf(int32_t component);
  // All PCCs of the connected component with that label, ascending.
  absl::StatusOr<std::vector<int32_t>> ComponentsOf(int32_t label);
  // The PCC of a vertex; -1 if the vertex is dead.
  absl::StatusOr<int32_t> ComponentOf(int32_t vertex);

  // Appends the alive neighbors of `vertex`, ascending. InvalidArgument if it
  // is dead. AppendRow and ReadRow may run on several threads for vertices of
  // components that PrepareRows was called for, until the next call of another
  // method.
  absl::Status AppendRow(int32_t vertex, std::vector<int32_t>* row);
  // The same row at the beginning of `*buffer`. The buffer grows if necessary
  // and is never cleared, so no memory is zeroed per row.
  absl::StatusOr<absl::Span<const int32_t>> ReadRow(
      int32_t vertex, std::vector<int32_t>* buffer);
  // Reads the directories of the rows of `components`.
  absl::Status PrepareRows(absl::Span<const int32_t> components);

  // Reads or writes states[i] of vertices[i]. `vertices` ascend; sizes are
  // equal. States of dead vertices have degree -1 when read and cannot be
  // written.
  absl::Status ReadStates(absl::Span<const int32_t> vertices,
                          absl::Span<VertexState> states);
  absl::Status WriteStates(absl::Span<const int32_t> vertices,
                           absl::Span<const VertexState> states);

  // The final centers of the cover in a PCC, ascending, without dead centers
  // and dead linked vertices. A center follows its vertex to another PCC.
  absl::StatusOr<std::vector<Center>> CentersOf(int32_t component);
  // `centers` ascend and belong to the PCC. Writes only if they differ.
  absl::Status SetCenters(int32_t component,
                          const std::vector<Center>& centers);

  // Writes all changes to the transaction. Call it before Commit.
  absl::Status Flush();

  // Checks everything against everything: rows are ascending and symmetric,
  // PCCs are connected and disjoint, and links, labels, degrees, centers and
  // counters agree with them. DataLoss names the first contradiction. Reads all
  // rows; takes 40 bytes of memory per vertex.
  absl::Status Verify();

  // Drops dead entries and merges the segments of all PCCs. Flushes as it goes.
  absl::Status Rewrite();

  // What was read through this object; each record counts once.
  PccLoads loads() const;

 private:
  // The second numbers of keys in kComponents.
  enum Part : uint32_t { kHeaderPart, kVerticesPart, kLinksPart };

  // The header of a PCC, and its segments once its rows are asked for.
  struct ComponentRows {
    int32_t num_vertices = 0;
    // Entries of the segments that readers skip: dead neighbors, and rows of
    // vertices that died or moved to another PCC.
    int64_t dead_entries = 0;
    std::vector<int64_t> segment_entries;

    bool header_changed = false;
    bool segments_open = false;
    std::vector<internal::PccSegment> segments;

    int64_t num_entries() const;
  };

  PccStore(LmdbTransaction* transaction, const std::vector<int64_t>& counters);

  // pcc_store.cc
  absl::Status CheckChange(const PccChange& change) const;
  absl::Status CheckVertices(absl::Span<const int32_t> vertices) const;
  absl::Status SetVertices(int32_t component,
                           const std::vector<int32_t>& vertices);
  absl::StatusOr<PccTouched> TouchedBy(const std::vector<int32_t>& seeds);

  // pcc_rows.cc
  absl::Status CheckComponent(int32_t component);
  // The header of an alive PCC. Points at the same object until Flush.
  absl::StatusOr<ComponentRows*> Header(int32_t component);
  absl::StatusOr<ComponentRows*> OpenRows(int32_t component);
  absl::StatusOr<internal::PccSegment> OpenSegment(int32_t component,
                                                   size_t segment);
  // Writes a row, dead entries included, to `buffer` behind its first `size`
  // ids, and returns the new size.
  absl::StatusOr<size_t> ReadParts(const ComponentRows& rows,
                                   size_t first_segment, int32_t vertex,
                                   size_t size,
                                   std::vector<int32_t>* buffer) const;
  // The same for an alive vertex, without dead entries.
  absl::StatusOr<size_t> ReadAlive(int32_t vertex, size_t size,
                                   std::vector<int32_t>* buffer);
  // Drops dead vertices from ids[begin, size); returns the new size.
  size_t DropDead(size_t begin, size_t size, int32_t* ids) const;
  // Founds the next PCC.
  absl::StatusOr<int32_t> NewComponent(const std::vector<int32_t>& vertices);
  // Appends a segment; AddSegment then merges the last ones if that is due.
  absl::Status AddSegment(int32_t component,
                          const internal::PccSegmentWriter& writer);
  absl::Status PushSegment(int32_t component,
                           const internal::PccSegmentWriter& writer);
  // Merges the segments from `first` on, without dead entries.
  absl::Status MergeSegments(int32_t component, size_t first);
  absl::Status DeleteComponent(int32_t component);
  void SaveHeaders();

  // pcc_links.cc
  absl::Status SetLinks(int32_t component, const Links& links);
  absl::Status SetComponentsOf(int32_t label,
                               const std::vector<int32_t>& components);
  // Joins the connected components of new PCCs with those they are linked to.
  absl::Status JoinLabels(absl::Span<const int32_t> components);
  // Splits the connected component with these PCCs, labeled `label` so far, by
  // its links.
  absl::Status Relabel(int32_t label, std::vector<int32_t> components);

  // pcc_additions.cc
  absl::Status Add(const PccChange& change);

  // pcc_removals.cc
  struct Removal;
  absl::Status Remove(const PccChange& change, std::vector<int32_t>* seeds);
  absl::Status RemoveFrom(int32_t component, Removal* removal);
  // The pieces that `component` falls into, except the one that remains.
  // `around`: former neighbors of removed vertices.
  absl::StatusOr<std::vector<std::vector<int32_t>>> PiecesOf(
      int32_t component, const std::vector<int32_t>& around);
  absl::Status MovePiece(int32_t component, const std::vector<int32_t>& piece,
                         Removal* removal);
  absl::Status Unlink(Removal* removal);

  // pcc_cover.cc
  absl::StatusOr<std::vector<Center>> StoredCenters(int32_t component);
  void PutCenters(int32_t component, const std::vector<Center>& centers);
  absl::Status MoveCenters(int32_t from, int32_t to);

  // pcc_verify.cc
  absl::Status VerifyTables();
  absl::Status VerifyRows();
  absl::Status VerifyLabels();
  absl::Status VerifyCover();

  // On the heap: the members below point at it.
  std::unique_ptr<internal::PccRecords> records_;
  internal::PagedNumbers component_of_;  // By vertex.
  internal::PagedNumbers labels_;        // By PCC.
  internal::DeadVertices dead_;
  internal::PccStates states_;
  int32_t num_vertices_ = 0;
  int64_t num_edges_ = 0;
  int32_t num_components_ = 0;
  // By PCC; null if not read. Filled until Flush.
  std::vector<std::unique_ptr<ComponentRows>> rows_;

  absl::flat_hash_set<int32_t> components_read_;
  int64_t vertices_read_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_PCC_STORE_H_
