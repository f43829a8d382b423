// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_list_probe.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/types/span.h"
#include "base/machine/cpu_features.h"
#include "base/machine/threads.h"
#include "graph/cosine/cpu/cosine_list_pairs.h"
#include "graph/cosine/filter/cosine_filter_tile.h"
#include "sparse/matrix/append_rows.h"

namespace warpclust {
namespace {

// Visitors that a thread takes at once.
constexpr int32_t kBatch = 64;
// Documents by which lists are compared with tiles.
constexpr int32_t kSample = 1 << 13;

DocumentMatrix Sample(const DocumentMatrix& documents) {
  const int32_t n = documents.num_documents();
  const int32_t stride = std::max(1, n / kSample);
  DocumentMatrix sample;
  sample.num_terms = documents.num_terms;
  for (int32_t d = 0; d < n; d += stride) {
    AppendRows(documents, d, d + 1, &sample);
  }
  return sample;
}

}  // namespace

// The working memory of one thread.
class CosineListProbe::Worker {
 public:
  Worker(const CosineListProbe& probe, const DocumentMatrix& visitors,
         const CosineRows& visitor_rows, int32_t begin)
      : probe_(probe),
        visitors_(visitors),
        visitor_rows_(visitor_rows),
        begin_(begin),
        pairs_(probe.documents_, probe.rows_, probe.decision_) {}

  void Join(int32_t visitor, std::vector<ProbeEdge>* edges) {
    entries_.resize(visitor_rows_.RowSize(visitor));
    const int32_t size =
        CosineLists::EntriesOf(visitor_rows_, visitor, probe_.decision_.beta,
                               &scratch_, entries_.data());
    pairs_.Decide(
        probe_.lists_.FindFrom(begin_,
                               absl::MakeConstSpan(entries_).first(size),
                               pairs_.candidates()),
        [&](ExactDots* exact) {
          return exact->SetDocument(visitors_.TermsOf(visitor),
                                    visitors_.WeightsOf(visitor),
                                    /*factors=*/{}, probe_.table_);
        },
        [&](int32_t tile, const RowEdges& found) {
          for (size_t k = 0; k < found.size(); ++k) {
            edges->push_back(
                {tile * CosineListPairs::kTileColumns + found.columns()[k],
                 visitor, found.cosines()[k]});
          }
        });
  }

 private:
  const CosineListProbe& probe_;
  const DocumentMatrix& visitors_;
  const CosineRows& visitor_rows_;
  const int32_t begin_;
  CosineListPairs pairs_;
  CosineLists::TermScratch scratch_;
  std::vector<CosineLists::Entry> entries_;
};

std::unique_ptr<CosineListProbe> CosineListProbe::MakeIfCheaper(
    const DocumentMatrix& documents, const CosineProbeOptions& options) {
  const int num_threads = ResolveThreads(options.num_threads);
  const DocumentMatrix sample = Sample(documents);
  const double beta =
      MakeCosineDecision(options.beta, options.integer_arithmetic, 0).beta;
  const CosineJoinCosts costs = EstimateCosineJoin(
      MakeCosineRows(sample, SquaredNorms(sample, num_threads),
                     RankTerms(sample, /*fewest_documents=*/1),
                     options.integer_arithmetic, beta, /*closed=*/false,
                     num_threads),
      beta, CpuSimdLevel());
  if (costs.lists > CosineFilterPlan().list_bias * costs.tiles) return nullptr;
  return std::make_unique<CosineListProbe>(documents, options, num_threads);
}

CosineListProbe::CosineListProbe(const DocumentMatrix& documents,
                                 const CosineProbeOptions& options,
                                 int num_threads)
    : documents_(documents),
      num_threads_(num_threads),
      largest_squared_norm_(options.LargestSquaredNorm()),
      decision_(
          MakeCosineDecision(options.beta, options.integer_arithmetic, 0)),
      terms_(RankTerms(documents, /*fewest_documents=*/1)),
      table_(MakeTermTable({}, terms_, documents.num_terms)),
      rows_(MakeCosineRows(documents, SquaredNorms(documents, num_threads),
                           terms_, options.integer_arithmetic, decision_.beta,
                           /*closed=*/false, num_threads)),
      lists_(rows_, decision_.beta, /*stride=*/1, CpuSimdLevel(), num_threads) {
}

absl::StatusOr<CsrGraph> CosineListProbe::Graph() const {
  return CosineListJoin(documents_, rows_, decision_, lists_,
                        /*work=*/nullptr, num_threads_)
      .TakeGraph(num_threads_);
}

absl::Status CosineListProbe::Join(const DocumentMatrix& visitors,
                                   int32_t begin,
                                   std::vector<ProbeEdge>* edges) const {
  CosineTerms terms = terms_;
  // Further terms are in no list.
  terms.rank.resize(std::max<size_t>(terms.rank.size(), visitors.num_terms),
                    kDroppedTerm);
  const CosineRows rows = MakeCosineRows(
      visitors, SquaredNorms(visitors, num_threads_), terms,
      rows_.integer_weights, decision_.beta, /*closed=*/false, num_threads_);
  for (const double squared_norm : rows.squared_norms) {
    if (!(squared_norm <= largest_squared_norm_)) {
      return ProbeNormTooLarge("a document");
    }
  }
  const int32_t num_batches = (visitors.num_documents() + kBatch - 1) / kBatch;
  const int num_threads = std::max(1, std::min(num_threads_, num_batches));
  std::vector<std::vector<ProbeEdge>> found(num_batches);
#pragma omp parallel num_threads(num_threads) if (num_threads > 1)
  {
    Worker worker(*this, visitors, rows, begin);
    std::vector<ProbeEdge> own;
#pragma omp for schedule(dynamic, 1)
    for (int32_t b = 0; b < num_batches; ++b) {
      own.clear();
      const int32_t end = std::min(visitors.num_documents(), (b + 1) * kBatch);
      for (int32_t v = b * kBatch; v < end; ++v) worker.Join(v, &own);
      found[b].assign(own.begin(), own.end());
    }
  }
  for (const std::vector<ProbeEdge>& batch : found) {
    edges->insert(edges->end(), batch.begin(), batch.end());
  }
  return absl::OkStatus();
}

}  // namespace warpclust
