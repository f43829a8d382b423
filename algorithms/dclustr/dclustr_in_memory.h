// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DClustRInMemory: DClustR as its paper has it (González-Soler, Pérez-Suárez,
// Chang, Informatica 41, section 2.2), with documents, graph and clusters in
// memory. It searches the affected connected components for each update,
// computes the relevances of all their vertices again, and then applies the
// rules of the mode.
//
// It is the baseline that the paper compares CUDA-DClus with (Table 5, Figures
// 18 and 19). To keep clusters up to date, use DClustRCollection (dclustr.h),
// which gives the same clusters after the same batches in either mode, and
// stores them.
//
//   DClustRStoreOptions store;
//   store.mode = DClustRMode::kDClustR;
//   auto collection = DClustRInMemory::Create(store);
//   auto update = collection->Update(batch, {});
//   auto clusters = collection->Read();
//
// Complexity of an update of k documents into n: k · n comparisons, and all
// edges of the affected connected components; with removals, all edges. Memory:
// the vectors, 8 bytes per neighbor, about 40 per document, and as much again
// for the affected components during an update.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_DCLUSTR_IN_MEMORY_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_DCLUSTR_IN_MEMORY_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "algorithms/dclustr/dclustr.h"
#include "graph/csr/csr_graph.h"
#include "graph/pcc_store/documents/document_kind.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/owned_dense_rows.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// A copy copies all of it.
class DClustRInMemory {
 public:
  // InvalidArgument if the options are not valid.
  static absl::StatusOr<DClustRInMemory> Create(
      const DClustRStoreOptions& options);

  const DClustRStoreOptions& options() const { return options_; }

  // Applies the batch. Errors and clusters are those of
  // DClustRCollection::Update. A component is a connected one here,
  // and loads are everything that must be in memory: all components, with all
  // vertices and neighbors. Sizes of vectors are those of all documents before
  // the update; commit_seconds and idf_drift are 0. After an error the
  // collection is unchanged.
  absl::StatusOr<DClustRUpdate> Update(const DClustRBatch& batch,
                                       const DClustRRunOptions& options);

  // The present clusters.
  absl::StatusOr<DClustRClusters> Read(int num_threads = 0) const;

  // The weighted vectors of the present documents, in the order of Read; none
  // if they are dense rows.
  const DocumentMatrix& documents() const { return documents_; }
  // The same for dense rows, valid until the next Update.
  DenseDocuments dense_documents() const { return dense_documents_; }

 private:
  struct Neighbor {
    int32_t vertex;
    float weight;
  };
  // What a batch adds, computed before anything changes.
  struct Addition {
    DocumentMatrix documents;  // weighted; none if they are dense
    CsrGraph graph;            // of the added documents
    // (present vertex by its number after the removals, added one from 0 on),
    // by present vertex.
    std::vector<WeightedEdge> edges;
  };
  // The affected connected components: their vertices, ascending, and the
  // component of each, from 0 on.
  struct Affected {
    std::vector<int32_t> vertices;
    std::vector<int32_t> components;
    int32_t num_components = 0;
  };

  explicit DClustRInMemory(const DClustRStoreOptions& options)
      : options_(options) {}

  absl::StatusOr<std::vector<int32_t>> Removed(const DClustRBatch& batch) const;
  DocumentKind kind() const;
  // Whether edges are decided in integers.
  absl::StatusOr<bool> DecideInIntegers(const DClustRBatch& batch) const;
  absl::StatusOr<Addition> EdgesOf(const DClustRBatch& batch,
                                   const std::vector<int32_t>& removed,
                                   bool integers,
                                   const DClustRRunOptions& options) const;
  // Both append the vertices whose edges changed to `seeds`.
  void Remove(const std::vector<int32_t>& removed, std::vector<int32_t>* seeds,
              DClustRUpdate* update);
  void Append(const DClustRBatch& batch, const Addition& addition,
              std::vector<int32_t>* seeds, DClustRUpdate* update);
  // The components of `seeds`.
  Affected Search(const std::vector<int32_t>& seeds);
  // Clusters the affected components.
  absl::Status Cluster(const Affected& affected, int num_threads,
                       DClustRUpdate* update);

  DClustRStoreOptions options_;
  // Set by the first documents.
  absl::optional<bool> integers_;
  // For tfidf: those of the first documents, and how many there were.
  std::vector<int32_t> frequencies_;
  int32_t frozen_documents_ = 0;

  // By vertex, in order of arrival. Rows ascend by neighbor.
  DocumentMatrix documents_;  // weighted
  // Instead of them; has dimensions from the first dense rows on.
  OwnedDenseRows dense_documents_;
  std::vector<std::string> ids_;
  std::vector<std::vector<Neighbor>> rows_;
  std::vector<int32_t> component_of_;
  absl::flat_hash_map<std::string, int32_t> vertex_of_;
  int64_t num_edges_ = 0;
  int32_t num_components_ = 0;
  // Numbers of components are given once.
  int32_t next_component_ = 0;
  // The vertices linked to each center.
  std::map<int32_t, std::vector<int32_t>> linked_of_center_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_DCLUSTR_IN_MEMORY_H_
