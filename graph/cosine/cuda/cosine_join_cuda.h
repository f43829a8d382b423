// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineJoin: the pairs of documents (j < i) whose cosine may reach, or does
// reach, β, found on the GPU: all pairs, or those of a listed document with one
// that is not (device_documents_cuda.h). Internal to graph/cosine_graph_cuda
// and graph/cosine_probe_cuda.
//
// How. A thread block owns a document i and a tile of columns j, with one
// integer accumulator a column in shared memory. The accumulators start from
// the products of the frequent terms, which the tensor cores make
// (cosine_dense_block_cuda.h); for i's other terms the block walks their term
// lists, each only up to i itself, and adds weight products; then it scans the
// accumulators once (cosine_join_kernel_cuda.h). No float is added on the way
// to a decision but in the order that cosine_decision.h names, so the order of
// the atomics cannot show.
//
// Work: n² / 2 tensor-core multiply-adds a frequent term, list length² / 2
// additions each other term, one scan of n² / 2 accumulators. (With p listed
// documents of n: p · (n - p) for n² / 2, and for the square of a list its
// length times the others that hold the term.) Floor on an H200: 4 bytes of L2
// and one shared-memory atomic an addition.
// Device memory beside the documents: 6 bytes an entry; 12 a term; 8 a pair
// that is an edge, or 12 a candidate with real weights (a quarter more are
// reserved; up to 2^28 pairs in all, room for every one); 12 · n · ⌈n / 49152⌉
// (rows times tiles of columns) for the runs; 768 a document for the dense
// block and at most 0.8 GB for its panel.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_COSINE_JOIN_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_COSINE_JOIN_CUDA_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "kernels/device_buffer.h"

namespace warpclust {

// Runs of pairs: run (tile, i) holds the columns j < i of one column tile that
// passed, ascending, at [run_starts[r], + run_counts[r]) with
// r = tile * num_rows() + i - first_row.
struct DevicePairs {
  int32_t num_documents = 0;
  // Documents before this are columns only.
  int32_t first_row = 0;
  int32_t num_tiles = 0;
  // Places in use; every run lies in [0, num_pairs).
  int64_t num_pairs = 0;
  DeviceBuffer<int64_t> run_starts;  // num_tiles * num_rows()
  DeviceBuffer<int32_t> run_counts;  // num_tiles * num_rows()
  DeviceBuffer<int32_t> columns;     // j
  // The cosine of the pair; negative for a candidate that VerifyPairs refused.
  DeviceBuffer<float> cosines;

  int32_t num_rows() const { return num_documents - first_row; }
};

// All pairs that reach β; unless all documents are listed, those of a listed
// one (j) and one that is not (i) only. ResourceExhausted if the pairs do not
// fit the memory.
absl::StatusOr<DevicePairs> JoinByCosine(const DeviceDocuments& documents,
                                         const CosineDecision& decision);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_COSINE_JOIN_CUDA_H_
