// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineProbe::JoinPieces against the graph of the weighed documents.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/cpu_features.h"
#include "base/numbers/decimal.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/cpu/cosine_graph_cpu.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "graph/testing/cosine_probe_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {
namespace {

using Edge = std::tuple<int32_t, int32_t, float>;

// Joins the documents of `stored`, `step` a piece, with `probe`. Says that they
// are counts where `counts` is true for the piece.
template <class AreCounts>
absl::StatusOr<std::vector<Edge>> Join(CosineProbe* probe,
                                       const DocumentMatrix& stored,
                                       int32_t step,
                                       absl::Span<const double> factors,
                                       AreCounts are_counts) {
  const int64_t n = (stored.num_documents() + step - 1) / step;
  std::vector<std::vector<Edge>> found(n);
  const auto first_of = [&](int64_t piece) {
    return static_cast<int32_t>(piece * step);
  };
  const absl::Status status = probe->JoinPieces(
      {n, stored.num_terms,
       [&](int64_t piece, DocumentMatrix* documents) -> absl::StatusOr<bool> {
         EXPECT_EQ(documents->offsets, std::vector<int64_t>{0});
         const int32_t begin = first_of(piece);
         *documents = DocumentRows(
             stored, begin, std::min(begin + step, stored.num_documents()));
         return are_counts(piece);
       },
       [&](int64_t piece, absl::Span<const ProbeEdge> edges) {
         for (const ProbeEdge& edge : edges) {
           found[piece].emplace_back(edge.row + first_of(piece), edge.probe,
                                     edge.cosine);
         }
         return absl::OkStatus();
       }},
      factors);
  if (!status.ok()) return status;
  std::vector<Edge> all;
  for (const std::vector<Edge>& some : found) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

// The last `probes` of `counts` as probes, in all ways; returns the edges.
int64_t ExpectEdgesOfTheGraph(const DocumentMatrix& counts, int32_t probes,
                              absl::Span<const double> factors,
                              const Decimal& beta, bool integer) {
  absl::StatusOr<DocumentMatrix> weighed = counts;
  if (!factors.empty()) weighed = ScaleTerms(counts, factors);
  EXPECT_TRUE(weighed.ok());
  CosineGraphOptions graph_options;
  graph_options.beta = beta;
  graph_options.integer_decisions = integer;
  const absl::StatusOr<CsrGraph> graph =
      CosineGraphCpu(*weighed, graph_options);
  EXPECT_TRUE(graph.ok());
  const int32_t n = counts.num_documents();
  const int32_t first = n - probes;
  std::vector<Edge> expected;
  for (int32_t row = 0; row < first; ++row) {
    for (int64_t e = graph->offsets[row]; e < graph->offsets[row + 1]; ++e) {
      if (graph->neighbors[e] < first) continue;
      expected.emplace_back(row, graph->neighbors[e] - first,
                            graph->weights[e]);
    }
  }
  for (SimdLevel level : {SimdLevel::kBaseline, SimdLevel::kAvx512}) {
    SetSimdLevelLimitForTesting(level);
    for (int threads : {1, 3}) {
      CosineProbeOptions options;
      options.beta = beta;
      options.integer_arithmetic = integer;
      options.num_threads = threads;
      absl::StatusOr<CosineProbe> probe = CosineProbe::Create(
          DocumentRows(*weighed, first, n), options, Device::kCpu);
      EXPECT_TRUE(probe.ok()) << probe.status();
      EXPECT_GT(probe->PieceDocuments(), 0);
      for (int32_t step : {7, 256, 5000}) {
        // Threads of small pieces wait for each other most of the time.
        if (threads > 1 && step != 256) continue;
        for (int mode : {1, 2}) {
          const absl::StatusOr<std::vector<Edge>> found =
              Join(&*probe, DocumentRows(counts, 0, first), step, factors,
                   [&](int64_t piece) { return mode + piece % 2 > 1; });
          EXPECT_TRUE(found.ok()) << found.status();
          EXPECT_EQ(*found, expected) << threads << ", pieces of " << step;
          if (testing::Test::HasFailure()) return 0;
        }
      }
    }
  }
  SetSimdLevelLimitForTesting(SimdLevel::kAvx512);
  return static_cast<int64_t>(expected.size());
}

DocumentMatrix RandomCounts(uint64_t seed, int32_t documents, int32_t terms,
                            double mean, float largest) {
  RandomDocumentsOptions shape;
  shape.seed = seed;
  shape.num_documents = documents;
  shape.num_terms = terms;
  shape.mean_terms = mean;
  shape.integer_weights = true;
  shape.largest_weight = largest;
  shape.empty_fraction = seed % 3 == 0 ? 0.1 : 0.0;
  return RandomDocuments(shape);
}

TEST(CosineProbePiecesTest, EqualsTheGraphOnRandomCounts) {
  const std::vector<Decimal> betas = {
      {25, 100}, {35, 100}, {6, 10}, {1, 1}, {1, 100}};
  int64_t edges = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const DocumentMatrix counts = RandomCounts(
        seed, 2 + static_cast<int32_t>(seed * 37 % 600),
        1 + static_cast<int32_t>(seed * 13 % 400),
        1 + static_cast<double>(seed * 5 % 37), seed % 5 == 0 ? 60000 : 9);
    const int32_t n = counts.num_documents();
    const int32_t probes = 1 + static_cast<int32_t>(seed * 11) % (n / 2);
    const Decimal beta = betas[seed % betas.size()];
    if (seed % 4 == 0) {
      edges += ExpectEdgesOfTheGraph(counts, probes, {}, beta, seed % 8 == 0);
    } else {
      // As if only some of the documents had been counted: what of a term that
      // none of them has; and some weigh nothing.
      std::vector<double> factors(counts.num_terms);
      std::mt19937 random(static_cast<uint32_t>(seed));
      for (double& factor : factors) {
        factor =
            random() % 9 == 0
                ? 0
                : std::log(1000.0 / (1 + static_cast<double>(random() % 1000)));
      }
      edges += ExpectEdgesOfTheGraph(counts, probes, factors, beta, false);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(edges, 10000);
}

TEST(CosineProbePiecesTest, FrequentTermsLeftOutAndLongDocuments) {
  // Many probes, so that terms are bounded; long rows are float rows at a low
  // β.
  for (double mean : {60.0, 700.0}) {
    const DocumentMatrix counts =
        RandomCounts(5, mean < 100 ? 1500 : 300, 3000, mean, 7);
    const std::vector<double> factors = InverseDocumentFrequencies(counts);
    for (const Decimal& beta : {Decimal("0.05"), Decimal("0.25")}) {
      ExpectEdgesOfTheGraph(counts, counts.num_documents() / 3, factors, beta,
                            false);
      if (HasFailure()) return;
    }
  }
}

TEST(CosineProbePiecesTest, ErrorsComeInTheOrderOfThePieces) {
  const DocumentMatrix counts = RandomCounts(1, 900, 50, 10, 9);
  for (int threads : {1, 3}) {
    CosineProbeOptions options;
    options.num_threads = threads;
    absl::StatusOr<CosineProbe> probe = CosineProbe::Create(
        DocumentRows(counts, 800, 900), options, Device::kCpu);
    ASSERT_TRUE(probe.ok());
    for (int64_t bad : {int64_t{0}, int64_t{17}, int64_t{89}}) {
      const absl::Status status = probe->JoinPieces(
          {90, counts.num_terms,
           [&](int64_t piece,
               DocumentMatrix* documents) -> absl::StatusOr<bool> {
             if (piece >= bad) {
               return absl::DataLossError(absl::StrCat("piece ", piece));
             }
             *documents = DocumentRows(counts, static_cast<int32_t>(10 * piece),
                                       static_cast<int32_t>(10 * piece + 10));
             return true;
           },
           [&](int64_t, absl::Span<const ProbeEdge>) {
             return absl::OkStatus();
           }},
          {});
      EXPECT_EQ(status, absl::DataLossError(absl::StrCat("piece ", bad)));
    }
    for (const auto& [num_pieces, num_terms] :
         {std::pair<int64_t, int32_t>{-1, 5}, {1, -1}}) {
      EXPECT_EQ(probe
                    ->JoinPieces({num_pieces, num_terms,
                                  [](int64_t, DocumentMatrix*)
                                      -> absl::StatusOr<bool> { return true; },
                                  [](int64_t, absl::Span<const ProbeEdge>) {
                                    return absl::OkStatus();
                                  }},
                                 {})
                    .code(),
                absl::StatusCode::kInvalidArgument);
    }
    const std::vector<double> few(counts.num_terms - 1, 1.0);
    EXPECT_EQ(Join(&*probe, counts, 100, few, [](int64_t) { return true; })
                  .status()
                  .code(),
              absl::StatusCode::kInvalidArgument);
    // A weight that overflows, and one that is negative.
    for (double factor : {1e39, -1.0}) {
      std::vector<double> factors(counts.num_terms, 1.0);
      factors[counts.terms[counts.offsets[500]]] = factor;
      for (bool are_counts : {false, true}) {
        EXPECT_EQ(Join(&*probe, counts, 100, factors,
                       [&](int64_t) { return are_counts; })
                      .status()
                      .code(),
                  absl::StatusCode::kInvalidArgument);
      }
    }
  }
}

TEST(CosineProbePiecesTest, NormsTooLargeForIntegers) {
  DocumentMatrix counts;
  counts.num_terms = 2;
  for (float weight : {5.0f, 7.0f, 131072.0f}) {
    counts.terms.push_back(1);
    counts.weights.push_back(weight);
    counts.offsets.push_back(counts.num_entries());
  }
  CosineProbeOptions options;
  options.beta = {1, 1000000000};
  options.integer_arithmetic = true;
  absl::StatusOr<CosineProbe> probe =
      CosineProbe::Create(DocumentRows(counts, 0, 1), options, Device::kCpu);
  ASSERT_TRUE(probe.ok());
  const auto yes = [](int64_t) { return true; };
  EXPECT_EQ(Join(&*probe, counts, 2, {}, yes).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Join(&*probe, DocumentRows(counts, 0, 2), 2, {}, yes)->size(), 2u);
}

}  // namespace
}  // namespace warpclust
