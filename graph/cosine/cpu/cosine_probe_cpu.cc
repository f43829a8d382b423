// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_probe_cpu.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/machine/cpu_features.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cpu/cosine_block_rows.h"
#include "graph/cosine/cpu/cosine_tile_join.h"
#include "graph/cosine/cpu/probe_batches.h"
#include "graph/cosine/filter/cosine_filter_kernels.h"
#include "graph/cosine/filter/cosine_filter_tile.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {
namespace {

// Documents joined together: the tiles, and the terms' ids, go through the
// second-level cache once per batch. A single tile partly stays there; so
// should the batch. Each thread gets a few batches at least.
constexpr int32_t kMostBatchRows = 8192;
constexpr int32_t kMostBatchRowsOfOneTile = 2048;
constexpr int32_t kBatches = 8;

// Of a batch, as many documents meet a tile at a time: their accumulators stay
// in that cache, too.
constexpr int32_t kRowsTogether = 64;

// Probes per tile at most: what all rows of a batch read then stays in the
// second-level cache.
constexpr int kMostColumns = 2048;

// More documents meet a row of weights together than in the graph's join, so
// rows are cheaper relative to lists.
constexpr double kDenseShare = 0.6;

struct ProbeTile {
  explicit ProbeTile(const CosineFilterPlan& plan) : tile(plan) {}

  CosineTile tile;
  // Float rows are rare: the first one builds the tile for them.
  std::once_flag built_for_float_rows;
};

// What all threads share.
struct ProbeIndex {
  ProbeIndex(DocumentMatrix documents, const CosineProbeOptions& options)
      : probes(std::move(documents)), block(probes, options, /*closed=*/false) {
    block.BoundTerms();
    const int32_t n = probes.num_documents();
    const int32_t num_tiles = (n + kMostColumns - 1) / kMostColumns;
    CosineFilterPlan plan;
    plan.simd = CpuSimdLevel();
    plan.dense_share =
        kDenseShare * CosineFilterKernelsFor(plan.simd).quantized.dense_share;
    for (int32_t t = 0; t < num_tiles; ++t) {
      tiles.push_back(std::make_unique<ProbeTile>(plan));
      CosineTile& tile = tiles.back()->tile;
      tile.SelectOf(block.rows(), t, num_tiles);
      tile.BuildForQuantizedRows(block.rows());
    }
  }

  const DocumentMatrix probes;
  CosineBlockRows block;
  std::vector<std::unique_ptr<ProbeTile>> tiles;
};

// How the weights of documents follow from their entries: factors as ScaleTerms
// takes them, and MakeTermTable of these and the probes' terms.
struct Scaling {
  absl::Span<const double> factors;
  absl::Span<const TableTerm> table;
};

// The working memory of one thread.
class Worker {
 public:
  explicit Worker(const ProbeIndex& index)
      : index_(index),
        join_(index.block.decision(), index.probes, index.block.rows()) {}

  // Appends the edges of documents [begin, end) of `block`, by row, then probe.
  absl::Status Join(const DocumentMatrix& block, int32_t begin, int32_t end,
                    const Scaling& scaling, std::vector<ProbeEdge>* edges) {
    const CosineRows& probes = index_.block.rows();
    RefillCosineRows(block, begin, end, scaling.table, probes,
                     index_.block.decision().beta, &scratch_, &rows_);
    RETURN_IF_ERROR(index_.block.CheckNorms(rows_));
    const size_t first = edges->size();
    for (const std::unique_ptr<ProbeTile>& probe_tile : index_.tiles) {
      CosineTile& tile = probe_tile->tile;
      if (rows_.num_float > 0) {
        std::call_once(probe_tile->built_for_float_rows,
                       [&] { tile.BuildForFloatRows(probes); });
      }
      join_.Join(
          tile, rows_, 0, end - begin, kRowsTogether, /*lower=*/false,
          [&](int32_t row, ExactDots* exact) {
            return exact->SetDocument(block.TermsOf(begin + row),
                                      block.WeightsOf(begin + row),
                                      scaling.factors, scaling.table);
          },
          [&](int32_t row, const RowEdges& found) {
            AppendEdges(begin + row, tile.begin, found, edges);
          });
    }
    if (index_.tiles.size() > 1) {
      std::sort(edges->begin() + static_cast<std::ptrdiff_t>(first),
                edges->end(), [](const ProbeEdge& a, const ProbeEdge& b) {
                  return std::pair(a.row, a.probe) < std::pair(b.row, b.probe);
                });
    }
    return absl::OkStatus();
  }

  DocumentMatrix piece;
  std::vector<ProbeEdge> found;

 private:
  const ProbeIndex& index_;
  CosineRows rows_;
  RefillScratch scratch_;
  CosineTileJoin join_;
};

class CpuCosineProbe final : public CosineProbeBackend {
 public:
  CpuCosineProbe(DocumentMatrix probes, const CosineProbeOptions& options)
      : num_threads_(ResolveThreads(options.num_threads)),
        index_(std::move(probes), options) {}

  absl::Status Join(const DocumentMatrix& block,
                    std::vector<ProbeEdge>* edges) override {
    const int32_t n = block.num_documents();
    const int32_t batch_rows = std::clamp(n / (kBatches * num_threads_),
                                          kRowsTogether, PieceDocuments());
    const int64_t num_batches = (int64_t{n} + batch_rows - 1) / batch_rows;
    const int num_threads = Prepare(num_batches);
    if (num_threads == 1) return JoinInOrder(block, batch_rows, edges);
    std::vector<ProbeBatch> batches(num_batches);
    std::atomic<bool> norm_too_large{false};
#pragma omp parallel num_threads(num_threads)
    {
      const int thread = omp_get_thread_num();
      std::vector<ProbeEdge>& found = workers_[thread]->found;
      found.clear();
#pragma omp for schedule(dynamic, 1)
      for (int64_t b = 0; b < num_batches; ++b) {
        if (norm_too_large) continue;
        const size_t begin = found.size();
        if (!JoinBatch(block, batch_rows, b, thread, &found).ok())
          norm_too_large = true;
        batches[b] = {thread, begin, found.size()};
      }
    }
    if (norm_too_large) return ProbeNormTooLarge("a document");
    AppendBatches(
        batches,
        [this](int thread) -> const std::vector<ProbeEdge>& {
          return workers_[thread]->found;
        },
        edges);
    return absl::OkStatus();
  }

  int32_t PieceDocuments() const override {
    return index_.tiles.size() > 1 ? kMostBatchRows : kMostBatchRowsOfOneTile;
  }

  absl::Status JoinPieces(const ProbePieces& pieces,
                          absl::Span<const double> factors) override {
    // If floats do not suffice, ScaleTerms makes the weights first.
    const bool scale_in_float = CanScaleInFloat(factors);
    std::vector<TableTerm> table;
    Scaling scaling = {factors, index_.block.table()};
    if (scale_in_float && !factors.empty()) {
      table = MakeTermTable(factors, index_.block.terms(), pieces.num_terms);
      scaling.table = table;
    }
    const int64_t n = pieces.num_pieces;
    const int num_threads = Prepare(n);
    // Pieces are handed out in ascending order, so all pieces before the first
    // that fails are joined, whichever thread is faster.
    std::atomic<int64_t> failed{n};
    absl::Status error;
    std::mutex mutex;  // For changes of both.
#pragma omp parallel num_threads(num_threads) if (num_threads > 1)
    {
      Worker& worker = *workers_[omp_get_thread_num()];
#pragma omp for schedule(dynamic, 1)
      for (int64_t p = 0; p < n; ++p) {
        if (p > failed) continue;
        absl::Status status =
            JoinPiece(pieces, p, scale_in_float, scaling, &worker);
        if (status.ok()) continue;
        const std::lock_guard<std::mutex> lock(mutex);
        if (p < failed) {
          failed = p;
          error = std::move(status);
        }
      }
    }
    return error;
  }

 private:
  // How many threads are for `count` batches or pieces; makes their workers.
  int Prepare(int64_t count) {
    const size_t num_threads =
        std::max<int64_t>(1, std::min<int64_t>(num_threads_, count));
    while (workers_.size() < num_threads) {
      workers_.push_back(std::make_unique<Worker>(index_));
    }
    return static_cast<int>(num_threads);
  }

  absl::Status JoinBatch(const DocumentMatrix& block, int32_t batch_rows,
                         int64_t batch, int thread,
                         std::vector<ProbeEdge>* edges) {
    const auto begin = static_cast<int32_t>(batch * batch_rows);
    const int32_t end =
        std::min(block.num_documents() - begin, batch_rows) + begin;
    return workers_[thread]->Join(block, begin, end, {{}, index_.block.table()},
                                  edges);
  }

  absl::Status JoinInOrder(const DocumentMatrix& block, int32_t batch_rows,
                           std::vector<ProbeEdge>* edges) {
    const size_t before = edges->size();
    for (int64_t b = 0; b * batch_rows < block.num_documents(); ++b) {
      const absl::Status status = JoinBatch(block, batch_rows, b, 0, edges);
      if (!status.ok()) {
        edges->resize(before);
        return status;
      }
    }
    return absl::OkStatus();
  }

  absl::Status JoinPiece(const ProbePieces& pieces, int64_t piece,
                         bool scale_in_float, const Scaling& scaling,
                         Worker* worker) {
    DocumentMatrix& documents = worker->piece;
    // The entries stay, to be overwritten: clearing would fill them with zeros
    // again.
    documents.offsets.assign(1, 0);
    documents.num_terms = pieces.num_terms;
    ASSIGN_OR_RETURN(const bool are_counts, pieces.read(piece, &documents));
    worker->found.clear();
    if (scaling.factors.empty() || (are_counts && scale_in_float)) {
      RETURN_IF_ERROR(worker->Join(documents, 0, documents.num_documents(),
                                   scaling, &worker->found));
    } else {
      ASSIGN_OR_RETURN(const DocumentMatrix scaled,
                       ScaleTerms(documents, scaling.factors));
      RETURN_IF_ERROR(worker->Join(scaled, 0, scaled.num_documents(),
                                   {{}, index_.block.table()}, &worker->found));
    }
    return pieces.take(piece, worker->found);
  }

  const int num_threads_;
  const ProbeIndex index_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

std::unique_ptr<CosineProbeBackend> CosineProbeCpu(
    DocumentMatrix probes, const CosineProbeOptions& options) {
  return std::make_unique<CpuCosineProbe>(std::move(probes), options);
}

}  // namespace warpclust
