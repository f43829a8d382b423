// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_list_probe.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>

#include "absl/types/span.h"
#include "base/machine/cpu_features.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cpu/cosine_exact.h"
#include "graph/cosine/cpu/cosine_list_pairs.h"
#include "graph/cosine/cpu/probe_batches.h"
#include "graph/cosine/filter/cosine_filter_tile.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "graph/csr/symmetric_csr.h"
#include "sparse/matrix/append_rows.h"

namespace warpclust {
namespace {

// Visitors that a thread takes at once.
constexpr int64_t kBatch = 64;
// Documents by which lists are compared with tiles.
constexpr int32_t kSample = 1 << 13;

DocumentMatrix Sample(const DocumentMatrix& documents) {
  const int32_t n = documents.num_documents();
  DocumentMatrix sample;
  sample.num_terms = documents.num_terms;
  const int32_t count = std::min(n, kSample);
  for (int64_t k = 0; k < count; ++k) {
    const auto d = static_cast<int32_t>(n * k / count);
    AppendRows(documents, d, d + 1, &sample);
  }
  return sample;
}

}  // namespace

// The working memory of one thread.
class CosineListProbe::Worker {
 public:
  explicit Worker(const CosineListProbe& probe)
      : probe_(probe),
        pairs_(probe.block_.documents(), probe.block_.rows(),
               probe.block_.decision()) {}

  // Appends the edges of one of `visitors`, whose rows are `rows`, with
  // documents from `begin` on.
  void Join(const DocumentMatrix& visitors, const CosineRows& rows,
            int32_t visitor, int32_t begin, std::vector<ProbeEdge>* edges) {
    entries_.resize(rows.RowSize(visitor));
    const int32_t size =
        CosineLists::EntriesOf(rows, visitor, probe_.block_.decision().beta,
                               &scratch_, entries_.data());
    pairs_.Decide(
        probe_.lists_.FindFrom(begin, absl::MakeConstSpan(entries_).first(size),
                               pairs_.candidates()),
        [&](ExactDots* exact) {
          return exact->SetDocument(visitors.TermsOf(visitor),
                                    visitors.WeightsOf(visitor),
                                    /*factors=*/{}, probe_.block_.table());
        },
        [&](int32_t tile, const RowEdges& found) {
          for (size_t k = 0; k < found.size(); ++k) {
            edges->push_back(
                {tile * CosineListPairs::kTileColumns + found.columns()[k],
                 visitor, found.cosines()[k]});
          }
        });
  }

  // Of the piece that is being joined.
  std::vector<ProbeEdge> found;

 private:
  const CosineListProbe& probe_;
  CosineListPairs pairs_;
  CosineLists::TermScratch scratch_;
  std::vector<CosineLists::Entry> entries_;
};

std::unique_ptr<CosineListProbe> CosineListProbe::MakeIfCheaper(
    const DocumentMatrix& documents, const CosineProbeOptions& options) {
  {
    const DocumentMatrix sample = Sample(documents);
    const CosineBlockRows of_sample(sample, options, /*closed=*/true);
    const CosineJoinCosts costs = EstimateCosineJoin(
        of_sample.rows(), of_sample.decision().beta, CpuSimdLevel());
    if (costs.lists > CosineFilterPlan().list_bias * costs.tiles) {
      return nullptr;
    }
  }
  return std::make_unique<CosineListProbe>(documents, options);
}

// Lists need no weights for filters; those of closed rows are the fewest.
CosineListProbe::CosineListProbe(const DocumentMatrix& documents,
                                 const CosineProbeOptions& options)
    : block_(documents, options, /*closed=*/true),
      lists_(block_.rows(), block_.decision().beta, /*stride=*/1,
             CpuSimdLevel(), block_.num_threads()) {}

CosineListProbe::~CosineListProbe() = default;

absl::StatusOr<CsrGraph> CosineListProbe::Graph() const {
  return CosineListJoin(block_.documents(), block_.rows(), block_.decision(),
                        lists_, /*work=*/nullptr, block_.num_threads())
      .TakeGraph(block_.num_threads());
}

absl::Status CosineListProbe::Join(const DocumentMatrix& visitors,
                                   int32_t begin,
                                   std::vector<ProbeEdge>* edges) {
  ASSIGN_OR_RETURN(const CosineRows rows, block_.RowsOf(visitors));
  const int32_t n = visitors.num_documents();
  const int64_t num_batches = (n + kBatch - 1) / kBatch;
  const auto num_threads = static_cast<int>(std::max<int64_t>(
      1, std::min<int64_t>(block_.num_threads(), num_batches)));
  while (static_cast<int>(workers_.size()) < num_threads) {
    workers_.push_back(std::make_unique<Worker>(*this));
  }
  if (num_threads == 1) {
    for (int32_t v = 0; v < n; ++v) {
      workers_[0]->Join(visitors, rows, v, begin, edges);
    }
    return absl::OkStatus();
  }
  std::vector<ProbeBatch> batches(num_batches);
#pragma omp parallel num_threads(num_threads)
  {
    const int thread = omp_get_thread_num();
    Worker& worker = *workers_[thread];
    worker.found.clear();
#pragma omp for schedule(dynamic, 1)
    for (int64_t b = 0; b < num_batches; ++b) {
      batches[b] = {thread, worker.found.size(), 0};
      const auto end =
          static_cast<int32_t>(std::min<int64_t>(n, (b + 1) * kBatch));
      for (auto v = static_cast<int32_t>(b * kBatch); v < end; ++v) {
        worker.Join(visitors, rows, v, begin, &worker.found);
      }
      batches[b].end = worker.found.size();
    }
  }
  AppendBatches(
      batches,
      [this](int thread) -> const std::vector<ProbeEdge>& {
        return workers_[thread]->found;
      },
      edges);
  return absl::OkStatus();
}

}  // namespace warpclust
