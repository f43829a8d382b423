// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineJoin: the pairs of documents (j < i) whose cosine is at least β, found
// on the GPU: all pairs, or those of a listed document and one that is not
// (graph/cosine/cuda/device_documents_cuda.h).
//
// How. A thread block owns a document i and a tile of columns j, with one
// integer accumulator per column in shared memory. The accumulators start with
// the products of the frequent terms, which the tensor cores compute
// (cosine_dense_block_cuda.h). For the other terms of i the block walks their
// term lists, each only up to i itself, and adds products of weights. Then it
// scans the accumulators once (cosine_join_kernel_cuda.h). Where an accumulator
// is only a bound, VerifyPairs decides the pair. Floats are added only
// in the order that cosine_decision.h specifies, so the order of the atomics
// does not matter.
//
// Work: n² / 2 tensor-core multiply-adds per frequent term, list length² / 2
// additions per other term, one scan of n² / 2 accumulators. (If p documents of
// n are listed: p · (n - p) instead of n² / 2, and the list's length times the
// other documents with the term instead of its square.)
// Device memory beside the documents: 6 bytes per entry; 12 per term; 8 per
// edge, or 12 per candidate with real weights (a quarter more is reserved; room
// for all pairs if they are at most 2^28); 12 · n · ⌈n / 49152⌉ (rows times
// tiles of columns) for the runs; 768 per document for the dense block and at
// most 0.8 GB for its panel.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_COSINE_JOIN_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_COSINE_JOIN_CUDA_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// Runs of pairs. Run r = tile * num_rows() + i - first_row has the columns j <
// i of one tile that passed, ascending: run_counts[r] of them from
// run_starts[r] on.
struct DevicePairs {
  int32_t num_documents = 0;
  // Documents before this one are columns only.
  int32_t first_row = 0;
  int32_t num_tiles = 0;
  // Every run lies in [0, num_pairs).
  int64_t num_pairs = 0;
  DeviceBuffer<int64_t> run_starts;  // num_tiles * num_rows()
  DeviceBuffer<int32_t> run_counts;  // num_tiles * num_rows()
  DeviceBuffer<int32_t> columns;     // j
  // The cosine of the pair; negative for a candidate that is no edge.
  DeviceBuffer<float> cosines;

  int32_t num_rows() const { return num_documents - first_row; }
};

// All pairs that reach β; unless all documents are listed, only those of a
// listed document j and another one i. Of pairs with a j before first_listed,
// what is found is undefined. `launched` is called once the GPU has a pass over
// all pairs to do, which is most of the time. ResourceExhausted if the pairs do
// not fit in the memory.
absl::StatusOr<DevicePairs> JoinByCosine(
    const DeviceDocuments& documents, const CosineDecision& decision,
    const std::function<void()>& launched = [] {});

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_COSINE_JOIN_CUDA_H_
