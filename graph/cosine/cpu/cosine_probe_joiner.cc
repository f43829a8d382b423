// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_probe_joiner.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/machine/cpu_features.h"
#include "graph/cosine/filter/cosine_filter_kernels.h"

namespace warpclust {
namespace {

// At most so many probes a tile: what all rows of a batch read again and again
// then stays in the second-level cache.
constexpr int kMostColumns = 2048;

// Rows of weights are met by more documents at once than in the graph's join,
// so they are cheaper beside lists.
constexpr double kDenseShare = 0.6;

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

}  // namespace

absl::Status ProbeIndex::Build(DocumentMatrix documents,
                               const CosineProbeOptions& options,
                               int num_threads) {
  probes = std::move(documents);
  integer_arithmetic = options.integer_arithmetic;
  decision = MakeCosineDecision(options.beta, options.integer_arithmetic, 0);
  largest_squared_norm = options.LargestSquaredNorm();
  std::vector<double> norms = SquaredNorms(probes);
  for (double norm : norms) {
    if (norm > largest_squared_norm) return ProbeNormTooLarge("a probe");
  }
  terms = RankTerms(probes, 1);
  rows = MakeCosineRows(probes, std::move(norms), terms, integer_arithmetic,
                        decision.beta, num_threads);
  BoundFrequentTerms(decision.beta, &rows);
  BuildTiles(*this);
  return absl::OkStatus();
}

ProbeJoiner::ProbeJoiner(const ProbeIndex& index)
    : index_(index), exact_(index.probes, index.rows) {
  dots_.resize(kMostColumns);
  norms_.resize(kMostColumns);
  columns_.resize(kMostColumns);
  cosines_.resize(kMostColumns);
}

bool ProbeJoiner::Run(const DocumentMatrix& block, int32_t begin, int32_t end,
                      std::vector<ProbeEdge>* edges) {
  block_ = &block;
  weights_ = nullptr;
  begin_ = begin;
  RefillCosineRows(block, begin, end, index_.terms, index_.rows,
                   index_.decision.beta, &rows_);
  return JoinRows(end - begin, edges);
}

bool ProbeJoiner::RunCounts(const DocumentMatrix& counts,
                            const CountWeights& weights,
                            std::vector<ProbeEdge>* edges) {
  block_ = &counts;
  weights_ = &weights;
  begin_ = 0;
  RefillCountRows(counts, weights.table, index_.rows, index_.decision.beta,
                  &scratch_, &rows_);
  return JoinRows(counts.num_documents(), edges);
}

bool ProbeJoiner::JoinRows(int32_t count, std::vector<ProbeEdge>* edges) {
  narrow_rows_.clear();
  wide_rows_.clear();
  for (int32_t row = 0; row < count; ++row) {
    if (!(rows_.squared_norms[row] <= index_.largest_squared_norm)) {
      return false;
    }
    // Not even terms that a rest stands for.
    if (rows_.RowSize(row) == 0 && rows_.RestOf(row) == 0) continue;
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

void ProbeJoiner::JoinTile(ProbeTile& tile) {
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

void ProbeJoiner::JoinWide(const FilterTile<float>& tile,
                           const std::vector<int32_t>& columns,
                           const std::vector<int32_t>& rows) {
  wide_.SetRows(tile, rows_, rows, static_cast<int>(columns.size()));
  for (size_t k = 0; k < rows.size(); ++k) {
    AddEdges(wide_, columns, rows[k], static_cast<int>(k),
             WideFactor(rows_, index_.decision.beta, rows[k]), false);
  }
}

double ProbeJoiner::SetExact(int32_t row) {
  if (weights_ == nullptr) {
    exact_.SetDocument(*block_, begin_ + row, rows_, row);
    return rows_.squared_norms[row];
  }
  exact_row_.Set(block_->TermsOf(row), block_->WeightsOf(row),
                 weights_->factors, weights_->table);
  exact_.SetDocument(exact_row_.terms, exact_row_.weights, exact_row_.ranks);
  return exact_row_.squared_norm;
}

template <class Weight>
void ProbeJoiner::AddEdges(FilterRows<Weight>& met,
                           const std::vector<int32_t>& probes, int32_t row,
                           int index, Weight factor, bool exact) {
  const absl::Span<const uint16_t> candidates =
      met.Candidates(rows_, index, static_cast<int>(probes.size()), factor);
  if (candidates.empty()) return;
  const double squared_norm = exact ? rows_.squared_norms[row] : SetExact(row);
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
      DecideCosines(index_.decision, squared_norm, dots_.data(), norms_.data(),
                    count, columns_.data(), cosines_.data());
  for (int k = 0; k < kept; ++k) {
    edges_->push_back({begin_ + row, probes[columns_[k]], cosines_[k]});
  }
}

}  // namespace warpclust
