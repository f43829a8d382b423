// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The join of graph/cosine_graph_cpu.cc with the probes as the only columns.
// The rows of a block are made ready batch by batch, just before they meet the
// tiles, so that a block is read once and never copied as a whole.

#include "graph/cosine_probe.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "graph/cosine_decision.h"
#include "graph/cosine_exact.h"
#include "graph/cosine_filter_kernels.h"
#include "graph/cosine_filter_tile.h"
#include "graph/cosine_graph_options.h"
#include "graph/cosine_probe_backend.h"
#include "graph/cosine_probe_cuda_entry.h"
#include "graph/cosine_rows.h"
#include "kernels/cpu_features.h"
#include "kernels/threads.h"

namespace warpclust {
namespace {

// At most so many probes a tile: what all rows of a batch read again and again
// then stays in the second-level cache.
constexpr int kMostColumns = 2048;
// The tiles, and the numbers of terms, go through the second-level cache once a
// batch.
constexpr int32_t kBatchRows = 256;

// Rows of weights are met by more documents at once than in the graph's join,
// so they are cheaper beside lists.
constexpr double kDenseShare = 0.6;

// The probes [begin, end). Narrow rows meet narrow and wide columns, wide rows,
// which are rare, all.
struct ProbeTile {
  explicit ProbeTile(const CosineFilterPlan& plan)
      : narrow(plan), wide(plan), all(plan) {}

  int32_t begin = 0;
  int32_t end = 0;
  std::vector<int32_t> narrow_columns;
  std::vector<int32_t> wide_columns;
  std::vector<int32_t> all_columns;
  FilterTile<uint16_t> narrow;
  FilterTile<float> wide;
  std::once_flag all_is_built;
  FilterTile<float> all;
};

struct ProbeIndex {
  DocumentMatrix probes;
  CosineTerms terms;
  CosineRows rows;
  CosineDecision decision;
  bool integer_arithmetic = false;
  double largest_squared_norm = 0;
  std::vector<std::unique_ptr<ProbeTile>> tiles;
};

// What one thread needs; reused from batch to batch.
class Joiner {
 public:
  explicit Joiner(const ProbeIndex& index)
      : index_(index), exact_(index.probes, index.rows) {
    dots_.resize(kMostColumns);
    norms_.resize(kMostColumns);
    columns_.resize(kMostColumns);
    cosines_.resize(kMostColumns);
  }

  // Appends the edges of documents [begin, end) of `block`, by row, then probe.
  // False if a norm is too large.
  bool Run(const DocumentMatrix& block, int32_t begin, int32_t end,
           std::vector<ProbeEdge>* edges) {
    block_ = &block;
    begin_ = begin;
    RefillCosineRows(block, begin, end, index_.terms, index_.rows,
                     index_.decision.beta, &rows_);
    narrow_rows_.clear();
    wide_rows_.clear();
    for (int32_t row = 0; row < end - begin; ++row) {
      if (!(rows_.squared_norms[row] <= index_.largest_squared_norm)) {
        return false;
      }
      if (rows_.RowSize(row) == 0) continue;
      (rows_.is_wide[row] ? wide_rows_ : narrow_rows_).push_back(row);
    }
    edges_ = edges;
    const size_t first = edges->size();
    for (const std::unique_ptr<ProbeTile>& tile : index_.tiles) {
      JoinTile(*tile);
    }
    if (index_.tiles.size() > 1 || index_.rows.num_wide > 0 ||
        !wide_rows_.empty()) {
      std::sort(edges->begin() + first, edges->end(),
                [](const ProbeEdge& a, const ProbeEdge& b) {
                  return std::pair(a.row, a.probe) < std::pair(b.row, b.probe);
                });
    }
    return true;
  }

 private:
  void JoinTile(ProbeTile& tile) {
    const double beta = index_.decision.beta;
    if (!narrow_rows_.empty() && !tile.narrow_columns.empty()) {
      narrow_.SetRows(tile.narrow, rows_, narrow_rows_,
                      static_cast<int>(tile.narrow_columns.size()));
      for (size_t k = 0; k < narrow_rows_.size(); ++k) {
        const int32_t row = narrow_rows_[k];
        AddEdges(narrow_, tile.narrow_columns, row, static_cast<int>(k),
                 NarrowFactor(rows_, beta, row), rows_.integer_weights);
      }
    }
    if (!narrow_rows_.empty() && !tile.wide_columns.empty()) {
      JoinWide(tile.wide, tile.wide_columns, narrow_rows_);
    }
    if (!wide_rows_.empty() && !tile.all_columns.empty()) {
      std::call_once(tile.all_is_built,
                     [&] { tile.all.Build(index_.rows, tile.all_columns); });
      JoinWide(tile.all, tile.all_columns, wide_rows_);
    }
  }

  void JoinWide(const FilterTile<float>& tile,
                const std::vector<int32_t>& columns,
                const std::vector<int32_t>& rows) {
    wide_.SetRows(tile, rows_, rows, static_cast<int>(columns.size()));
    for (size_t k = 0; k < rows.size(); ++k) {
      AddEdges(wide_, columns, rows[k], static_cast<int>(k),
               WideFactor(rows_, index_.decision.beta, rows[k]), false);
    }
  }

  // `exact`: accumulators are dot products.
  template <class Weight>
  void AddEdges(FilterRows<Weight>& met, const std::vector<int32_t>& probes,
                int32_t row, int index, Weight factor, bool exact) {
    const absl::Span<const uint16_t> candidates =
        met.Candidates(rows_, index, static_cast<int>(probes.size()), factor);
    if (candidates.empty()) return;
    if (!exact) exact_.SetDocument(*block_, begin_ + row, rows_, row);
    const Weight* accumulators = met.accumulators(index);
    const int count = static_cast<int>(candidates.size());
    for (int k = 0; k < count; ++k) {
      const int32_t probe = probes[candidates[k]];
      columns_[k] = candidates[k];
      norms_[k] = index_.rows.squared_norms[probe];
      dots_[k] = exact ? static_cast<double>(accumulators[candidates[k]])
                       : exact_.DotWith(probe);
    }
    const int kept =
        DecideCosines(index_.decision, rows_.squared_norms[row], dots_.data(),
                      norms_.data(), count, columns_.data(), cosines_.data());
    for (int k = 0; k < kept; ++k) {
      edges_->push_back({begin_ + row, probes[columns_[k]], cosines_[k]});
    }
  }

  const ProbeIndex& index_;
  const DocumentMatrix* block_ = nullptr;
  int32_t begin_ = 0;
  CosineRows rows_;
  std::vector<int32_t> narrow_rows_;
  std::vector<int32_t> wide_rows_;
  FilterRows<uint16_t> narrow_;
  FilterRows<float> wide_;
  ExactDots exact_;
  std::vector<double> dots_;
  std::vector<double> norms_;
  std::vector<uint16_t> columns_;
  std::vector<float> cosines_;
  std::vector<ProbeEdge>* edges_ = nullptr;
};

void BuildTiles(ProbeIndex& index) {
  const int32_t n = index.probes.num_documents();
  // Equal widths: a last tile of a few columns costs nearly as much as a whole.
  const int32_t num_tiles = (n + kMostColumns - 1) / kMostColumns;
  CosineFilterPlan plan;
  plan.simd = CpuSimdLevel();
  plan.dense_share =
      kDenseShare * CosineFilterKernelsFor(plan.simd).dense_share_u16;
  for (int32_t t = 0; t < num_tiles; ++t) {
    auto tile = std::make_unique<ProbeTile>(plan);
    tile->begin = static_cast<int32_t>(int64_t{n} * t / num_tiles);
    tile->end = static_cast<int32_t>(int64_t{n} * (t + 1) / num_tiles);
    for (int32_t d = tile->begin; d < tile->end; ++d) {
      if (index.rows.RowSize(d) == 0) continue;
      tile->all_columns.push_back(d);
      (index.rows.is_wide[d] ? tile->wide_columns : tile->narrow_columns)
          .push_back(d);
    }
    if (!tile->narrow_columns.empty()) {
      tile->narrow.Build(index.rows, tile->narrow_columns);
    }
    if (!tile->wide_columns.empty()) {
      tile->wide.Build(index.rows, tile->wide_columns);
    }
    index.tiles.push_back(std::move(tile));
  }
}

// One batch's edges: where its thread put them.
struct Piece {
  int thread = 0;
  size_t begin = 0;
  size_t end = 0;
};

}  // namespace

class CosineProbe::Impl : public CosineProbeBackend {
 public:
  absl::Status Build(DocumentMatrix probes, const CosineProbeOptions& options) {
    num_threads_ = ResolveThreads(options.num_threads);
    index_.probes = std::move(probes);
    index_.integer_arithmetic = options.integer_arithmetic;
    index_.decision =
        MakeCosineDecision(options.beta, options.integer_arithmetic, 0);
    index_.largest_squared_norm = options.LargestSquaredNorm();
    std::vector<double> norms = SquaredNorms(index_.probes);
    for (double norm : norms) {
      if (norm > index_.largest_squared_norm)
        return ProbeNormTooLarge("a probe");
    }
    index_.terms = RankTerms(index_.probes, 1);
    index_.rows = MakeCosineRows(index_.probes, std::move(norms), index_.terms,
                                 index_.integer_arithmetic,
                                 index_.decision.beta, num_threads_);
    BoundFrequentTerms(index_.decision.beta, &index_.rows);
    BuildTiles(index_);
    return absl::OkStatus();
  }

  absl::Status Join(const DocumentMatrix& block,
                    std::vector<ProbeEdge>* edges) override {
    const int32_t n = block.num_documents();
    const int64_t num_batches = (int64_t{n} + kBatchRows - 1) / kBatchRows;
    const int num_threads =
        static_cast<int>(std::min<int64_t>(num_threads_, num_batches));
    joiners_.resize(std::max<size_t>(joiners_.size(), num_threads));
    found_.resize(joiners_.size());
    if (num_threads <= 1) return JoinInOrder(block, num_batches, edges);
    std::vector<Piece> pieces(num_batches);
    // Every thread must reach the loop, and no exception may leave an
    // iteration: OpenMP would end the process, or wait for ever.
    std::atomic<bool> out_of_memory{false};
    std::atomic<bool> norm_too_large{false};
#pragma omp parallel num_threads(num_threads)
    {
      const int thread = omp_get_thread_num();
      std::vector<ProbeEdge>& found = found_[thread];
      found.clear();
#pragma omp for schedule(dynamic, 1)
      for (int64_t b = 0; b < num_batches; ++b) {
        if (out_of_memory || norm_too_large) continue;
        try {
          const size_t begin = found.size();
          if (!RunBatch(thread, block, b, &found)) norm_too_large = true;
          pieces[b] = {thread, begin, found.size()};
        } catch (const std::bad_alloc&) {
          out_of_memory = true;
        }
      }
    }
    if (out_of_memory) throw std::bad_alloc();
    if (norm_too_large) return ProbeNormTooLarge("a document");
    size_t total = edges->size();
    for (const Piece& piece : pieces) total += piece.end - piece.begin;
    edges->reserve(total);
    for (const Piece& piece : pieces) {
      const auto from = found_[piece.thread].begin();
      edges->insert(edges->end(), from + piece.begin, from + piece.end);
    }
    return absl::OkStatus();
  }

 private:
  absl::Status JoinInOrder(const DocumentMatrix& block, int64_t num_batches,
                           std::vector<ProbeEdge>* edges) {
    const size_t before = edges->size();
    try {
      for (int64_t b = 0; b < num_batches; ++b) {
        if (!RunBatch(0, block, b, edges)) {
          edges->resize(before);
          return ProbeNormTooLarge("a document");
        }
      }
    } catch (const std::bad_alloc&) {
      edges->resize(before);
      throw;
    }
    return absl::OkStatus();
  }

  bool RunBatch(int thread, const DocumentMatrix& block, int64_t batch,
                std::vector<ProbeEdge>* edges) {
    std::unique_ptr<Joiner>& joiner = joiners_[thread];
    if (joiner == nullptr) joiner = std::make_unique<Joiner>(index_);
    const int32_t begin = static_cast<int32_t>(batch * kBatchRows);
    const int32_t end =
        std::min(block.num_documents() - begin, kBatchRows) + begin;
    return joiner->Run(block, begin, end, edges);
  }

  int num_threads_ = 1;
  ProbeIndex index_;
  // By thread.
  std::vector<std::unique_ptr<Joiner>> joiners_;
  std::vector<std::vector<ProbeEdge>> found_;
};

CosineProbe::CosineProbe(std::unique_ptr<CosineProbeBackend> backend)
    : backend_(std::move(backend)) {}
CosineProbe::CosineProbe(CosineProbe&&) noexcept = default;
CosineProbe& CosineProbe::operator=(CosineProbe&&) noexcept = default;
CosineProbe::~CosineProbe() = default;

absl::StatusOr<CosineProbe> CosineProbe::Create(
    DocumentMatrix probes, const CosineProbeOptions& options, Device device) {
  const absl::StatusOr<Device> resolved = ResolveDevice(device);
  if (!resolved.ok()) return resolved.status();
  CosineGraphOptions graph_options;
  graph_options.beta = options.beta;
  graph_options.num_threads = options.num_threads;
  if (absl::Status status = graph_options.Validate(); !status.ok()) {
    return status;
  }
  if (absl::Status status = ValidateDocuments(probes); !status.ok()) {
    return status;
  }
  if (options.integer_arithmetic && !HasIntegerWeights(probes)) {
    return absl::InvalidArgumentError(
        "cosine probe: integer_arithmetic needs weights that are integers");
  }
  try {
    if (*resolved == Device::kCuda) {
      absl::StatusOr<std::unique_ptr<CosineProbeBackend>> cuda =
          CosineProbeCuda(std::move(probes), options);
      if (!cuda.ok()) return cuda.status();
      return CosineProbe(*std::move(cuda));
    }
    auto impl = std::make_unique<Impl>();
    absl::Status status = impl->Build(std::move(probes), options);
    if (!status.ok()) return status;
    return CosineProbe(std::move(impl));
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        "cosine probe: not enough memory for the probes");
  }
}

absl::Status CosineProbe::Join(const DocumentMatrix& block,
                               std::vector<ProbeEdge>* edges) {
  try {
    return backend_->Join(block, edges);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        absl::StrCat("cosine probe: not enough memory for the edges of ",
                     block.num_documents(), " documents"));
  }
}

}  // namespace warpclust
