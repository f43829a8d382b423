// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OClustR with relevances and initial centers computed on the GPU (CUDA-OClus,
// section 3.1 of the paper). Stage 3 runs on the CPU and needs only the rows of
// the initial centers, so a graph that was built on the GPU is never copied as
// a whole. Use oclustr.h unless the graph is in device memory already.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_CUDA_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_CUDA_H_

#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {

struct DeviceGraph;  // graph/csr/device_graph.h

// As OClustR on Device::kCuda. seconds.graph is the time to copy the graph to
// the GPU. Unavailable in a build without CUDA.
absl::StatusOr<OClustRResult> OClustRCuda(const CsrGraph& graph,
                                          int num_threads = 0);

// The same for a valid graph in device memory; only in builds with CUDA. Device
// memory: 37 bytes per vertex and the rows of the initial centers.
absl::StatusOr<OClustRResult> OClustRCuda(const DeviceGraph& graph,
                                          int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_CUDA_H_
