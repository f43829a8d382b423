// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A block of dense documents on the GPU. Visitors are appended to its rows for
// as long as they are joined with them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/cosine_cuda_entry.h"
#include "graph/cosine/dense/cuda/begun_dense_join_cuda.h"
#include "graph/cosine/dense/cuda/dense_cosine_graph_cuda.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"
#include "graph/csr/device_graph.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

// Per row, about what its edges take until they are rows of a graph.
constexpr int64_t kEdgeBytes = 128;

class CudaDenseBlock final : public CosineBlockBackend<DenseDocuments> {
 public:
  CudaDenseBlock(DeviceDenseDocuments documents, BegunDenseJoin begun)
      : documents_(std::move(documents)),
        size_(documents_.num_rows),
        begun_(std::move(begun)) {}

  CosineBlockStatistics statistics() const override {
    return {documents_.largest_squared_norm, documents_.integer_weights};
  }
  void SetOptions(const CosineProbeOptions& options) override {
    options_.beta = options.beta;
    options_.integer_decisions = options.integer_arithmetic;
  }
  int32_t tile() const override { return 1; }

  absl::Status Reserve(int32_t num_rows) override {
    RETURN_IF_ERROR(ReserveDenseDocuments(
        int64_t{size_} + num_rows, documents_.num_dimensions, &documents_));
    // What joins will ask the pool for comes there now: later the GPU waits for
    // it. If it does not fit, they do with less.
    const int64_t candidates =
        std::min(int64_t{size_} * num_rows, kMostDenseCandidates);
    DeviceBuffer<char> spare;
    return AllocateUpTo(candidates * int64_t{sizeof(uint64_t)} +
                            kEdgeBytes * (int64_t{size_} + num_rows),
                        0, spare);
  }

  absl::Status GraphOnDevice(DeviceGraph* graph,
                             const std::function<void()>& launched) override {
    ASSIGN_OR_RETURN(
        *graph, EndJoin(documents_, options_,
                        std::exchange(begun_, BegunDenseJoin()), launched));
    return absl::OkStatus();
  }

  absl::StatusOr<CsrGraph> Graph() override {
    DeviceGraph graph;
    RETURN_IF_ERROR(GraphOnDevice(&graph, [] {}));
    return DownloadGraph(graph);
  }

  absl::Status Join(const DenseDocuments& visitors, int32_t begin,
                    std::vector<ProbeEdge>* edges) override {
    if (visitors.num_documents() == 0 || begin >= size_) {
      return absl::OkStatus();
    }
    RETURN_IF_ERROR(AppendDenseDocuments(visitors, &documents_));
    DeviceGraph graph;
    RETURN_IF_ERROR(JoinAppended(begin, &graph));
    // All edges have a visitor, so the neighbors of a row of the block are
    // visitors.
    std::vector<int64_t> offsets(int64_t{size_} + 1);
    RETURN_IF_ERROR(graph.offsets.CopyToHost(absl::MakeSpan(offsets)));
    std::vector<int32_t> neighbors(offsets.back());
    std::vector<float> weights(offsets.back());
    RETURN_IF_ERROR(graph.neighbors.CopyToHost(absl::MakeSpan(neighbors)));
    RETURN_IF_ERROR(graph.weights.CopyToHost(absl::MakeSpan(weights)));
    edges->reserve(edges->size() + offsets.back() - offsets[begin]);
    for (int32_t row = begin; row < size_; ++row) {
      for (int64_t e = offsets[row]; e < offsets[row + 1]; ++e) {
        edges->push_back({row, neighbors[e] - size_, weights[e]});
      }
    }
    return absl::OkStatus();
  }

  absl::Status Pack(int32_t begin, int32_t end, uint32_t* words) override {
    const int64_t dimensions = documents_.num_dimensions;
    return internal::CopyWithinDevice(
        documents_.values.data() + begin * dimensions, words,
        (end - begin) * dimensions * int64_t{sizeof(float)});
  }

  uint32_t* RoomForWords(int32_t num_rows) override {
    const int64_t dimensions = documents_.num_dimensions;
    if ((int64_t{size_} + num_rows) * dimensions > documents_.values.size()) {
      return nullptr;
    }
    static_assert(sizeof(float) == sizeof(uint32_t));
    return reinterpret_cast<uint32_t*>(documents_.values.data() +
                                       size_ * dimensions);
  }

  absl::Status JoinPacked(const uint32_t* words, int64_t num_words,
                          int32_t num_rows, int32_t begin,
                          DeviceGraph* graph) override {
    DenseDocuments visitors;
    visitors.num_rows = num_rows;
    visitors.num_dimensions = documents_.num_dimensions;
    visitors.values = absl::MakeConstSpan(reinterpret_cast<const float*>(words),
                                          static_cast<size_t>(num_words));
    RETURN_IF_ERROR(AppendDenseDocumentsOfGpu(visitors, &documents_));
    return JoinAppended(begin, graph);
  }

 private:
  // Drops the visitors afterwards.
  absl::Status JoinAppended(int32_t begin, DeviceGraph* graph) {
    absl::StatusOr<DeviceGraph> joined =
        DenseCosineBlockOnDevice(documents_, begin, size_, options_);
    RETURN_IF_ERROR(KeepFirstDenseDocuments(size_, &documents_));
    ASSIGN_OR_RETURN(*graph, std::move(joined));
    return absl::OkStatus();
  }

  DeviceDenseDocuments documents_;
  // Of the block.
  const int32_t size_;
  BegunDenseJoin begun_;
  CosineGraphOptions options_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<CosineBlockBackend<DenseDocuments>>>
DenseCosineBlockCuda(const DenseDocuments& block, const Decimal& beta,
                     int32_t num_visitors,
                     const std::function<void()>& copied) {
  BegunDenseJoin begun;
  ASSIGN_OR_RETURN(
      DeviceDenseDocuments documents,
      UploadAndBeginJoin(block, beta, &begun, copied, num_visitors));
  return std::make_unique<CudaDenseBlock>(std::move(documents),
                                          std::move(begun));
}

}  // namespace warpclust
