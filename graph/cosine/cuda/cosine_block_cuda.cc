// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A block of sparse documents on the GPU: columns of the cosine join
// (graph/cosine/cuda/cosine_join_cuda.h). Visitors are rows.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/cosine_cuda_entry.h"
#include "graph/cosine/cuda/cosine_graph_cuda.h"
#include "graph/cosine/cuda/cosine_join_cuda.h"
#include "graph/cosine/cuda/cosine_join_kernel_cuda.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/cosine/cuda/ordered_pairs_cuda.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/csr/device_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

class CudaBlock final : public CosineBlockBackend<DocumentMatrix> {
 public:
  CudaBlock(const DocumentMatrix& block, DeviceDocuments documents)
      : block_(block), documents_(std::move(documents)) {}

  CosineBlockStatistics statistics() const override {
    return {documents_.statistics.largest_squared_norm,
            documents_.statistics.integer_weights};
  }
  void SetOptions(const CosineProbeOptions& options) override {
    options_ = options;
  }
  // Tiles begin up to 127 documents earlier than asked for.
  int32_t tile() const override { return kMaxTile - 128; }

  // The device has no work before GraphOnDevice.
  absl::Status Reserve(int32_t) override { return absl::OkStatus(); }

  absl::Status GraphOnDevice(DeviceGraph* graph,
                             const std::function<void()>& launched) override {
    CosineGraphOptions options;
    options.beta = options_.beta;
    options.integer_decisions = options_.integer_arithmetic;
    ASSIGN_OR_RETURN(*graph,
                     CosineGraphOnDevice(documents_, options, launched));
    return absl::OkStatus();
  }

  absl::StatusOr<CsrGraph> Graph() override {
    DeviceGraph graph;
    RETURN_IF_ERROR(GraphOnDevice(&graph, [] {}));
    return DownloadGraph(graph);
  }

  absl::Status Join(const DocumentMatrix& visitors, int32_t begin,
                    std::vector<ProbeEdge>* edges) override {
    const int32_t num_visitors = visitors.num_documents();
    if (num_visitors == 0 || begin >= documents_.num_listed) {
      return absl::OkStatus();
    }
    RETURN_IF_ERROR(ReplaceOthers({&visitors, 0, num_visitors}, &documents_));
    ASSIGN_OR_RETURN(DevicePairs pairs, JoinOthers(begin));
    if (pairs.num_pairs == 0) return absl::OkStatus();
    ASSIGN_OR_RETURN(const OrderedPairs ordered, OrderPairs(std::move(pairs)));
    ASSIGN_OR_RETURN(const std::vector<uint32_t> columns,
                     ordered.columns.ToHost());
    ASSIGN_OR_RETURN(const std::vector<uint64_t> values,
                     ordered.values.ToHost());
    edges->reserve(edges->size() + columns.size());
    for (size_t e = 0; e < columns.size(); ++e) {
      const auto row = static_cast<int32_t>(columns[e]);
      if (row < begin) continue;
      const auto bits = static_cast<uint32_t>(values[e]);
      ProbeEdge edge = {
          row, static_cast<int32_t>(values[e] >> 32) - documents_.num_listed,
          0};
      std::memcpy(&edge.cosine, &bits, sizeof(bits));
      edges->push_back(edge);
    }
    return absl::OkStatus();
  }

  absl::Status Pack(int32_t begin, int32_t end, uint32_t* words) override {
    const int64_t first = block_.offsets[begin];
    return PackDocuments(documents_, begin, end, first,
                         block_.offsets[end] - first, words);
  }

  uint32_t* RoomForWords(int32_t) override { return nullptr; }

  absl::Status JoinPacked(const uint32_t* words, int64_t num_words,
                          int32_t num_rows, int32_t begin,
                          DeviceGraph* graph) override {
    RETURN_IF_ERROR(
        ReplaceOthersByPacked(words, num_words, num_rows, &documents_));
    ASSIGN_OR_RETURN(DevicePairs pairs, JoinOthers(begin));
    ASSIGN_OR_RETURN(*graph, SymmetricGraph(std::move(pairs)));
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<DevicePairs> JoinOthers(int32_t begin) {
    documents_.first_listed = begin;
    // As on the CPU: the options require that 128 bits suffice.
    return JoinByCosine(
        documents_,
        MakeCosineDecision(options_.beta, options_.integer_arithmetic, 0));
  }

  const DocumentMatrix& block_;
  DeviceDocuments documents_;
  CosineProbeOptions options_;
};

// Whether the arrays can be copied; if not, ValidateDocuments says why.
bool SizesMatch(const DocumentMatrix& documents) {
  return !documents.offsets.empty() && documents.offsets.front() == 0 &&
         documents.offsets.back() ==
             static_cast<int64_t>(documents.terms.size()) &&
         documents.terms.size() == documents.weights.size();
}

}  // namespace

absl::StatusOr<std::unique_ptr<CosineBlockBackend<DocumentMatrix>>>
CosineBlockCuda(const DocumentMatrix& block, int num_threads,
                const std::function<void()>& copied) {
  // The copy has threads of its own, and is what the GPU waits for.
  const int free_threads = std::max(1, ResolveThreads(num_threads) / 2);
  std::future<absl::Status> validation = std::async(std::launch::async, [&] {
    return ValidateDocuments(block, free_threads);
  });
  if (!SizesMatch(block)) return validation.get();
  absl::StatusOr<DeviceDocuments> documents = UploadListed(block, [&] {
    copied();
    return validation.get();
  });
  // Not asked, as there was too little memory.
  if (validation.valid()) RETURN_IF_ERROR(validation.get());
  RETURN_IF_ERROR(documents.status());
  return std::make_unique<CudaBlock>(block, *std::move(documents));
}

}  // namespace warpclust
