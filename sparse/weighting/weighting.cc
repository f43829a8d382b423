// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/weighting/weighting.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "sparse/matrix/drop_zero_weights.h"

namespace warpclust {
namespace {

// Fewer entries are weighted on one thread.
constexpr int64_t kEntriesForThreads = int64_t{1} << 18;

}  // namespace

absl::StatusOr<Weighting> ParseWeighting(absl::string_view name) {
  if (name == "tf") return Weighting::kTf;
  if (name == "tfidf") return Weighting::kTfIdf;
  return absl::InvalidArgumentError(
      absl::StrCat("weighting: expected 'tf' or 'tfidf', found '", name, "'"));
}

absl::string_view WeightingName(Weighting weighting) {
  return weighting == Weighting::kTf ? "tf" : "tfidf";
}

std::vector<int32_t> DocumentFrequencies(const DocumentMatrix& documents,
                                         int num_threads) {
  const int64_t entries = documents.num_entries();
  // Each thread has counts of its own, to add up at the end.
  const int64_t worth = entries / (int64_t{documents.num_terms} + 1) / 4;
  const int threads = static_cast<int>(std::clamp<int64_t>(
      worth, 1,
      entries < kEntriesForThreads ? 1 : ResolveThreads(num_threads)));
  std::vector<std::vector<int32_t>> counts(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    counts[t].resize(documents.num_terms);
    for (int64_t e = entries * t / threads; e < entries * (t + 1) / threads;
         ++e) {
      ++counts[t][documents.terms[e]];
    }
  }
  for (int t = 1; t < threads; ++t) {
    for (int32_t term = 0; term < documents.num_terms; ++term) {
      counts[0][term] += counts[t][term];
    }
  }
  return std::move(counts[0]);
}

std::vector<double> InverseDocumentFrequencies(const DocumentMatrix& documents,
                                               int num_threads) {
  return InverseDocumentFrequencies(DocumentFrequencies(documents, num_threads),
                                    documents.num_documents());
}

std::vector<double> InverseDocumentFrequencies(
    absl::Span<const int32_t> frequencies, int64_t num_documents) {
  const auto n = static_cast<double>(num_documents);
  std::vector<double> factors(frequencies.size());
  for (size_t t = 0; t < frequencies.size(); ++t) {
    if (frequencies[t] > 0) factors[t] = std::log(n / frequencies[t]);
  }
  return factors;
}

absl::StatusOr<DocumentMatrix> ScaleTerms(DocumentMatrix documents,
                                          absl::Span<const double> factors,
                                          int num_threads) {
  if (factors.size() < static_cast<size_t>(documents.num_terms)) {
    return absl::InvalidArgumentError(
        absl::StrCat("factors: expected one per term, ", documents.num_terms,
                     ", found ", factors.size()));
  }
  const int64_t entries = documents.num_entries();
  const int threads =
      entries < kEntriesForThreads ? 1 : ResolveThreads(num_threads);
  int64_t first_bad = entries;
  int64_t zeros = 0;
#pragma omp parallel for num_threads(threads) schedule(static) \
    reduction(min : first_bad) reduction(+ : zeros)
  for (int64_t e = 0; e < entries; ++e) {
    const float weight =
        static_cast<float>(static_cast<double>(documents.weights[e]) *
                           factors[documents.terms[e]]);
    // Written so that NaN fails.
    if (weight >= 0 && !std::isinf(weight)) {
      documents.weights[e] = weight;
      zeros += weight == 0 ? 1 : 0;
    } else {
      first_bad = std::min(first_bad, e);
    }
  }
  if (first_bad < entries) {
    const auto row = std::upper_bound(documents.offsets.begin(),
                                      documents.offsets.end(), first_bad);
    const int32_t term = documents.terms[first_bad];
    return absl::InvalidArgumentError(absl::StrCat(
        "document ", row - documents.offsets.begin() - 1, ", term ", term,
        ": expected a finite weight that is not negative, found ",
        documents.weights[first_bad], " * ", factors[term]));
  }
  if (zeros > 0) DropZeroWeights(&documents);
  return documents;
}

absl::StatusOr<DocumentMatrix> ApplyWeighting(DocumentMatrix documents,
                                              Weighting weighting,
                                              int num_threads) {
  if (weighting == Weighting::kTf) return documents;
  const std::vector<double> factors =
      InverseDocumentFrequencies(documents, num_threads);
  return ScaleTerms(std::move(documents), factors, num_threads);
}

}  // namespace warpclust
