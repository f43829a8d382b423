// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/raise_threshold.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/exact_cosines.h"

namespace warpclust {
namespace {

// A weight w decides unless |w - β| <= kSlack * β. With u = 2^-53 and the exact
// quotient C = dot / sqrt(|a|² |b|²):
//   * CosineDecision rounds C three times and then to float: as long as the
//     minimum with 1 does nothing, |w - C| <= (2^-24 + 4u) C. The minimum only
//     acts from C >= 1 - 4u on, where w = 1.
//   * Reaches in integers is C >= β. In double it is C >= β up to a factor in
//     [1 - 5u, 1 + 5u]: β, a product, a root and another product are rounded.
// So w > β (1 + 2^-22) implies C > β (1 + 5u), w < β (1 - 2^-22) implies
// C < β (1 - 5u), with room for the rounding of both bounds.
constexpr double kSlack = 1.0 / (1 << 22);

// Decides the edges of one vertex after the other, in one thread.
template <class Exact>
class EdgeDecider {
 public:
  EdgeDecider(const Exact& exact, const CosineDecision& decision)
      : exact_(exact), decision_(decision) {}

  // Moves the edges that reach β to the front of the row of `v`; returns their
  // number.
  int64_t Keep(int32_t v, CsrGraph* graph) {
    const int64_t begin = graph->offsets[v];
    const int64_t end = graph->offsets[v + 1];
    const double low = decision_.beta * (1 - kSlack);
    const double high = decision_.beta * (1 + kSlack);
    near_.clear();
    for (int64_t e = begin; e < end; ++e) {
      const double weight = graph->weights[e];
      if (weight >= low && weight <= high) near_.push_back(graph->neighbors[e]);
    }
    dots_.resize(near_.size());
    if (!near_.empty()) {
      exact_.Dots(v, near_, &scratch_, absl::MakeSpan(dots_));
    }
    const absl::Span<const double> norms = exact_.squared_norms();
    int64_t kept = begin;
    size_t k = 0;
    for (int64_t e = begin; e < end; ++e) {
      const int32_t u = graph->neighbors[e];
      const double weight = graph->weights[e];
      bool reaches = weight > high;
      if (weight >= low && weight <= high) {
        reaches = decision_.Reaches(dots_[k++], norms[v], norms[u]);
      }
      if (!reaches) continue;
      graph->neighbors[kept] = u;
      graph->weights[kept] = graph->weights[e];
      ++kept;
    }
    return kept - begin;
  }

 private:
  const Exact& exact_;
  const CosineDecision& decision_;
  std::vector<int32_t> near_;
  std::vector<double> dots_;
  std::vector<double> scratch_;
};

template <class Exact>
void Raise(const Exact& exact, const CosineDecision& decision, int num_threads,
           CsrGraph* graph) {
  const int32_t n = graph->num_vertices();
  std::vector<int64_t> kept(n);
  const int threads = std::clamp(n / 64, 1, ResolveThreads(num_threads));
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    EdgeDecider<Exact> decider(exact, decision);
#pragma omp for schedule(dynamic, 64)
    for (int32_t v = 0; v < n; ++v) kept[v] = decider.Keep(v, graph);
  }
  // Rows only move to the left.
  int64_t size = 0;
  for (int32_t v = 0; v < n; ++v) {
    const int64_t begin = graph->offsets[v];
    std::copy_n(graph->neighbors.begin() + begin, kept[v],
                graph->neighbors.begin() + size);
    std::copy_n(graph->weights.begin() + begin, kept[v],
                graph->weights.begin() + size);
    graph->offsets[v] = size;
    size += kept[v];
  }
  graph->offsets[n] = size;
  graph->neighbors.resize(size);
  graph->weights.resize(size);
}

// The decision of CosineGraph.
CosineDecision DecisionFor(const CosineGraphOptions& options,
                           bool integer_weights,
                           absl::Span<const double> squared_norms) {
  double largest = 0;
  for (const double norm : squared_norms) largest = std::max(largest, norm);
  return MakeCosineDecision(
      options.beta, options.integer_decisions && integer_weights, largest);
}

absl::Status Check(const CosineGraphOptions& options, int32_t num_documents,
                   const CsrGraph& graph) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(internal::CheckGraphArrays(graph));
  if (graph.num_vertices() == num_documents) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("raise threshold: expected a graph of ", num_documents,
                   " vertices, found ", graph.num_vertices()));
}

}  // namespace

bool CanRaiseThreshold(const Decimal& lower, const Decimal& higher) {
  using Int = __int128;
  const Int denominators = Int{lower.denominator} * higher.denominator;
  const Int difference = Int{higher.numerator} * lower.denominator -
                         Int{lower.numerator} * higher.denominator;
  // Below 2^60 * 2^40.
  return difference == 0 ? lower.denominator == higher.denominator
                         : difference * (Int{1} << 40) >= denominators;
}

absl::Status RaiseCosineThreshold(const DocumentMatrix& documents,
                                  const CosineGraphOptions& options,
                                  CsrGraph* graph) {
  RETURN_IF_ERROR(ValidateDocuments(documents, options.num_threads));
  RETURN_IF_ERROR(Check(options, documents.num_documents(), *graph));
  const ExactCosines exact(documents);
  const CosineDecision decision =
      DecisionFor(options, HasIntegerWeights(documents, options.num_threads),
                  exact.squared_norms());
  Raise(exact, decision, options.num_threads, graph);
  return absl::OkStatus();
}

absl::Status RaiseCosineThreshold(const DenseDocuments& documents,
                                  const CosineGraphOptions& options,
                                  CsrGraph* graph) {
  RETURN_IF_ERROR(ValidateDenseDocuments(documents));
  RETURN_IF_ERROR(Check(options, documents.num_documents(), *graph));
  const int num_threads = ResolveThreads(options.num_threads);
  const ExactDenseCosines exact(documents, num_threads);
  const CosineDecision decision =
      DecisionFor(options, HasIntegerWeights(documents, num_threads),
                  exact.squared_norms());
  Raise(exact, decision, num_threads, graph);
  return absl::OkStatus();
}

}  // namespace warpclust
