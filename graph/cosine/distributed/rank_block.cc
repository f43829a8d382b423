// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/rank_block.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/cuda/cosine_cuda_entry.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/dense/dense_cosine_probe.h"
#include "graph/cosine/distributed/document_pieces.h"

namespace warpclust {
namespace {

// Rows of a block that is joined in part are copied this many at a time.
constexpr int32_t kSliceRows = 1 << 16;

absl::StatusOr<CosineProbe> MakeProbe(DocumentMatrix probes,
                                      const CosineProbeOptions& options,
                                      Device device) {
  return CosineProbe::Create(std::move(probes), options, device);
}
absl::StatusOr<DenseCosineProbe> MakeProbe(const DenseDocuments& probes,
                                           const CosineProbeOptions& options,
                                           Device device) {
  return DenseCosineProbe::Create(probes, options, device);
}

absl::StatusOr<std::unique_ptr<CosineBlockBackend<DocumentMatrix>>> PutOnDevice(
    const DocumentMatrix& documents, const CosineProbeOptions& options,
    int32_t /*num_visitors*/, const std::function<void()>& copied) {
  return CosineBlockCuda(documents, options.num_threads, copied);
}
absl::StatusOr<std::unique_ptr<CosineBlockBackend<DenseDocuments>>> PutOnDevice(
    const DenseDocuments& documents, const CosineProbeOptions& options,
    int32_t num_visitors, const std::function<void()>& copied) {
  return DenseCosineBlockCuda(documents, options.beta, num_visitors, copied);
}

std::unique_ptr<CosineListProbe> MakeLists(const DocumentMatrix& documents,
                                           const CosineProbeOptions& options) {
  return CosineListProbe::MakeIfCheaper(documents, options);
}
std::unique_ptr<CosineListProbe> MakeLists(const DenseDocuments&,
                                           const CosineProbeOptions&) {
  return nullptr;
}

absl::Status Validate(const DocumentMatrix& documents, int num_threads) {
  return ValidateDocuments(documents, num_threads);
}
absl::Status Validate(const DenseDocuments& documents, int num_threads) {
  return ValidateDenseDocuments(documents, num_threads);
}

}  // namespace

template <typename Documents>
absl::Status RankBlock<Documents>::Start(int32_t num_visitors,
                                         const std::function<void()>& copied) {
  on_device_ = nullptr;
  if (device_ == Device::kCpu || documents_.num_documents() == 0) {
    return Validate(documents_, options_.num_threads);
  }
  ASSIGN_OR_RETURN(on_device_,
                   PutOnDevice(documents_, options_, num_visitors, copied));
  on_device_->SetOptions(options_);
  return absl::OkStatus();
}

template <typename Documents>
CosineBlockStatistics RankBlock<Documents>::statistics() const {
  if (on_device_ != nullptr) return on_device_->statistics();
  CosineBlockStatistics statistics;
  const int num_threads = ResolveThreads(options_.num_threads);
  for (const double norm : SquaredNorms(documents_, num_threads)) {
    statistics.largest_squared_norm =
        std::max(statistics.largest_squared_norm, norm);
  }
  statistics.integer_weights = HasIntegerWeights(documents_, num_threads);
  return statistics;
}

template <typename Documents>
void RankBlock<Documents>::SetOptions(const CosineProbeOptions& options) {
  options_ = options;
  EndJoins();
  if (on_device_ != nullptr) on_device_->SetOptions(options);
}

template <typename Documents>
absl::StatusOr<CsrGraph> RankBlock<Documents>::Graph(bool has_visitors) {
  if (on_device_ != nullptr) return on_device_->Graph();
  if (has_visitors && Lists() != nullptr) return Lists()->Graph();
  CosineGraphOptions options;
  options.beta = options_.beta;
  options.integer_decisions = options_.integer_arithmetic;
  options.num_threads = options_.num_threads;
  return CosineGraph(documents_, options, Device::kCpu);
}

template <typename Documents>
CosineListProbe* RankBlock<Documents>::Lists() {
  if (device_ != Device::kCpu) return nullptr;
  if (!lists_.has_value()) lists_ = MakeLists(documents_, options_);
  return lists_->get();
}

template <typename Documents>
absl::Status RankBlock<Documents>::Join(Documents visitors, int32_t begin,
                                        std::vector<ProbeEdge>* edges) {
  if (documents_.num_documents() == 0 || visitors.num_documents() == 0) {
    return absl::OkStatus();
  }
  if (on_device_ != nullptr) {
    const absl::Status status = on_device_->Join(visitors, begin, edges);
    if (!absl::IsResourceExhausted(status)) return status;
    // The parts need its memory.
    on_device_ = nullptr;
  }
  return JoinParts(std::move(visitors), begin, edges);
}

template <typename Documents>
absl::Status RankBlock<Documents>::JoinParts(Documents visitors, int32_t begin,
                                             std::vector<ProbeEdge>* edges) {
  if constexpr (std::is_same_v<Documents, DocumentMatrix>) {
    if (device_ == Device::kCpu) {
      if (Lists() != nullptr) return Lists()->Join(visitors, begin, edges);
      if (tiles_ == nullptr) {
        tiles_ = std::make_unique<CosineTileProbe>(documents_, options_);
      }
      return tiles_->Join(visitors, begin, edges);
    }
  }
  ASSIGN_OR_RETURN(auto probe,
                   MakeProbe(std::move(visitors), options_, device_));
  if (begin == 0) return probe.Join(documents_, edges);
  const int32_t size = documents_.num_documents();
  while (begin < size) {
    const size_t first = edges->size();
    const int32_t end = std::min(size - begin, kSliceRows) + begin;
    RETURN_IF_ERROR(probe.Join(SliceRows(documents_, begin, end), edges));
    for (size_t e = first; e < edges->size(); ++e) (*edges)[e].row += begin;
    begin = end;
  }
  return absl::OkStatus();
}

template class RankBlock<DocumentMatrix>;
template class RankBlock<DenseDocuments>;

}  // namespace warpclust
