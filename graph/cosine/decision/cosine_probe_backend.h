// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineProbeBackend: what CosineProbe (graph/cosine/cosine_probe.h) is on one
// kind of device. The methods are those of CosineProbe.

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

  virtual absl::Status Join(const DocumentMatrix& block,
                            std::vector<ProbeEdge>* edges) = 0;
  virtual int32_t PieceDocuments() const { return 0; }
  virtual absl::Status JoinPieces(const ProbePieces&,
                                  absl::Span<const double>) {
    return absl::UnimplementedError(
        "JoinPieces: expected a probe on the CPU, found one on another device");
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DECISION_COSINE_PROBE_BACKEND_H_
