// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/testing/cosine_graph_oracle.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "graph/cosine/decision/cosine_decision.h"

namespace warpclust {

CsrGraph NaiveCosineGraph(const DocumentMatrix& documents,
                          const Decimal& beta) {
  const std::vector<double> norms = SquaredNorms(documents);
  const double largest =
      norms.empty() ? 0 : *std::max_element(norms.begin(), norms.end());
  const CosineDecision decision =
      MakeCosineDecision(beta, HasIntegerWeights(documents), largest);
  CsrGraph graph;
  for (int32_t i = 0; i < documents.num_documents(); ++i) {
    for (int32_t j = 0; j < documents.num_documents(); ++j) {
      if (i == j) continue;
      double dot = 0;
      size_t b = 0;
      for (size_t a = 0; a < documents.TermsOf(i).size(); ++a) {
        while (b < documents.TermsOf(j).size() &&
               documents.TermsOf(j)[b] < documents.TermsOf(i)[a]) {
          ++b;
        }
        if (b < documents.TermsOf(j).size() &&
            documents.TermsOf(j)[b] == documents.TermsOf(i)[a]) {
          dot += static_cast<double>(documents.WeightsOf(i)[a]) *
                 documents.WeightsOf(j)[b];
        }
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

DocumentMatrix RandomDocuments(const RandomDocumentsOptions& options) {
  std::mt19937_64 random(options.seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  DocumentMatrix documents;
  documents.num_terms = options.num_terms;
  for (int32_t d = 0; d < options.num_documents; ++d) {
    std::set<int32_t> terms;
    if (uniform(random) >= options.empty_fraction) {
      const auto wanted = static_cast<int64_t>(
          std::ceil(options.mean_terms * 2 * uniform(random)));
      for (int64_t k = 0; k < wanted; ++k) {
        // Skewed to small term ids, as words are.
        const double skewed = std::pow(uniform(random), 3.0);
        terms.insert(
            std::min(options.num_terms - 1,
                     static_cast<int32_t>(skewed * options.num_terms)));
      }
    }
    for (int32_t term : terms) {
      documents.terms.push_back(term);
      const double part = std::pow(uniform(random), 4.0);
      double weight = part * options.largest_weight;
      if (options.integer_weights) weight = std::floor(weight) + 1;
      weight = std::max(weight, 1e-3);
      documents.weights.push_back(
          static_cast<float>(std::min<double>(weight, options.largest_weight)));
    }
    documents.offsets.push_back(documents.num_entries());
  }
  return documents;
}

DocumentMatrix NineTermDocuments(int32_t num_documents, float weight) {
  std::mt19937_64 random(9);
  DocumentMatrix documents;
  documents.num_terms = 25;
  std::vector<int32_t> terms(25);
  for (int32_t t = 0; t < 25; ++t) terms[t] = t;
  for (int32_t d = 0; d < num_documents; ++d) {
    std::shuffle(terms.begin(), terms.end(), random);
    std::vector<int32_t> row(terms.begin(), terms.begin() + 9);
    std::sort(row.begin(), row.end());
    documents.terms.insert(documents.terms.end(), row.begin(), row.end());
    documents.offsets.push_back(documents.num_entries());
  }
  documents.weights.assign(documents.terms.size(), weight);
  return documents;
}

}  // namespace warpclust
