// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cpu/cosine_probe_cpu.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>

#include "absl/status/statusor.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/cosine/filter/cosine_count_rows.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {
namespace {

// One batch's edges: where its thread put them.
struct Batch {
  int thread = 0;
  size_t begin = 0;
  size_t end = 0;
};

int64_t NumBatches(int32_t documents) {
  return (int64_t{documents} + kProbeBatchRows - 1) / kProbeBatchRows;
}

bool RunBatch(ProbeJoiner& joiner, const DocumentMatrix& block, int64_t batch,
              std::vector<ProbeEdge>* edges) {
  const int32_t begin = static_cast<int32_t>(batch * kProbeBatchRows);
  const int32_t end =
      std::min(block.num_documents() - begin, kProbeBatchRows) + begin;
  return joiner.Run(block, begin, end, edges);
}

}  // namespace

absl::Status CpuCosineProbe::Build(DocumentMatrix probes,
                                   const CosineProbeOptions& options) {
  num_threads_ = ResolveThreads(options.num_threads);
  return index_.Build(std::move(probes), options, num_threads_);
}

void CpuCosineProbe::Prepare(int count) {
  workers_.resize(std::max<size_t>(workers_.size(), count));
  for (int thread = 0; thread < count; ++thread) {
    if (workers_[thread] == nullptr) {
      workers_[thread] = std::make_unique<Worker>(index_);
    }
  }
}

absl::Status CpuCosineProbe::Join(const DocumentMatrix& block,
                                  std::vector<ProbeEdge>* edges) {
  const int64_t num_batches = NumBatches(block.num_documents());
  const int num_threads =
      static_cast<int>(std::min<int64_t>(num_threads_, num_batches));
  Prepare(std::max(num_threads, 1));
  if (num_threads <= 1) return JoinInOrder(block, edges);
  std::vector<Batch> batches(num_batches);
  std::atomic<bool> norm_too_large{false};
#pragma omp parallel num_threads(num_threads)
  {
    const int thread = omp_get_thread_num();
    Worker& worker = *workers_[thread];
    std::vector<ProbeEdge>& found = worker.found;
    found.clear();
#pragma omp for schedule(dynamic, 1)
    for (int64_t b = 0; b < num_batches; ++b) {
      if (norm_too_large) continue;
      const size_t begin = found.size();
      if (!RunBatch(worker.joiner, block, b, &found)) norm_too_large = true;
      batches[b] = {thread, begin, found.size()};
    }
  }
  if (norm_too_large) return ProbeNormTooLarge("a document");
  size_t total = edges->size();
  for (const Batch& batch : batches) total += batch.end - batch.begin;
  edges->reserve(total);
  for (const Batch& batch : batches) {
    const auto from = workers_[batch.thread]->found.begin();
    edges->insert(edges->end(), from + batch.begin, from + batch.end);
  }
  return absl::OkStatus();
}

absl::Status CpuCosineProbe::JoinInOrder(const DocumentMatrix& block,
                                         std::vector<ProbeEdge>* edges) {
  const size_t before = edges->size();
  for (int64_t b = 0; b < NumBatches(block.num_documents()); ++b) {
    if (!RunBatch(workers_[0]->joiner, block, b, edges)) {
      edges->resize(before);
      return ProbeNormTooLarge("a document");
    }
  }
  return absl::OkStatus();
}

absl::Status CpuCosineProbe::JoinPieces(const ProbePieces& pieces,
                                        absl::Span<const double> factors) {
  // Weights that counts cannot be made into in floats are made the long way.
  CountWeights weights;
  const bool weighs_counts = CanWeighCounts(factors);
  if (weighs_counts) {
    weights.factors = factors;
    weights.table = CountTable(factors, index_.terms, pieces.num_terms);
  }
  const int64_t n = pieces.num_pieces;
  const int num_threads = static_cast<int>(
      std::max<int64_t>(1, std::min<int64_t>(num_threads_, n)));
  Prepare(num_threads);
  // Pieces are handed out in ascending order: those before the first that fails
  // are all joined, whichever thread is faster.
  std::atomic<int64_t> failed{n};
  std::vector<absl::Status> statuses(num_threads);
  std::vector<int64_t> failed_by(num_threads, n);
#pragma omp parallel num_threads(num_threads) if (num_threads > 1)
  {
    const int thread = omp_get_thread_num();
#pragma omp for schedule(dynamic, 1)
    for (int64_t p = 0; p < n; ++p) {
      if (p > failed) continue;
      absl::Status status =
          JoinPiece(pieces, p, weighs_counts ? &weights : nullptr, factors,
                    workers_[thread].get());
      if (status.ok()) continue;
      statuses[thread] = std::move(status);
      failed_by[thread] = p;
      int64_t first = failed;
      while (p < first && !failed.compare_exchange_weak(first, p)) {
      }
    }
  }
  for (int thread = 0; thread < num_threads; ++thread) {
    if (failed < n && failed_by[thread] == failed) return statuses[thread];
  }
  return absl::OkStatus();
}

absl::Status CpuCosineProbe::JoinPiece(const ProbePieces& pieces, int64_t piece,
                                       const CountWeights* weights,
                                       absl::Span<const double> factors,
                                       Worker* worker) {
  DocumentMatrix& documents = worker->piece;
  // The entries stay, to be written over: clearing them would fill them with
  // zeros again.
  documents.offsets.assign(1, 0);
  documents.num_terms = pieces.num_terms;
  ASSIGN_OR_RETURN(const bool are_counts, pieces.read(piece, &documents));
  worker->found.clear();
  bool fits = true;
  if (are_counts && weights != nullptr) {
    fits = worker->joiner.RunCounts(documents, *weights, &worker->found);
  } else if (factors.empty()) {
    fits = worker->joiner.Run(documents, 0, documents.num_documents(),
                              &worker->found);
  } else {
    ASSIGN_OR_RETURN(const DocumentMatrix weighed,
                     ScaleTerms(documents, factors));
    fits =
        worker->joiner.Run(weighed, 0, weighed.num_documents(), &worker->found);
  }
  if (!fits) return ProbeNormTooLarge("a document");
  return pieces.take(piece, worker->found);
}

}  // namespace warpclust
