// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/dense/digit_search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/machine/aligned_buffer.h"
#include "base/machine/cpu_features.h"
#include "graph/cosine/dense/dense_digits.h"
#include "graph/cosine/dense/digit_kernels.h"

namespace warpclust {
namespace {

using Pair = BatchPairs::Pair;

// For fewer rows, or products, waking threads costs more than they save.
constexpr int64_t kFewRows = 256;
constexpr double kFewProducts = 1e7;

// Rows of digits in panels, as digit_kernels.h wants them.
class DigitRows {
 public:
  void Begin(int32_t num_dimensions, int panel_rows) {
    num_dimensions_ = num_dimensions;
    panel_rows_ = panel_rows;
    scale_ = static_cast<int64_t>(DigitScale(num_dimensions));
  }

  int64_t size() const { return size_; }
  int num_pairs() const { return num_dimensions_ / 2 + num_dimensions_ % 2; }
  int64_t panel_stride() const {
    return int64_t{2} * num_pairs() * panel_rows_;
  }
  // `row` is a multiple of the rows of a panel.
  const int16_t* PanelOf(int64_t row) const {
    return digits_.data() + row / panel_rows_ * panel_stride();
  }

  void Resize(int64_t size) {
    size_ = size;
    const int64_t panels = (size + panel_rows_ - 1) / panel_rows_;
    digits_.resize(panels * panel_stride());
  }

  void Set(int64_t row, const int32_t* weights) {
    int16_t* const panel = digits_.data() + row / panel_rows_ * panel_stride() +
                           2 * (row % panel_rows_);
    for (int32_t k = 0; k < num_dimensions_; ++k) {
      const int64_t digit = (weights[k] * scale_ + (1 << 29)) >> 30;
      panel[int64_t{k / 2} * 2 * panel_rows_ + k % 2] =
          static_cast<int16_t>(digit);
    }
  }

 private:
  int32_t num_dimensions_ = 0;
  int panel_rows_ = 1;
  int64_t scale_ = 0;
  int64_t size_ = 0;
  AlignedVector<int16_t> digits_;
};

class DigitSearch : public DenseBatchSearch {
 public:
  explicit DigitSearch(int num_threads)
      : num_threads_(num_threads), kernels_(DigitKernelsFor(CpuSimdLevel())) {}

  absl::Status Begin(int32_t num_dimensions,
                     const BatchBounds& bounds) override {
    clusters_.Begin(num_dimensions, kernels_.panel_rows);
    documents_.Begin(num_dimensions, kernels_.panel_rows);
    num_dimensions_ = num_dimensions;
    // 3 p r < p.
    least_cluster_ =
        LeastDigitProduct(num_dimensions, bounds.cluster - bounds.p);
    least_document_ =
        LeastDigitProduct(num_dimensions, bounds.document - bounds.p);
    const double scale = DigitScale(num_dimensions);
    const double r = std::sqrt(num_dimensions) / (2 * scale);
    product_margin_ = static_cast<int32_t>(
        2 * scale * scale * (2 * r + r * r + bounds.p) + 2);
    return absl::OkStatus();
  }

  absl::Status Update(const DenseClusters& clusters,
                      absl::Span<const int32_t> changed) override {
    clusters_.Resize(clusters.size());
    const auto count = static_cast<int64_t>(changed.size());
#pragma omp parallel for num_threads(num_threads_) if (count > kFewRows)
    for (int64_t i = 0; i < count; ++i) {
      clusters_.Set(changed[i], clusters.WeightsOf(changed[i]));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<bool> Find(absl::Span<const int32_t> weights,
                            BatchCandidates* found) override {
    const int64_t n = static_cast<int64_t>(weights.size()) / num_dimensions_;
    documents_.Resize(n);
#pragma omp parallel for num_threads(num_threads_) if (n > kFewRows)
    for (int64_t d = 0; d < n; ++d) {
      documents_.Set(d, weights.data() + d * num_dimensions_);
    }
    const int64_t cluster_tiles = Tiles(clusters_.size(), kDigitTileColumns);
    const int64_t column_tiles = cluster_tiles + Tiles(n, kDigitTileColumns);
    const int64_t row_tiles = Tiles(n, kDigitTileRows);
    const double products = static_cast<double>(n) *
                            static_cast<double>(clusters_.size() + n) *
                            num_dimensions_;
    const int num_threads = products < kFewProducts ? 1 : num_threads_;
    std::vector<std::vector<Pair>> cluster_pairs(num_threads_);
    std::vector<std::vector<Pair>> document_pairs(num_threads_);
    std::atomic<int64_t> num_pairs = 0;
    std::atomic<int> next_thread = 0;
#pragma omp parallel num_threads(num_threads)
    {
      const int thread = next_thread.fetch_add(1);
      AlignedVector<int32_t> sums(kDigitTileRows * kDigitTileColumns);
      std::vector<Pair>& of_clusters = cluster_pairs[thread];
      std::vector<Pair>& of_documents = document_pairs[thread];
#pragma omp for schedule(dynamic, 1)
      for (int64_t tile = 0; tile < column_tiles * row_tiles; ++tile) {
        if (num_pairs.load(std::memory_order_relaxed) > kMostCandidates) {
          continue;
        }
        const int64_t row = tile % row_tiles * kDigitTileRows;
        const int64_t column = tile / row_tiles;
        const size_t before = of_clusters.size() + of_documents.size();
        if (column < cluster_tiles) {
          Filter(row, clusters_, column * kDigitTileColumns, least_cluster_,
                 /*earlier=*/false, sums.data(), &of_clusters);
        } else {
          Filter(row, documents_, (column - cluster_tiles) * kDigitTileColumns,
                 least_document_, /*earlier=*/true, sums.data(), &of_documents);
        }
        num_pairs += static_cast<int64_t>(of_clusters.size() +
                                          of_documents.size() - before);
      }
    }
    if (num_pairs > kMostCandidates) return false;
    found->clusters.Group(cluster_pairs, static_cast<int32_t>(n));
    found->documents.Group(document_pairs, static_cast<int32_t>(n));
    return true;
  }

  int32_t product_margin() const override { return product_margin_; }

 private:
  static int64_t Tiles(int64_t size, int64_t side) {
    return (size + side - 1) / side;
  }

  // Appends the pairs of a tile whose products are at least `least`; with
  // `earlier`, only those with a column before the row.
  void Filter(int64_t row, const DigitRows& columns, int64_t column,
              int32_t least, bool earlier, int32_t* sums,
              std::vector<Pair>* pairs) const {
    const int64_t row_end = std::min(documents_.size(), row + kDigitTileRows);
    const int64_t column_end =
        std::min(columns.size(), column + kDigitTileColumns);
    if (earlier && column >= row_end - 1) return;
    const int panel_rows = kernels_.panel_rows;
    MultiplyDigitTile(kernels_, documents_.PanelOf(row),
                      static_cast<int>(Tiles(row_end - row, panel_rows)),
                      columns.PanelOf(column),
                      static_cast<int>(Tiles(column_end - column, panel_rows)),
                      documents_.panel_stride(), documents_.num_pairs(), sums);
    uint16_t passed[kDigitTileColumns];
    for (int64_t i = row; i < row_end; ++i) {
      const int64_t count =
          (earlier ? std::min(column_end, i) : column_end) - column;
      if (count <= 0) continue;
      const int32_t* const products = sums + (i - row) * kDigitTileColumns;
      const int found =
          kernels_.scan(products, static_cast<int>(count), least, passed);
      for (int k = 0; k < found && passed[k] < count; ++k) {
        pairs->push_back({static_cast<int32_t>(i),
                          static_cast<int32_t>(column + passed[k]),
                          products[passed[k]]});
      }
    }
  }

  const int num_threads_;
  const DigitKernels& kernels_;
  int32_t num_dimensions_ = 0;
  int32_t least_cluster_ = 0;
  int32_t least_document_ = 0;
  int32_t product_margin_ = 0;
  DigitRows clusters_;
  DigitRows documents_;
};

}  // namespace

std::unique_ptr<DenseBatchSearch> MakeDigitSearch(int num_threads) {
  return std::make_unique<DigitSearch>(num_threads);
}

}  // namespace warpclust
