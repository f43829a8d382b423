// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/dense/cuda/byte_search_cuda.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/dense/cuda/byte_rows_cuda.h"
#include "algorithms/online/dense/dense_batched_clusterer.h"
#include "base/status/status_macros.h"
#include "graph/cosine/dense/cuda/dense_join_cuda.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

using Pair = BatchPairs::Pair;

// The row of cluster 0; those before are the batch's.
constexpr int32_t kFirstCluster = DenseBatchedOptions::kMostBatch;
static_assert(kFirstCluster % kDenseRunColumns == 0);
static_assert(kFirstCluster % kDenseRowPadding == 0);

// Rows that are made and copied at a time.
constexpr int64_t kMostStaged = 1 << 14;

int64_t Padded(int64_t rows) {
  return (rows + kDenseRowPadding - 1) / kDenseRowPadding * kDenseRowPadding;
}

// Digits and scale of a row, as device_dense_documents_cuda.h defines them.
void MakeByteRow(const int32_t* weights, int32_t num_dimensions, int most_digit,
                 int8_t* digits, DenseScale* scale) {
  double norm = 0;
  int32_t largest = 0;
  for (int32_t k = 0; k < num_dimensions; ++k) {
    norm += static_cast<double>(weights[k]) * weights[k];
    largest = std::max(largest, std::abs(weights[k]));
  }
  if (largest == 0) return;
  const double step = static_cast<double>(largest) / most_digit;
  const double per_step = static_cast<double>(most_digit) / largest;
  double square = 0;  // Of the residual.
  for (int32_t k = 0; k < num_dimensions; ++k) {
    const double digit = weights[k] * per_step;
    digits[k] = static_cast<int8_t>(digit + (digit < 0 ? -0.5 : 0.5));
    const double residual = weights[k] - step * digits[k];
    square += residual * residual;
  }
  const double length = std::sqrt(norm);
  scale->t = static_cast<float>(step / length);
  // The roundings of these sums and roots change r by less than a factor of
  // 1 + 1e-9.
  const double r = std::sqrt(square) / length * (1 + 1e-9);
  scale->u = std::nextafter(static_cast<float>(1 + r),
                            std::numeric_limits<float>::infinity());
}

// What the join finds: row << 32 | column.
struct JoinCandidates {
  DeviceBuffer<uint64_t> keys;
  DeviceBuffer<unsigned long long> count;
};

class ByteSearch : public DenseBatchSearch {
 public:
  explicit ByteSearch(int num_threads) : num_threads_(num_threads) {}

  absl::Status Begin(int32_t num_dimensions,
                     const BatchBounds& bounds) override {
    rows_.num_dimensions = num_dimensions;
    rows_.digit_bytes = DenseDigitBytes(num_dimensions);
    most_digit_ = MostDenseDigit(num_dimensions);
    least_cluster_cosine_ = bounds.cluster - 3 * bounds.p;
    least_document_cosine_ = bounds.document - 3 * bounds.p;
    ASSIGN_OR_RETURN(plan_, PlanDenseJoin(rows_.digit_bytes, /*hopper=*/true));
    for (JoinCandidates* candidates : {&with_clusters_, &with_documents_}) {
      RETURN_IF_ERROR(Named(AllocateInto(kMostCandidates, candidates->keys)));
      RETURN_IF_ERROR(Named(AllocateInto(1, candidates->count)));
    }
    return MakeRoomForClusters(0);
  }

  absl::Status Update(const DenseClusters& clusters,
                      absl::Span<const int32_t> changed) override {
    num_clusters_ = clusters.size();
    RETURN_IF_ERROR(MakeRoomForClusters(num_clusters_));
    for (size_t begin = 0; begin < changed.size(); begin += kMostStaged) {
      const absl::Span<const int32_t> some =
          changed.subspan(begin, kMostStaged);
      const auto count = static_cast<int64_t>(some.size());
      MakeRows(count, count,
               [&](int64_t i) { return clusters.WeightsOf(some[i]); });
      numbers_.resize(count);
      for (int64_t i = 0; i < count; ++i) numbers_[i] = kFirstCluster + some[i];
      RETURN_IF_ERROR(Named(Upload(count)));
      RETURN_IF_ERROR(ScatterByteRows(staged_, count, &rows_));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<bool> Find(absl::Span<const int32_t> weights,
                            BatchCandidates* found) override {
    const int32_t dimensions = rows_.num_dimensions;
    const auto n = static_cast<int32_t>(weights.size() / dimensions);
    // Rows behind them in their last tile have scales of 0.
    MakeRows(n, Padded(n),
             [&](int64_t d) { return weights.data() + d * dimensions; });
    RETURN_IF_ERROR(rows_.digits.CopyFromHost(digits_));
    RETURN_IF_ERROR(rows_.scales.CopyFromHost(scales_));
    RETURN_IF_ERROR(Named(FillTileScales(&rows_)));
    RETURN_IF_ERROR(Join(n, kFirstCluster, Padded(num_clusters_),
                         least_cluster_cosine_, &with_clusters_));
    RETURN_IF_ERROR(
        Join(n, 0, Padded(n), least_document_cosine_, &with_documents_));
    ASSIGN_OR_RETURN(const bool has_clusters,
                     Download(with_clusters_, [&](int32_t row, int32_t column) {
                       return Pair{column, row - kFirstCluster, 0};
                     }));
    if (!has_clusters) return false;
    // Padding passes if everything does.
    std::erase_if(pairs_, [&](const Pair& pair) {
      return pair.document >= n || pair.other >= num_clusters_;
    });
    found->clusters.Group(absl::MakeConstSpan(&pairs_, 1), n);
    ASSIGN_OR_RETURN(const bool has_documents,
                     Download(with_documents_, [](int32_t row, int32_t column) {
                       return Pair{row, column, 0};
                     }));
    if (!has_documents) return false;
    std::erase_if(pairs_, [&](const Pair& pair) { return pair.document >= n; });
    found->documents.Group(absl::MakeConstSpan(&pairs_, 1), n);
    return true;
  }

  int32_t product_margin() const override { return 0; }

 private:
  static absl::Status Named(const absl::Status& status) {
    return NameWhatDidNotFit(status, "the clusters of dense documents");
  }

  absl::Status MakeRoomForClusters(int64_t clusters) {
    const int64_t rows = kFirstCluster + Padded(clusters);
    if (rows > INT32_MAX) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "expected at most ", INT32_MAX - kFirstCluster - kDenseRowPadding,
          " clusters of dense documents on a GPU, found ", clusters));
    }
    rows_.num_rows = static_cast<int32_t>(rows);
    RETURN_IF_ERROR(
        Named(ReserveZeroed(rows * rows_.digit_bytes, rows_.digits)));
    return Named(ReserveZeroed(rows, rows_.scales));
  }

  // Fills digits_ and scales_: `count` rows of weights, then zeros up to
  // `padded` rows.
  template <typename WeightsOf>
  void MakeRows(int64_t count, int64_t padded, const WeightsOf& weights_of) {
    digits_.assign(padded * rows_.digit_bytes, 0);
    scales_.assign(padded, DenseScale());
#pragma omp parallel for num_threads(num_threads_) if (count > 256)
    for (int64_t i = 0; i < count; ++i) {
      MakeByteRow(weights_of(i), rows_.num_dimensions, most_digit_,
                  digits_.data() + i * rows_.digit_bytes, &scales_[i]);
    }
  }

  absl::Status Upload(int64_t count) {
    RETURN_IF_ERROR(MakeRoom(count * rows_.digit_bytes, staged_.digits));
    RETURN_IF_ERROR(MakeRoom(count, staged_.scales));
    RETURN_IF_ERROR(MakeRoom(count, staged_.numbers));
    RETURN_IF_ERROR(staged_.digits.CopyFromHost(digits_));
    RETURN_IF_ERROR(staged_.scales.CopyFromHost(scales_));
    return staged_.numbers.CopyFromHost(numbers_);
  }

  // The candidates of `rows` rows from `first` on, with documents before them.
  absl::Status Join(int32_t documents, int64_t first, int64_t rows,
                    double least_cosine, JoinCandidates* found) {
    DensePart part;
    part.last_run = (documents + kDenseRunColumns - 1) / kDenseRunColumns;
    part.first_tile = static_cast<int32_t>(first / plan_.tile_rows);
    part.last_tile = static_cast<int32_t>((first + rows) / plan_.tile_rows);
    part.end_column = documents;
    RETURN_IF_ERROR(found->count.FillBytes(0));
    return DenseCandidates(rows_, plan_, least_cosine, /*first_row=*/0, part,
                           kMostCandidates, found->keys.data(),
                           found->count.data());
  }

  // Fills pairs_. False if there are too many.
  template <typename MakePair>
  absl::StatusOr<bool> Download(const JoinCandidates& from,
                                const MakePair& make_pair) {
    unsigned long long count = 0;
    RETURN_IF_ERROR(from.count.CopyToHost(absl::MakeSpan(&count, 1)));
    if (count > static_cast<unsigned long long>(kMostCandidates)) return false;
    keys_.resize(count);
    RETURN_IF_ERROR(from.keys.CopyToHost(absl::MakeSpan(keys_)));
    pairs_.clear();
    for (const uint64_t key : keys_) {
      pairs_.push_back(make_pair(static_cast<int32_t>(key >> 32),
                                 static_cast<int32_t>(key & 0xffffffffu)));
    }
    return true;
  }

  const int num_threads_;
  int most_digit_ = 0;
  double least_cluster_cosine_ = 0;
  double least_document_cosine_ = 0;
  DenseJoinPlan plan_;
  int32_t num_clusters_ = 0;
  // Digits and scales only.
  DeviceDenseDocuments rows_;
  StagedByteRows staged_;
  JoinCandidates with_clusters_;
  JoinCandidates with_documents_;
  // On the host.
  std::vector<int8_t> digits_;
  std::vector<DenseScale> scales_;
  std::vector<int32_t> numbers_;
  std::vector<uint64_t> keys_;
  std::vector<Pair> pairs_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<DenseBatchSearch>> MakeByteSearchCuda(
    int num_threads) {
  RETURN_IF_ERROR(ResolveDevice(Device::kCuda).status());
  ASSIGN_OR_RETURN(const DenseJoinPlan plan,
                   PlanDenseJoin(kDenseDigitPadding, /*hopper=*/true));
  if (!plan.possible) {
    return absl::UnavailableError(
        "online clustering of dense documents: expected a GPU of compute "
        "capability 8.0 or more, with its 8-bit tensor cores; --device=cpu "
        "needs none");
  }
  return std::make_unique<ByteSearch>(num_threads);
}

}  // namespace warpclust
