// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/bound/semidefinite_certificate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"

namespace warpclust::eval_internal {
namespace {

constexpr int32_t kMostVertices = 4096;
// Of all numbers, so that sums of a row do not overflow.
constexpr int64_t kMostNumber = int64_t{1} << 50;

// Cholesky's factor of matrix - margin * identity, times `scale`, rounded, row
// by row below the diagonal and on it. False if there is none.
bool RoundedFactor(const std::vector<int64_t>& matrix, int64_t n,
                   int64_t margin, double scale,
                   std::vector<int64_t>* rounded) {
  std::vector<double> factor(matrix.size(), 0);
  for (int64_t i = 0; i < n; ++i) {
    double* const row = factor.data() + i * n;
    for (int64_t j = 0; j <= i; ++j) {
      const double* const other = factor.data() + j * n;
      auto sum = static_cast<double>(matrix[j * n + i] - (i == j ? margin : 0));
      for (int64_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      if (i == j && !(sum > 0)) return false;
      row[j] = i == j ? std::sqrt(sum) : sum / other[j];
      (*rounded)[i * n + j] = std::llround(row[j] * scale);
    }
  }
  return true;
}

}  // namespace

bool IsPositiveSemidefinite(const std::vector<int64_t>& matrix, int64_t n) {
  int64_t largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    largest = std::max(largest, matrix[i * n + i]);
  }
  // L is a multiple of 2^-shift, its products of 4^-shift.
  int shift = 0;
  while (shift < 29 && largest < int64_t{1} << (58 - 2 * shift)) ++shift;
  for (const int64_t entry : matrix) {
    // Entries of such a matrix are at most the largest of the diagonal. Below,
    // an entry times 4^shift is at most 2^60.
    if (std::abs(entry) > largest || largest > int64_t{1} << 58) return false;
  }
  // What rounding can cost: half a unit of L for each of n products of a row
  // with n others. A row of L has a norm of at most 2^shift sqrt(largest).
  const double root = std::sqrt(static_cast<double>(n));
  const int64_t margin =
      1 + static_cast<int64_t>(static_cast<double>(n) * root *
                               static_cast<double>(largest) * 0x1p-29);
  std::vector<int64_t> factor(matrix.size(), 0);
  if (!RoundedFactor(matrix, n, margin, std::ldexp(1.0, shift), &factor)) {
    return false;
  }
  // Then by Cauchy-Schwarz no partial sum of a product of rows overflows.
  for (int64_t i = 0; i < n; ++i) {
    unsigned __int128 norm = 0;
    for (int64_t k = 0; k <= i; ++k) {
      const __int128 entry = factor[i * n + k];
      norm += static_cast<unsigned __int128>(entry * entry);
    }
    if (norm >= static_cast<unsigned __int128>(1) << 61) return false;
  }
  // What is left for the diagonal, after the magnitudes of its row and column.
  std::vector<__int128> left(static_cast<size_t>(n), 0);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      const int64_t* const a = factor.data() + i * n;
      const int64_t* const b = factor.data() + j * n;
      int64_t product = 0;
      for (int64_t k = 0; k <= j; ++k) product += a[k] * b[k];
      const int64_t rest =
          matrix[j * n + i] * (int64_t{1} << (2 * shift)) - product;
      if (i == j) {
        left[i] += rest;
      } else {
        left[i] -= std::abs(rest);
        left[j] -= std::abs(rest);
      }
    }
  }
  return std::all_of(left.begin(), left.end(),
                     [](__int128 entry) { return entry >= 0; });
}

absl::StatusOr<int64_t> VerifySemidefiniteCertificate(const SignedGraph& graph,
                                                      int64_t parts,
                                                      LineReader& lines) {
  const int64_t n = graph.num_vertices();
  if (n > kMostVertices) {
    return lines.Expected(
        absl::StrCat("a network of at most ", kMostVertices,
                     " vertices for a semidefinite certificate"),
        absl::StrCat(n));
  }
  std::vector<int64_t> matrix(static_cast<size_t>(n * n), 0);
  int64_t positive = 0;
  for (int64_t u = 0; u < n; ++u) {
    for (int64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; ++i) {
      const int64_t v = graph.neighbors[i];
      if (v < u) continue;
      const int64_t weight = graph.weights[i];
      if (std::abs(weight) > kMostNumber / parts) {
        return lines.Expected("fewer parts for weights as large as these",
                              absl::StrCat(parts));
      }
      matrix[u * n + v] = -weight * parts;
      positive += std::max<int64_t>(weight, 0);
    }
  }
  __int128 sum = 0;
  absl::string_view line;
  for (int64_t u = 0; u < n; ++u) {
    if (!lines.Next(&line)) {
      RETURN_IF_ERROR(lines.status());
      return lines.Expected(absl::StrCat(n, " lines, one per vertex"),
                            absl::StrCat(u));
    }
    // The number of the diagonal, then vertices above u and their repulsion.
    int64_t place = 0;
    int64_t vertex = u;
    for (const absl::string_view field : absl::StrSplit(line, ' ')) {
      int64_t number = 0;
      const bool is_number = absl::SimpleAtoi(field, &number);
      if (place % 2 == 1) {
        if (!is_number || number <= vertex || number >= n) {
          return lines.Expected(
              absl::StrCat("ascending vertices above ", u, " and below ", n),
              field);
        }
        vertex = number;
      } else {
        if (!is_number || number < 0 || number > kMostNumber) {
          return lines.Expected("a number from 0 to 2^50", field);
        }
        matrix[u * n + vertex] += place == 0 ? number : -number;
        if (place == 0) sum += number;
      }
      ++place;
    }
    if (place % 2 == 0) return lines.Expected("a number per vertex", line);
  }
  if (lines.Next(&line)) {
    return lines.Expected(absl::StrCat("no more than ", n, " lines"), line);
  }
  RETURN_IF_ERROR(lines.status());
  if (!IsPositiveSemidefinite(matrix, n)) {
    return absl::InvalidArgumentError(absl::StrCat(
        lines.name(),
        ": expected numbers that make a matrix positive semidefinite, found "
        "numbers that do not, or too narrowly"));
  }
  return graph.constant_cost + positive -
         static_cast<int64_t>(sum / (2 * parts));
}

}  // namespace warpclust::eval_internal
