// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/matrix/document_matrix.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/machine/first_bad.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

absl::Status InvalidEntry(int64_t document, int64_t entry,
                          absl::string_view expected, double found) {
  return absl::InvalidArgumentError(
      absl::StrCat("document ", document, ", entry ", entry, ": expected ",
                   expected, ", found ", found));
}

absl::Status ValidateLayout(const DocumentMatrix& documents) {
  if (documents.offsets.empty() || documents.offsets.front() != 0) {
    return absl::InvalidArgumentError(
        "documents: expected offsets that start with 0");
  }
  if (documents.offsets.size() - 1 > INT32_MAX) {
    return absl::InvalidArgumentError(
        absl::StrCat("documents: expected at most ", INT32_MAX,
                     " documents, found ", documents.offsets.size() - 1));
  }
  if (documents.num_terms < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("documents: expected num_terms of 0 or more, found ",
                     documents.num_terms));
  }
  for (size_t d = 1; d < documents.offsets.size(); ++d) {
    if (documents.offsets[d] < documents.offsets[d - 1]) {
      return absl::InvalidArgumentError(absl::StrCat(
          "document ", d - 1, ": expected an end of its row of at least ",
          documents.offsets[d - 1], ", found ", documents.offsets[d]));
    }
  }
  if (documents.offsets.back() !=
          static_cast<int64_t>(documents.terms.size()) ||
      documents.terms.size() != documents.weights.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "documents: expected as many terms and weights as the last offset, ",
        documents.offsets.back(), ", found ", documents.terms.size(),
        " terms and ", documents.weights.size(), " weights"));
  }
  return absl::OkStatus();
}

absl::Status ValidateRow(const DocumentMatrix& documents, int32_t d) {
  int32_t previous = -1;
  const int64_t begin = documents.offsets[d];
  for (int64_t e = begin; e < documents.offsets[d + 1]; ++e) {
    const int32_t term = documents.terms[e];
    if (term < 0 || term >= documents.num_terms) {
      return InvalidEntry(
          d, e - begin,
          absl::StrCat("a term in [0, ", documents.num_terms, ")"), term);
    }
    if (term <= previous) {
      return InvalidEntry(d, e - begin, absl::StrCat("a term above ", previous),
                          term);
    }
    previous = term;
    const float weight = documents.weights[e];
    // Written so that NaN fails.
    if (!(weight > 0) || std::isinf(weight)) {
      return InvalidEntry(d, e - begin, "a positive finite weight", weight);
    }
  }
  return absl::OkStatus();
}

bool IsIntegerRow(absl::Span<const float> weights) {
  constexpr float kWeightLimit = 16777216.0f;        // 2^24
  constexpr double kNormLimit = 9007199254740992.0;  // 2^53
  // Sums of integers are exact below 2^53, and they only grow: a sum that ends
  // below the limit never passed it. By Cauchy and Schwarz a dot product, and
  // each partial sum of it, stays below the larger squared norm.
  double norm = 0;
  for (const float weight : weights) {
    if (!(weight < kWeightLimit) || weight != std::floor(weight)) return false;
    norm += static_cast<double>(weight) * weight;
  }
  return norm < kNormLimit;
}

// The first row for which `is_good` is false; the number of rows if none is.
template <typename IsGood>
int32_t FirstBadRow(const DocumentMatrix& documents, int num_threads,
                    const IsGood& is_good) {
  return FirstBad(documents.num_documents(),
                  ThreadsForEntries(documents.num_entries(), num_threads),
                  is_good);
}

}  // namespace

int ThreadsForEntries(int64_t entries, int num_threads) {
  // Work on this many entries takes 30 to 60 microseconds, starting a thread up
  // to 20.
  constexpr int64_t kEntriesPerThread = int64_t{1} << 14;
  return ThreadsFor(entries, kEntriesPerThread, num_threads);
}

absl::Status ValidateDocuments(const DocumentMatrix& documents,
                               int num_threads) {
  RETURN_IF_ERROR(ValidateLayout(documents));
  const int32_t bad = FirstBadRow(documents, num_threads, [&](int32_t d) {
    return ValidateRow(documents, d).ok();
  });
  return bad == documents.num_documents() ? absl::OkStatus()
                                          : ValidateRow(documents, bad);
}

std::vector<double> SquaredNorms(const DocumentMatrix& documents,
                                 int num_threads) {
  std::vector<double> norms(documents.num_documents());
#pragma omp parallel for num_threads( \
    ThreadsForEntries(documents.num_entries(), num_threads))
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    double sum = 0;
    for (float weight : documents.WeightsOf(d)) {
      sum += static_cast<double>(weight) * static_cast<double>(weight);
    }
    norms[d] = sum;
  }
  return norms;
}

bool HasIntegerWeights(const DocumentMatrix& documents, int num_threads) {
  return FirstWithoutIntegerWeights(documents, num_threads) ==
         documents.num_documents();
}

int32_t FirstWithoutIntegerWeights(const DocumentMatrix& documents,
                                   int num_threads) {
  return FirstBadRow(documents, num_threads, [&](int32_t d) {
    return IsIntegerRow(documents.WeightsOf(d));
  });
}

}  // namespace warpclust
