// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The cosine graph of dense documents on the GPU; CosineGraph
// (graph/cosine/cosine_graph.h) chooses between this and the CPU. The graph is
// the same to the bit.
//
// Cost: that of the filter on tensor cores (dense_join_cuda.h) and d steps for
// each pair that it leaves undecided. Device memory: the documents
// (device_dense_documents_cuda.h); 8 bytes per undecided pair, of which some
// millions are decided at a time; 48 bytes per edge. No array of all pairs.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_COSINE_GRAPH_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_COSINE_GRAPH_CUDA_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/device_graph.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

inline constexpr int64_t kMostDenseCandidates = int64_t{1} << 26;

// How the join runs; the graph is the same. For tests and benchmarks.
struct DenseJoinTuning {
  // Pairs to decide at a time, at least those of a tile and a run.
  int64_t most_candidates = kMostDenseCandidates;
  // Candidates of all pairs, if known: parts are chosen to have room for them.
  int64_t expected_candidates = 0;
  // Whether a GPU of compute capability 9.0 uses its own instructions.
  bool hopper = true;
};

// `candidates`: null, or set to the pairs that the filter left to decide.
// InvalidArgument if the options are not valid, Unavailable if the GPU has no
// 8-bit tensor cores, ResourceExhausted if the edges do not fit.
absl::StatusOr<DeviceGraph> DenseCosineGraphOnDevice(
    const DeviceDenseDocuments& documents, const CosineGraphOptions& options,
    int64_t* candidates = nullptr, const DenseJoinTuning& tuning = {});

// The edges of that graph with a document from `first_row` on: what a
// collection on the device gains by rows that were appended to it. Costs one
// pass over the digits of all rows, and for each new row as many products as
// there are rows before it.
absl::StatusOr<DeviceGraph> DenseCosineProbeOnDevice(
    const DeviceDenseDocuments& documents, int32_t first_row,
    const CosineGraphOptions& options, int64_t* candidates = nullptr,
    const DenseJoinTuning& tuning = {});

// Of those edges, the ones of a row in [begin, first_row) and one from
// first_row on: the graph has them all, and may have others of rows before
// `begin`. ProbeOnDevice without the pairs among the new rows.
absl::StatusOr<DeviceGraph> DenseCosineBlockOnDevice(
    const DeviceDenseDocuments& documents, int32_t begin, int32_t first_row,
    const CosineGraphOptions& options, const DenseJoinTuning& tuning = {});

// `upload`, unless null, may have begun to copy the values. If it has not, and
// there are many, the join runs beside the upload (begun_dense_join_cuda.h).
absl::StatusOr<DeviceGraph> DenseCosineGraphOnDevice(
    const DenseDocuments& documents, const CosineGraphOptions& options,
    EarlyUpload<float>* upload = nullptr);

// As CosineGraph on kCuda.
absl::StatusOr<CsrGraph> DenseCosineGraphCuda(
    const DenseDocuments& documents, const CosineGraphOptions& options);

// As DenseCosineProbe::Join (graph/cosine/dense/dense_cosine_probe.h), for
// valid probes and options. Halves the block until it fits in device memory;
// ResourceExhausted if not even one document does.
absl::Status DenseCosineProbeCuda(const DenseDocuments& block,
                                  const DenseDocuments& probes,
                                  const CosineProbeOptions& options,
                                  std::vector<ProbeEdge>* edges);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_COSINE_GRAPH_CUDA_H_
