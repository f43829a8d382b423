// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/testing/dense_cosine_oracle.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "graph/cosine/decision/cosine_decision.h"

namespace warpclust {

CsrGraph NaiveDenseCosineGraph(const DenseDocuments& documents,
                               const Decimal& beta) {
  const int32_t n = documents.num_rows;
  const std::vector<double> norms = SquaredNorms(documents, 1);
  const CosineDecision decision = MakeCosineDecision(
      beta, HasIntegerWeights(documents, 1),
      n == 0 ? 0.0 : *std::max_element(norms.begin(), norms.end()));
  CsrGraph graph;
  graph.offsets = {0};
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      if (i == j || norms[i] == 0 || norms[j] == 0) continue;
      double dot = 0;
      for (int32_t k = 0; k < documents.num_dimensions; ++k) {
        dot += static_cast<double>(documents.Row(i)[k]) *
               static_cast<double>(documents.Row(j)[k]);
      }
      if (dot > 0 && decision.Reaches(dot, norms[i], norms[j])) {
        graph.neighbors.push_back(j);
        graph.weights.push_back(
            CosineDecision::Cosine(dot, norms[i], norms[j]));
      }
    }
    graph.offsets.push_back(static_cast<int64_t>(graph.neighbors.size()));
  }
  return graph;
}

DenseDocuments RandomRows(const RandomRowsOptions& options) {
  std::mt19937_64 random(options.seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> share(0, 1);
  const int32_t d = options.num_dimensions;
  const auto value = [&] {
    const double x = normal(random) / std::sqrt(std::max(d, 1));
    return options.negative_values ? x : std::fabs(x);
  };
  std::vector<double> directions(static_cast<size_t>(options.num_directions) *
                                 d);
  for (double& x : directions) x = value();
  std::vector<float> values;
  values.reserve(static_cast<size_t>(options.num_documents) * d);
  for (int32_t i = 0; i < options.num_documents; ++i) {
    const bool zero = share(random) < options.zero_share;
    const bool repeated = i > 0 && share(random) < options.repeated_share;
    const size_t direction = random() % options.num_directions;
    for (int32_t k = 0; k < d; ++k) {
      double x = directions[direction * d + k] + options.noise * value();
      if (options.integers) {
        x = std::clamp(std::rint(x * 4 * std::sqrt(d)), -9.0, 9.0);
      }
      float next = static_cast<float>(x) * options.scale;
      if (zero) next = 0;
      if (repeated) next = values[values.size() - d];
      values.push_back(next);
    }
  }
  return MakeDenseDocuments(std::move(values), options.num_documents);
}

}  // namespace warpclust
