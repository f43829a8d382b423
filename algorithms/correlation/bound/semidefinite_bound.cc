// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/semidefinite_bound.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "algorithms/correlation/bound/positive_definite.h"
#include "algorithms/correlation/bound/semidefinite_dual.h"

namespace warpclust {
namespace {

// Rounds have this many vertices squared at most, for 600.
constexpr int64_t kFullRoundsVertices = 700;
constexpr int64_t kMostWeight = int64_t{1} << 40;
// Parts of the root of the mean square of all weights, at least if it can be.
constexpr double kPrecision = 0x1p20;
// Of the search for the smallest shift of the diagonal.
constexpr int kHalvings = 4;

struct Weights {
  int64_t positive = 0;         // The sum of the positive ones.
  int64_t most = 0;             // The largest sum of magnitudes of a row.
  double mean_square_root = 0;  // Over all pairs.
};

Weights Summarize(const SignedGraph& graph) {
  Weights result;
  double squares = 0;
  for (int32_t u = 0; u < graph.num_vertices(); ++u) {
    int64_t row = 0;
    for (const int64_t weight : graph.WeightsOf(u)) {
      row += std::abs(weight);
      result.positive += std::max<int64_t>(weight, 0);
      squares += static_cast<double>(weight) * static_cast<double>(weight);
    }
    result.most = std::max(result.most, row);
  }
  result.positive /= 2;
  const double n = graph.num_vertices();
  if (n > 1) result.mean_square_root = std::sqrt(squares / (n * (n - 1)));
  return result;
}

// What S needs as its smallest eigenvalue, so that eval/bound_certificate.h can
// prove in integers that it is positive semidefinite, twice over.
int64_t LeastEigenvalue(int64_t largest, double n) {
  return 2 + static_cast<int64_t>(n * std::sqrt(n) *
                                  static_cast<double>(largest) * 0x1p-28);
}

// Adds the smallest number to the diagonal that makes `matrix`, n x n, positive
// definite, or little more. False if a request to `control` ended that.
bool Shift(int64_t n, const SearchControl* control,
           std::vector<int64_t>* matrix) {
  int64_t trace = 0;
  int64_t largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t entry = (*matrix)[i * n + i];
    trace += entry;
    largest = std::max(largest, entry);
  }
  const auto add = [&](int64_t shift) {
    for (int64_t i = 0; i < n; ++i) (*matrix)[i * n + i] += shift;
  };
  const auto is_proof = [&](int64_t shift) {
    add(shift);
    const int64_t least =
        LeastEigenvalue(largest + shift, static_cast<double>(n));
    const bool result = IsPositiveDefinite(*matrix, n, least);
    add(-shift);
    return result;
  };
  int64_t no = 0;
  int64_t yes = 1 + trace / n / 100'000;
  for (; !is_proof(yes); yes *= 2) {
    if (control != nullptr && control->StopRequested()) return false;
    no = yes;
  }
  for (int i = 0; i < kHalvings && yes - no > 1; ++i) {
    if (control != nullptr && control->StopRequested()) break;
    const int64_t middle = no + (yes - no) / 2;
    (is_proof(middle) ? yes : no) = middle;
  }
  add(yes);
  return true;
}

// Any number from 0 is as valid. So entries of S stay below 2^52, together with
// a shift that exceeds the magnitudes of a row.
int64_t Rounded(float value, double scale) {
  const double product = static_cast<double>(value) * scale;
  return product < 0x1p40 ? std::llround(product) : kMostWeight;
}

}  // namespace

absl::StatusOr<SemidefiniteBound> BoundBySemidefiniteProgram(
    const SignedGraph& graph, const SemidefiniteOptions& options,
    const SearchControl* control) {
  const int32_t n = graph.num_vertices();
  if (n > kMostSemidefiniteVertices) {
    return absl::InvalidArgumentError(absl::StrCat("expected at most ",
                                                   kMostSemidefiniteVertices,
                                                   " vertices, found ", n));
  }
  if (options.rounds < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("rounds: expected at least 0, found ", options.rounds));
  }
  SemidefiniteBound result;
  result.bound = graph.constant_cost;
  const Weights summary = Summarize(graph);
  if (summary.most == 0 || summary.most >= kMostWeight) return result;

  const int64_t stride = SemidefiniteStride(n);
  const double unit = summary.mean_square_root;
  std::vector<float> weights(n * stride, 0);
  for (int32_t u = 0; u < n; ++u) {
    for (int64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; ++i) {
      weights[u * stride + graph.neighbors[i]] =
          static_cast<float>(static_cast<double>(graph.weights[i]) / unit);
    }
  }
  const int64_t most_work =
      options.rounds * kFullRoundsVertices * kFullRoundsVertices;
  const auto rounds = static_cast<int>(
      std::min<int64_t>(options.rounds, most_work / (int64_t{n} * n)));
  const SemidefiniteDual dual =
      FindSemidefiniteDual(weights, n, rounds, control);
  if (control != nullptr && control->StopRequested()) {
    result.stopped = true;
    return result;
  }
  weights.clear();
  weights.shrink_to_fit();

  while (static_cast<double>(result.parts) * unit < kPrecision &&
         result.parts * 2 * summary.most < kMostWeight &&
         result.parts < int64_t{1} << 20) {
    result.parts *= 2;
  }
  const double scale = unit * static_cast<double>(result.parts);
  const int64_t size = n;
  std::vector<int64_t> matrix(size * size, 0);
  for (int64_t u = 0; u < size; ++u) {
    matrix[u * size + u] = Rounded(dual.diagonal[u], scale);
    for (int64_t v = u + 1; v < size; ++v) {
      const int64_t repulsion = Rounded(dual.repulsion[u * stride + v], scale);
      if (repulsion == 0) continue;
      result.vertices.push_back(static_cast<int32_t>(v));
      result.repulsion.push_back(repulsion);
      matrix[u * size + v] = -repulsion;
    }
    result.offsets.push_back(static_cast<int64_t>(result.vertices.size()));
  }
  for (int64_t u = 0; u < size; ++u) {
    for (int64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; ++i) {
      matrix[u * size + graph.neighbors[i]] -= graph.weights[i] * result.parts;
    }
  }
  if (!Shift(size, control, &matrix)) {
    result = SemidefiniteBound();
    result.bound = graph.constant_cost;
    result.stopped = true;
    return result;
  }
  // At most 2^11 * 2^52.
  int64_t sum = 0;
  for (int64_t u = 0; u < size; ++u) {
    result.diagonal.push_back(matrix[u * size + u]);
    sum += result.diagonal.back();
  }
  // Rounded up: I(P) is an integer.
  result.bound += summary.positive - sum / (2 * result.parts);
  return result;
}

}  // namespace warpclust
