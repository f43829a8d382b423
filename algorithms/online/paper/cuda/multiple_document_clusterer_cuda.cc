// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/paper/cuda/multiple_document_clusterer_cuda.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/clusters/cuda/device_engine.h"
#include "algorithms/online/paper/cuda/paper_join_cuda.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

// Documents on the device at a time, in whole batches.
constexpr int64_t kPiece = int64_t{1} << 16;
// Closed clusters leave the lists after at least this many documents.
constexpr int64_t kSweep = int64_t{1} << 12;

class MultipleDocumentClustererCuda : public DeviceEngine {
 public:
  MultipleDocumentClustererCuda(const OnlineOptions& options, int64_t clock,
                                int32_t batch, DeviceClusters clusters,
                                PaperSearch search, PaperJoin join)
      : DeviceEngine(options, clock,
                     std::max<int64_t>(1, kPiece / batch) * batch, batch,
                     std::move(clusters)),
        batch_(batch),
        search_(std::move(search)),
        join_(std::move(join)) {}

  OnlineCounts counts() const override {
    OnlineCounts counts;
    counts.batches = batches_;
    counts.partial_products = search_.partial_products();
    // If the device fails here, so does the next call that can return it.
    counts.candidates = search_.Candidates().value_or(0);
    return WithLists(counts);
  }

 private:
  absl::Status Load(const UnitVectors& documents,
                    absl::Span<const int64_t> clocks, int64_t begin,
                    int64_t end) override {
    RETURN_IF_ERROR(documents_.Load(documents, clocks, begin, end));
    return MakeRoom(documents_.size(), numbers_);
  }

  void Unload() override {
    documents_ = LoadedDocuments();
    numbers_ = DeviceBuffer<int32_t>();
  }

  absl::Status ClusterLoaded(absl::Span<const int64_t> clocks,
                             absl::Span<int32_t> clusters) override {
    const std::vector<int64_t>& offsets = documents_.host_offsets;
    for (int64_t from = 0; from < documents_.size(); from += batch_) {
      const int64_t to = std::min(from + batch_, documents_.size());
      const PaperDocuments batch = {
          documents_.offsets.data() + from, documents_.terms.data(),
          documents_.weights.data(),        documents_.clocks.data() + from,
          static_cast<int32_t>(to - from),  offsets[from],
          offsets[to] - offsets[from]};
      RETURN_IF_ERROR(
          search_.Find(clusters_.view(), clusters_.num_clusters, batch));
      RETURN_IF_ERROR(join_.Join(batch, search_.nearest(), clusters_,
                                 numbers_.data() + from));
      ++batches_;
      clock_ = clocks[to - 1];
      since_sweep_ += to - from;
      if (expire_after_ != 0 &&
          since_sweep_ >= std::max<int64_t>(kSweep, clusters_.num_clusters)) {
        since_sweep_ = 0;
        RETURN_IF_ERROR(join_.CloseExpired(clock_, expire_after_, clusters_));
      }
    }
    return numbers_.CopyToHost(clusters);
  }

  const int64_t batch_;
  int64_t since_sweep_ = 0;
  int64_t batches_ = 0;
  PaperSearch search_;
  PaperJoin join_;
  LoadedDocuments documents_;
  // The clusters of the loaded documents.
  DeviceBuffer<int32_t> numbers_;
};

}  // namespace

namespace internal {

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeMultipleDocumentClustererCuda(
    const OnlineOptions& options, const OnlineState& state,
    const MultipleDocumentOptions& multiple_document_options,
    int64_t tile_products) {
  RETURN_IF_ERROR(ResolveDevice(Device::kCuda).status());
  absl::StatusOr<DeviceClusters> clusters =
      DeviceClusters::Create(options, state);
  if (!clusters.ok()) {
    return NameWhatDidNotFit(clusters.status(),
                             ClustersOnGpu(state.num_clusters()));
  }
  absl::StatusOr<PaperSearch> search = PaperSearch::Create(
      {SimilarityAbove(options.threshold),
       BucketWidth(multiple_document_options.epsilon), options.expire_after,
       multiple_document_options.exhaustive, tile_products});
  if (!search.ok()) {
    return NameWhatDidNotFit(search.status(),
                             "a batch of documents on the GPU");
  }
  absl::StatusOr<PaperJoin> join = PaperJoin::Create(*clusters);
  if (!join.ok()) {
    return NameWhatDidNotFit(join.status(), "a batch of documents on the GPU");
  }
  return std::make_unique<MultipleDocumentClustererCuda>(
      options, state.clock, multiple_document_options.batch,
      *std::move(clusters), *std::move(search), *std::move(join));
}

}  // namespace internal

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeMultipleDocumentClustererCuda(
    const OnlineOptions& options, const OnlineState& state,
    const MultipleDocumentOptions& multiple_document_options) {
  return internal::MakeMultipleDocumentClustererCuda(
      options, state, multiple_document_options, PaperSearch::kTileProducts);
}

}  // namespace warpclust
