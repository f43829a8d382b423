// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineProbeBackend: the probes of a CosineProbe on one kind of device.
// Internal to graph/cosine_probe.

#ifndef WARPCLUST_GRAPH_COSINE_DECISION_COSINE_PROBE_BACKEND_H_
#define WARPCLUST_GRAPH_COSINE_DECISION_COSINE_PROBE_BACKEND_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

class CosineProbeBackend {
 public:
  virtual ~CosineProbeBackend() = default;

  // As CosineProbe::Join.
  virtual absl::Status Join(const DocumentMatrix& block,
                            std::vector<ProbeEdge>* edges) = 0;

  // As CosineProbe::JoinPieces, where there is such a way.
  virtual bool JoinsPieces() const { return false; }
  virtual absl::Status JoinPieces(const ProbePieces&,
                                  absl::Span<const double>) {
    return absl::UnimplementedError(
        "cosine probe: this device joins no pieces");
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DECISION_COSINE_PROBE_BACKEND_H_
