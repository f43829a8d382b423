// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The cosine join of graph/cosine/cuda/cosine_join_cuda.h with the probes as
// columns and the documents of a block as rows. Every join uploads both: the
// probes are few compared to a block. What does not fit is halved.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/cosine_cuda_entry.h"
#include "graph/cosine/cuda/cosine_join_cuda.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/cosine/cuda/ordered_pairs_cuda.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

int64_t Size(const DocumentRange& range) {
  return range.num_documents() + range.num_entries();
}

std::pair<DocumentRange, DocumentRange> Halves(const DocumentRange& range) {
  const int32_t middle = range.begin + range.num_documents() / 2;
  return {{range.documents, range.begin, middle},
          {range.documents, middle, range.end}};
}

class CudaProbe final : public CosineProbeBackend {
 public:
  CudaProbe(DocumentMatrix probes, const CosineProbeOptions& options)
      : probes_(std::move(probes)),
        largest_squared_norm_(options.LargestSquaredNorm()),
        // As on the CPU: the options require that 128 bits suffice.
        decision_(
            MakeCosineDecision(options.beta, options.integer_arithmetic, 0)) {}

  absl::Status Join(const DocumentMatrix& block,
                    std::vector<ProbeEdge>* edges) override {
    if (block.num_documents() == 0) return absl::OkStatus();
    const size_t before = edges->size();
    halved_probes_ = false;
    const absl::Status status =
        JoinParts({&probes_, 0, probes_.num_documents()},
                  {&block, 0, block.num_documents()}, edges);
    if (!status.ok()) {
      edges->resize(before);
    } else if (halved_probes_) {
      std::sort(edges->begin() + static_cast<std::ptrdiff_t>(before),
                edges->end(), [](const ProbeEdge& a, const ProbeEdge& b) {
                  return std::pair(a.row, a.probe) < std::pair(b.row, b.probe);
                });
    }
    return status;
  }

 private:
  // `rows` must not be empty.
  absl::Status JoinParts(const DocumentRange& probes, const DocumentRange& rows,
                         std::vector<ProbeEdge>* edges) {
    const absl::Status status = JoinOnDevice(probes, rows, edges);
    if (!absl::IsResourceExhausted(status)) return status;
    const bool can_halve_probes = probes.num_documents() > 1;
    const bool can_halve_rows = rows.num_documents() > 1;
    if (!can_halve_probes && !can_halve_rows) {
      return NameWhatDidNotFit(status, "comparing two documents on the GPU");
    }
    if (can_halve_rows && (!can_halve_probes || Size(rows) >= Size(probes))) {
      const auto [first, second] = Halves(rows);
      RETURN_IF_ERROR(JoinParts(probes, first, edges));
      return JoinParts(probes, second, edges);
    }
    halved_probes_ = true;
    const auto [first, second] = Halves(probes);
    RETURN_IF_ERROR(JoinParts(first, rows, edges));
    return JoinParts(second, rows, edges);
  }

  // Appends nothing on an error.
  absl::Status JoinOnDevice(const DocumentRange& probes,
                            const DocumentRange& rows,
                            std::vector<ProbeEdge>* edges) {
    ASSIGN_OR_RETURN(DeviceDocuments documents, UploadDocuments(probes, rows));
    if (documents.statistics.largest_squared_norm > largest_squared_norm_) {
      return ProbeNormTooLarge("a document");
    }
    ASSIGN_OR_RETURN(DevicePairs pairs, JoinByCosine(documents, decision_));
    if (pairs.num_pairs == 0) return absl::OkStatus();
    documents = DeviceDocuments();  // Its memory is needed now.
    ASSIGN_OR_RETURN(const OrderedPairs ordered, OrderPairs(std::move(pairs)));
    ASSIGN_OR_RETURN(const std::vector<uint32_t> columns,
                     ordered.columns.ToHost());
    ASSIGN_OR_RETURN(const std::vector<uint64_t> values,
                     ordered.values.ToHost());

    const size_t before = edges->size();
    edges->resize(before + columns.size());
    const int32_t row_shift = rows.begin - probes.num_documents();
    for (size_t e = 0; e < columns.size(); ++e) {
      ProbeEdge& edge = (*edges)[before + e];
      edge.row = row_shift + static_cast<int32_t>(values[e] >> 32);
      edge.probe = probes.begin + static_cast<int32_t>(columns[e]);
      const uint32_t bits = static_cast<uint32_t>(values[e]);
      std::memcpy(&edge.cosine, &bits, sizeof(bits));
    }
    return absl::OkStatus();
  }

  const DocumentMatrix probes_;
  const double largest_squared_norm_;
  const CosineDecision decision_;
  // Whether the edges of a row came in several parts.
  bool halved_probes_ = false;
};

}  // namespace

absl::StatusOr<std::unique_ptr<CosineProbeBackend>> CosineProbeCuda(
    DocumentMatrix probes, const CosineProbeOptions& options) {
  return std::make_unique<CudaProbe>(std::move(probes), options);
}

}  // namespace warpclust
