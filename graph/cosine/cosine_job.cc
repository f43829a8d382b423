// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cosine_job.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int64_t kSampledEntries = 1 << 20;
constexpr int kSampledPairs = 4096;

// Every stride-th document has about kSampledEntries entries. A pair of them
// stands for stride^2 pairs.
double Products(const DocumentMatrix& documents) {
  const int64_t stride = documents.num_entries() / kSampledEntries + 1;
  std::vector<int32_t> frequencies(documents.num_terms, 0);
  double pairs = 0;
  for (int64_t d = 0; d < documents.num_documents(); d += stride) {
    for (const int32_t term : documents.TermsOf(static_cast<int32_t>(d))) {
      pairs += frequencies[term]++;
    }
  }
  return pairs * static_cast<double>(stride) * static_cast<double>(stride);
}

double SquaredNorm(absl::Span<const float> weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight * weight;
  return sum;
}

double Cosine(const DocumentMatrix& documents, int32_t a, int32_t b) {
  const absl::Span<const int32_t> a_terms = documents.TermsOf(a);
  const absl::Span<const int32_t> b_terms = documents.TermsOf(b);
  const absl::Span<const float> a_weights = documents.WeightsOf(a);
  const absl::Span<const float> b_weights = documents.WeightsOf(b);
  double dot = 0;
  for (size_t i = 0, j = 0; i < a_terms.size() && j < b_terms.size();) {
    if (a_terms[i] == b_terms[j]) {
      dot += static_cast<double>(a_weights[i++]) * b_weights[j++];
    } else if (a_terms[i] < b_terms[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return dot == 0
             ? 0
             : dot / std::sqrt(SquaredNorm(a_weights) * SquaredNorm(b_weights));
}

double Edges(const DocumentMatrix& documents, double beta, int num_threads) {
  const int64_t n = documents.num_documents();
  const double pairs = static_cast<double>(n) * static_cast<double>(n - 1) / 2;
  // Too few for their edges to matter.
  if (pairs <= kSampledPairs) return 0;
  std::mt19937_64 random(1);
  std::vector<std::pair<int32_t, int32_t>> sample(kSampledPairs);
  for (auto& [a, b] : sample) {
    a = static_cast<int32_t>(random() % n);
    // Another document, each with the same probability.
    b = static_cast<int32_t>((a + 1 + random() % (n - 1)) % n);
  }
  int found = 0;
#pragma omp parallel for num_threads(ThreadsFor(kSampledPairs, 256, \
                                                num_threads))      \
    reduction(+ : found)
  for (int i = 0; i < kSampledPairs; ++i) {
    if (Cosine(documents, sample[i].first, sample[i].second) >= beta) ++found;
  }
  return pairs * found / kSampledPairs;
}

}  // namespace

CosineJob MeasureCosineJob(const DocumentMatrix& documents, const Decimal& beta,
                           int num_threads) {
  CosineJob job;
  job.entries = documents.num_entries();
  job.products = Products(documents);
  job.edges = Edges(documents, beta.ToDouble(), num_threads);
  return job;
}

absl::StatusOr<Device> ChooseCosineDevice(Device requested,
                                          const DocumentMatrix& documents,
                                          const CosineGraphOptions& options,
                                          bool clusters_only) {
  if (requested != Device::kAuto) return ResolveDevice(requested);
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ValidateDocuments(documents, options.num_threads));
  CosineJob job =
      MeasureCosineJob(documents, options.beta, options.num_threads);
  job.clusters_only = clusters_only;
  return ResolveDevice(requested, Expect(job, options.num_threads));
}

}  // namespace warpclust
