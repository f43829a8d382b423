// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseEdges: the edges among candidate pairs, decided exactly, and the graph
// of all edges. On the GPU.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_EDGES_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_EDGES_CUDA_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"
#include "graph/csr/device_graph.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// The edges of n documents so far, each as two entries of the graph.
class DenseEdges {
 public:
  explicit DenseEdges(int32_t num_documents);

  // Adds those of the candidates (row << 32 | column, device memory) whose
  // cosine is at least β. Calls `launched`, if there are candidates, once the
  // GPU has the work.
  absl::Status Add(
      const DeviceDenseDocuments& documents, const CosineDecision& decision,
      const uint64_t* candidates, int64_t count,
      const std::function<void()>& launched = [] {});

  // The graph of all edges. Rows are ascending, whatever the order of Add. A
  // radix sort; 24 bytes per entry beside the graph's 8.
  absl::StatusOr<DeviceGraph> TakeGraph();

 private:
  const int32_t num_documents_;
  // Of a document number in a key: row << bits | column.
  const int bits_;
  int64_t num_entries_ = 0;
  DeviceBuffer<uint64_t> keys_;
  DeviceBuffer<float> cosines_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_EDGES_CUDA_H_
