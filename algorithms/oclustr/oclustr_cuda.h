// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OClustR with relevances and initial centers found on the GPU: CUDA-OClus of
// the paper (section 3.1), and its covering too. Stage 3 runs on the CPU and
// needs the rows of the initial centers only, so a graph that was built on the
// GPU is never copied as a whole. See oclustr.h, and use that unless the graph
// is in device memory already.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_CUDA_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_CUDA_H_

#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

struct DeviceGraph;  // graph/csr/device_graph.h

// As OClustR on Device::kCuda; the graph is copied to the GPU, which
// seconds.graph measures. Unavailable in a build without CUDA.
absl::StatusOr<OClustRResult> OClustRCuda(const CsrGraph& graph,
                                          int num_threads = 0);

// The same for a valid graph in device memory; only builds with CUDA have it.
// Device memory: 37 bytes a vertex and the rows of the initial centers beside
// the graph.
absl::StatusOr<OClustRResult> OClustRCuda(const DeviceGraph& graph,
                                          int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_CUDA_H_
