// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/paper/cuda/multiple_document_clusterer_cuda.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/cuda/device_clusters.h"
#include "algorithms/online/paper/cuda/paper_join_cuda.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/status/status_macros.h"
#include "kernels/device.h"
#include "kernels/device_buffer.h"

namespace warpclust {
namespace {

// Documents that are on the device at a time, in whole batches.
constexpr int64_t kPiece = int64_t{1} << 16;
// Documents before closed clusters leave the lists, at least.
constexpr int64_t kSweep = int64_t{1} << 12;

// Writes `values` into `buffer`, which is made large enough; at least 1.
template <typename T>
absl::Status Upload(absl::Span<const T> values, DeviceBuffer<T>& buffer) {
  const auto size = std::max<int64_t>(1, static_cast<int64_t>(values.size()));
  if (size > buffer.size()) {
    RETURN_IF_ERROR(AllocateInto(size, buffer));
  }
  return buffer.CopyFromHost(values);
}

class MultipleDocumentClustererCuda : public OnlineEngine {
 public:
  MultipleDocumentClustererCuda(const OnlineOptions& options,
                                const OnlineState& state, int32_t batch,
                                DeviceClusters clusters, PaperSearch search,
                                PaperJoin join)
      : expire_after_(options.expire_after),
        batch_(batch),
        clock_(state.clock),
        clusters_(std::move(clusters)),
        search_(std::move(search)),
        join_(std::move(join)) {}

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    absl::Status status = ClusterPieces(documents, clocks, clusters);
    if (status.ok()) return status;
    return NameWhatDidNotFit(
        status, absl::StrCat("a stream with ", clusters_.num_clusters,
                             " clusters on the GPU"));
  }

  absl::StatusOr<OnlineState> State() override {
    return clusters_.State(clock_, expire_after_);
  }

  int32_t num_clusters() const override { return clusters_.num_clusters; }

  OnlineCounts counts() const override {
    OnlineCounts counts;
    counts.batches = batches_;
    counts.partial_products = search_.partial_products();
    // Without an answer the next call that can fail does.
    counts.candidates = search_.Candidates().value_or(0);
    if (!clusters_.CountEntries(&counts.list_entries, &counts.lists).ok()) {
      counts.list_entries = 0;
      counts.lists = 0;
    }
    return counts;
  }

 private:
  absl::Status ClusterPieces(const UnitVectors& documents,
                             absl::Span<const int64_t> clocks,
                             absl::Span<int32_t> clusters) {
    RETURN_IF_ERROR(clusters_.ReserveTerms(documents.num_terms));
    int64_t piece = std::max<int64_t>(1, kPiece / batch_) * batch_;
    for (int64_t begin = 0; begin < documents.size();) {
      const int64_t end = std::min(begin + piece, documents.size());
      const absl::Span<const int64_t> own = clocks.subspan(begin, end - begin);
      absl::Status status = Load(documents, begin, end, own);
      if (absl::IsResourceExhausted(status) && end - begin > batch_) {
        // Fewer of them at a time, in whole batches: the answer is the same.
        Unload();
        const int64_t batches = (end - begin + batch_ - 1) / batch_;
        piece = batches / 2 * batch_;
        continue;
      }
      if (!status.ok()) return status;
      RETURN_IF_ERROR(ClusterLoaded(own, clusters.subspan(begin, end - begin)));
      begin = end;
    }
    return absl::OkStatus();
  }

  // Documents [begin, end) on the device; `clocks` are theirs alone.
  absl::Status Load(const UnitVectors& documents, int64_t begin, int64_t end,
                    absl::Span<const int64_t> clocks) {
    const int64_t first = documents.offsets[begin];
    const int64_t entries = documents.offsets[end] - first;
    offsets_.clear();
    for (int64_t d = begin; d <= end; ++d) {
      offsets_.push_back(documents.offsets[d] - first);
    }
    absl::Status status = Upload<int64_t>(offsets_, device_offsets_);
    status.Update(Upload(
        absl::MakeConstSpan(documents.terms).subspan(first, entries), terms_));
    status.Update(
        Upload(absl::MakeConstSpan(documents.weights).subspan(first, entries),
               weights_));
    status.Update(Upload(clocks, clocks_));
    if (!status.ok()) return status;
    return end - begin > numbers_.size() ? AllocateInto(end - begin, numbers_)
                                         : absl::OkStatus();
  }

  void Unload() {
    device_offsets_ = DeviceBuffer<int64_t>();
    terms_ = DeviceBuffer<int32_t>();
    weights_ = DeviceBuffer<int32_t>();
    clocks_ = DeviceBuffer<int64_t>();
    numbers_ = DeviceBuffer<int32_t>();
  }

  absl::Status ClusterLoaded(absl::Span<const int64_t> clocks,
                             absl::Span<int32_t> clusters) {
    const auto size = static_cast<int64_t>(clocks.size());
    for (int64_t from = 0; from < size; from += batch_) {
      const int64_t to = std::min(from + batch_, size);
      const PaperDocuments batch = {device_offsets_.data() + from,
                                    terms_.data(),
                                    weights_.data(),
                                    clocks_.data() + from,
                                    static_cast<int32_t>(to - from),
                                    offsets_[from],
                                    offsets_[to] - offsets_[from]};
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

  const int64_t expire_after_;
  const int64_t batch_;
  int64_t clock_;
  int64_t since_sweep_ = 0;
  int64_t batches_ = 0;
  DeviceClusters clusters_;
  PaperSearch search_;
  PaperJoin join_;
  // The documents of a piece, and the clusters they went to.
  std::vector<int64_t> offsets_;
  DeviceBuffer<int64_t> device_offsets_;
  DeviceBuffer<int32_t> terms_;
  DeviceBuffer<int32_t> weights_;
  DeviceBuffer<int64_t> clocks_;
  DeviceBuffer<int32_t> numbers_;
};

}  // namespace

namespace internal {

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeMultipleDocumentClustererCuda(
    const OnlineOptions& options, const OnlineState& state, int32_t batch,
    const Decimal& epsilon, int64_t tile_products) {
  if (const absl::StatusOr<Device> device = ResolveDevice(Device::kCuda);
      !device.ok()) {
    return device.status();
  }
  absl::StatusOr<DeviceClusters> clusters =
      DeviceClusters::Create(options.terms, state);
  if (!clusters.ok()) {
    return NameWhatDidNotFit(
        clusters.status(), absl::StrCat("a stream with ", state.num_clusters(),
                                        " clusters on the GPU"));
  }
  absl::StatusOr<PaperSearch> search = PaperSearch::Create(
      {SimilarityAbove(options.threshold), BucketWidth(epsilon),
       options.expire_after, tile_products});
  if (!search.ok()) {
    return NameWhatDidNotFit(search.status(),
                             "a batch of documents on the GPU");
  }
  absl::StatusOr<PaperJoin> join = PaperJoin::Create(*clusters);
  if (!join.ok()) {
    return NameWhatDidNotFit(join.status(), "a batch of documents on the GPU");
  }
  return std::make_unique<MultipleDocumentClustererCuda>(
      options, state, batch, *std::move(clusters), *std::move(search),
      *std::move(join));
}

}  // namespace internal

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeMultipleDocumentClustererCuda(
    const OnlineOptions& options, const OnlineState& state, int32_t batch,
    const Decimal& epsilon) {
  return internal::MakeMultipleDocumentClustererCuda(
      options, state, batch, epsilon, PaperSearch::kTileProducts);
}

}  // namespace warpclust
