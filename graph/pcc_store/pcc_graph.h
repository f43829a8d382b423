// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccGraph: what PccStore (pcc_store.h) is made of. Its parts are in files of
// their own:
//
//   pcc_graph.cc          opening, writing, vertices
//   pcc_rows.cc           headers and rows: segments, their merges
//   pcc_links.cc          links, labels of connected components
//   pcc_additions.cc      new vertices and edges
//   pcc_removals.cc       removed vertices, PCCs that fall into pieces
//   pcc_cover.cc          centers
//   pcc_verify.cc         everything against everything
//
// Records (numbers in varints unless said otherwise):
//   kMeta        "pcc_format": its name; "pcc_counters": five numbers
//   kVertices    (0, page) PCCs of vertices; (1, page) states (pcc_states.h);
//                (2, page) dead
//   kComponents  (c, 0) header; (c, 1) vertices; (c, 2) links, if there are any
//   kConnected   (0, page) labels of PCCs, -1 if there is no such PCC any more;
//                (1, label) PCCs of a connected component of more than one
//   kRows        (c, i) segment i (pcc_segment.h)
//   kCover       (c) centers, if there are any

#ifndef WARPCLUST_GRAPH_PCC_STORE_PCC_GRAPH_H_
#define WARPCLUST_GRAPH_PCC_STORE_PCC_GRAPH_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/paged_numbers.h"
#include "graph/pcc_store/pcc_records.h"
#include "graph/pcc_store/pcc_segment.h"
#include "graph/pcc_store/pcc_states.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {
namespace internal {

using PccLinks = std::vector<std::pair<int32_t, int64_t>>;

// The second numbers of keys in kComponents.
enum PccPart : uint32_t { kHeaderPart, kVerticesPart, kLinksPart };

// A PCC's header, and its segments once its rows are asked for.
struct PccRows {
  int32_t num_vertices = 0;
  // Entries of the segments that readers skip: dead neighbors, and rows of
  // vertices that died or went to another PCC.
  int64_t dead_entries = 0;
  std::vector<int64_t> segment_entries;

  bool header_changed = false;
  bool segments_open = false;
  std::vector<PccSegment> segments;

  int64_t num_entries() const {
    int64_t sum = 0;
    for (const int64_t entries : segment_entries) sum += entries;
    return sum;
  }
};

class PccGraph {
 public:
  static absl::StatusOr<std::unique_ptr<PccGraph>> Open(
      LmdbTransaction* transaction);

  int32_t next_vertex() const { return component_of_.size(); }
  int32_t num_vertices() const { return num_vertices_; }
  int64_t num_edges() const { return num_edges_; }
  int32_t next_component() const { return labels_.size(); }
  int32_t num_components() const { return num_components_; }
  PccLoads loads() const;

  // As in PccStore.
  absl::StatusOr<PccTouched> Apply(const PccChange& change);
  absl::StatusOr<std::vector<int32_t>> Components();
  absl::StatusOr<std::vector<int32_t>> VerticesOf(int32_t component);
  absl::StatusOr<PccLinks> LinksOf(int32_t component);
  absl::StatusOr<int32_t> LabelOf(int32_t component);
  absl::StatusOr<std::vector<int32_t>> ComponentsOf(int32_t label);
  absl::StatusOr<int32_t> ComponentOf(int32_t vertex);
  absl::Status AppendRow(int32_t vertex, std::vector<int32_t>* row);
  absl::StatusOr<absl::Span<const int32_t>> ReadRow(
      int32_t vertex, std::vector<int32_t>* buffer);
  absl::Status PrepareRows(absl::Span<const int32_t> components);
  absl::Status ReadStates(absl::Span<const int32_t> vertices,
                          absl::Span<VertexState> states);
  absl::Status WriteStates(absl::Span<const int32_t> vertices,
                           absl::Span<const VertexState> states);
  absl::StatusOr<std::vector<PccStore::Center>> CentersOf(int32_t component);
  absl::Status SetCenters(int32_t component,
                          const std::vector<PccStore::Center>& centers);
  absl::Status Flush();
  absl::Status Verify();
  absl::Status Rewrite();

 private:
  PccGraph(LmdbTransaction* transaction, const std::vector<int64_t>& counters);

  // pcc_graph.cc
  absl::Status CheckChange(const PccChange& change) const;
  absl::Status CheckVertices(absl::Span<const int32_t> vertices) const;
  absl::Status SetVertices(int32_t component,
                           const std::vector<int32_t>& vertices);
  absl::StatusOr<PccTouched> TouchedBy(const std::vector<int32_t>& seeds);

  // pcc_rows.cc
  absl::Status CheckComponent(int32_t component);
  // The header of an alive PCC. Points at the same object until Flush.
  absl::StatusOr<PccRows*> Header(int32_t component);
  absl::StatusOr<PccRows*> OpenRows(int32_t component);
  // Puts a row, dead entries and all, behind the first `size` ids of `buffer`,
  // which grows if need be, and returns the new size.
  absl::StatusOr<size_t> ReadParts(const PccRows& rows, size_t first_segment,
                                   int32_t vertex, size_t size,
                                   std::vector<int32_t>* buffer) const;
  // The same for an alive vertex, without dead entries.
  absl::StatusOr<size_t> ReadAlive(int32_t vertex, size_t size,
                                   std::vector<int32_t>* buffer);
  // Drops them from ids[begin, size); returns the new size.
  size_t DropDead(size_t begin, size_t size, int32_t* ids) const;
  // A new alive PCC with the next number.
  absl::StatusOr<int32_t> NewComponent(const std::vector<int32_t>& vertices);
  // Appends a segment; merges the last ones if that is due.
  absl::Status AddSegment(int32_t component, const PccSegmentWriter& writer);
  absl::Status PutSegment(int32_t component, size_t segment, bool open,
                          const PccSegmentWriter& writer);
  // Makes one of the segments from `first` on, without dead entries.
  absl::Status MergeSegments(int32_t component, size_t first);
  absl::Status DeleteComponent(int32_t component);
  void SaveHeaders();
  void DropRows();

  // pcc_links.cc
  absl::Status SetLinks(int32_t component, const PccLinks& links);
  absl::Status SetComponentsOf(int32_t label,
                               const std::vector<int32_t>& components);
  // Joins the connected components of new PCCs with those they are linked to.
  absl::Status JoinLabels(absl::Span<const int32_t> components);
  // Takes the connected component with these PCCs, known as `label` so far,
  // apart by its links.
  absl::Status Relabel(int32_t label, std::vector<int32_t> components);

  // pcc_additions.cc
  absl::Status Add(const PccChange& change);

  // pcc_removals.cc
  struct Removal;
  absl::Status Remove(const PccChange& change, std::vector<int32_t>* seeds);
  absl::Status RemoveFrom(int32_t component, Removal* removal);
  // Pieces of what is left of `component` but the one that remains. `around`:
  // former neighbors of removed vertices.
  absl::StatusOr<std::vector<std::vector<int32_t>>> PiecesOf(
      int32_t component, const std::vector<int32_t>& around);
  absl::Status MovePiece(int32_t component, const std::vector<int32_t>& piece,
                         Removal* removal);
  absl::Status Unlink(Removal* removal);

  // pcc_cover.cc
  absl::StatusOr<std::vector<PccStore::Center>> StoredCenters(
      int32_t component);
  void PutCenters(int32_t component,
                  const std::vector<PccStore::Center>& centers);
  absl::Status MoveCenters(int32_t from, int32_t to);

  // pcc_verify.cc
  absl::Status VerifyTables();
  absl::Status VerifyRows();
  absl::Status VerifyLabels();
  absl::Status VerifyCover();

  PccRecords records_;
  PagedNumbers component_of_;  // By vertex.
  PagedNumbers labels_;        // By PCC.
  DeadVertices dead_;
  PccStates states_;
  int32_t num_vertices_ = 0;
  int64_t num_edges_ = 0;
  int32_t num_components_ = 0;
  // By PCC; null if not read. Filled until Flush.
  std::vector<std::unique_ptr<PccRows>> rows_;

  absl::flat_hash_set<int32_t> components_read_;
  int64_t vertices_read_ = 0;
  mutable std::atomic<int64_t> entries_read_{0};
  mutable std::atomic<int64_t> bytes_read_{0};  // Of segments.
};

// DataLoss: the store contradicts itself, or is damaged.
absl::Status PccDamage(absl::string_view expected, absl::string_view found);

// A list of ascending ids with its length in front, as records hold it.
void AppendIdList(absl::Span<const int32_t> ids, std::string* bytes);
// Takes it from the front of `bytes`; false if it is damaged or an id is not
// below `limit`.
bool ReadIdList(absl::string_view* bytes, int32_t limit,
                std::vector<int32_t>* ids);

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_PCC_GRAPH_H_
