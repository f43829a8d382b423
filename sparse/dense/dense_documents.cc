// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/dense_documents.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/machine/first_bad.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

double SquaredNorm(absl::Span<const float> row) {
  double sum = 0;
  for (float value : row) {
    sum += static_cast<double>(value) * static_cast<double>(value);
  }
  return sum;
}

bool IsIntegerRow(absl::Span<const float> row) {
  for (float value : row) {
    if (std::fabs(value) >= 16777216.0f || value != std::rint(value)) {
      return false;
    }
  }
  return SquaredNorm(row) < 9007199254740992.0;
}

}  // namespace

DenseDocuments MakeDenseDocuments(std::vector<float> values,
                                  int32_t num_documents) {
  const auto storage =
      std::make_shared<const std::vector<float>>(std::move(values));
  DenseDocuments documents;
  documents.num_rows = num_documents;
  documents.num_dimensions =
      num_documents == 0
          ? 0
          : static_cast<int32_t>(storage->size() / num_documents);
  documents.values = *storage;
  documents.storage = storage;
  return documents;
}

absl::Status ValidateDenseSizes(const DenseDocuments& documents) {
  if (documents.num_rows >= 0 && documents.num_dimensions >= 0 &&
      static_cast<int64_t>(documents.values.size()) ==
          int64_t{documents.num_rows} * documents.num_dimensions) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("dense documents: expected ", documents.num_rows,
                   " rows of ", documents.num_dimensions, " values, found ",
                   documents.values.size(), " values"));
}

absl::Status ValidateDenseDocuments(const DenseDocuments& documents,
                                    int num_threads) {
  RETURN_IF_ERROR(ValidateDenseSizes(documents));
  const auto size = static_cast<int64_t>(documents.values.size());
  const int64_t first_wrong =
      FirstBad(size, ThreadsFor(size, 1 << 18, num_threads),
               [&](int64_t i) { return std::isfinite(documents.values[i]); });
  if (first_wrong == size) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "dense documents: document ", first_wrong / documents.num_dimensions,
      ", dimension ", first_wrong % documents.num_dimensions,
      ": expected a finite number, found ", documents.values[first_wrong]));
}

std::vector<double> SquaredNorms(const DenseDocuments& documents,
                                 int num_threads) {
  std::vector<double> norms(documents.num_rows);
#pragma omp parallel for num_threads(ResolveThreads(num_threads))
  for (int32_t i = 0; i < documents.num_rows; ++i) {
    norms[i] = SquaredNorm(documents.Row(i));
  }
  return norms;
}

bool HasIntegerWeights(const DenseDocuments& documents, int num_threads) {
  return FirstWithoutIntegerWeights(documents, num_threads) ==
         documents.num_documents();
}

int32_t FirstWithoutIntegerWeights(const DenseDocuments& documents,
                                   int num_threads) {
  return FirstBad(documents.num_rows, ResolveThreads(num_threads),
                  [&](int32_t i) { return IsIntegerRow(documents.Row(i)); });
}

}  // namespace warpclust
