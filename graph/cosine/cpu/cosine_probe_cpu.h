// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The CPU backend of CosineProbe (graph/cosine/cosine_probe.h): the tile join
// of graph/cosine/cpu/cosine_tile_join.h with the probes as the only columns.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_PROBE_CPU_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_PROBE_CPU_H_

#include <memory>

#include "graph/cosine/decision/cosine_probe_backend.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// `probes`, also their norms, and `options` must be valid.
std::unique_ptr<CosineProbeBackend> CosineProbeCpu(
    DocumentMatrix probes, const CosineProbeOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_PROBE_CPU_H_
