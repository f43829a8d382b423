// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CpuCosineProbe: the CPU behind CosineProbe (graph/cosine/cosine_probe.h).
// Part of it; use that.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_PROBE_CPU_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_PROBE_CPU_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "graph/cosine/cpu/cosine_probe_joiner.h"
#include "graph/cosine/decision/cosine_probe_backend.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

class CpuCosineProbe : public CosineProbeBackend {
 public:
  // Once, first. `probes` valid.
  absl::Status Build(DocumentMatrix probes, const CosineProbeOptions& options);

  absl::Status Join(const DocumentMatrix& block,
                    std::vector<ProbeEdge>* edges) override;
  bool JoinsPieces() const override { return true; }
  absl::Status JoinPieces(const ProbePieces& pieces,
                          absl::Span<const double> factors) override;

 private:
  // What one thread needs.
  struct Worker {
    explicit Worker(const ProbeIndex& index) : joiner(index) {}

    ProbeJoiner joiner;
    DocumentMatrix piece;
    std::vector<ProbeEdge> found;
  };

  // Makes those of the first `count` threads that there are not yet.
  void Prepare(int count);
  absl::Status JoinInOrder(const DocumentMatrix& block,
                           std::vector<ProbeEdge>* edges);
  absl::Status JoinPiece(const ProbePieces& pieces, int64_t piece,
                         const CountWeights* weights,
                         absl::Span<const double> factors, Worker* worker);

  int num_threads_ = 1;
  ProbeIndex index_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_PROBE_CPU_H_
