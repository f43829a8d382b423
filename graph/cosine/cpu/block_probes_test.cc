// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// CosineListProbe and CosineTileProbe: a block of documents and its visitors.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/cpu/cosine_graph_cpu.h"
#include "graph/cosine/cpu/cosine_list_probe.h"
#include "graph/cosine/cpu/cosine_tile_probe.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"
#include "graph/testing/cosine_probe_oracle.h"
#include "gtest/gtest.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

// By visitor, then row.
std::vector<ProbeEdge> Sorted(std::vector<ProbeEdge> edges) {
  std::sort(edges.begin(), edges.end(),
            [](const ProbeEdge& a, const ProbeEdge& b) {
              return std::tie(a.probe, a.row) < std::tie(b.probe, b.row);
            });
  return edges;
}

// Those of rows from `begin` on, sorted.
std::vector<ProbeEdge> From(int32_t begin, std::vector<ProbeEdge> edges) {
  std::erase_if(edges, [&](const ProbeEdge& edge) { return edge.row < begin; });
  return Sorted(std::move(edges));
}

// The edges of each row are in the order of visitors, those of each visitor in
// that of rows.
void ExpectOrder(const std::vector<ProbeEdge>& edges) {
  std::map<int32_t, int32_t> last_of_row, last_of_visitor;
  for (const ProbeEdge& edge : edges) {
    const auto row = last_of_row.insert({edge.row, -1}).first;
    const auto visitor = last_of_visitor.insert({edge.probe, -1}).first;
    ASSERT_LT(row->second, edge.probe);
    ASSERT_LT(visitor->second, edge.row);
    row->second = edge.probe;
    visitor->second = edge.row;
  }
}

// The edges as Join appends them: by visitor, then row, if it says so; else
// sorted.
template <typename Probe>
std::vector<ProbeEdge> ByVisitor(std::vector<ProbeEdge> found) {
  ExpectOrder(found);
  return std::is_same_v<Probe, CosineListProbe> ? found
                                                : Sorted(std::move(found));
}

CosineProbeOptions OptionsOf(const ProbeCase& c, bool integer, uint64_t seed) {
  CosineProbeOptions options;
  options.beta = c.beta;
  options.integer_arithmetic = integer;
  options.num_threads = 1 + static_cast<int>(seed % 3);
  return options;
}

// In every other case of the terms of the block only: visitors have others.
DocumentMatrix BlockOf(const ProbeCase& c, uint64_t seed) {
  DocumentMatrix stored = c.stored;
  if (seed % 2 == 0) {
    stored.num_terms = 0;
    for (const int32_t term : stored.terms) {
      stored.num_terms = std::max(stored.num_terms, term + 1);
    }
  }
  return stored;
}

template <typename Probe>
class BlockProbesTest : public testing::Test {};
using Probes = testing::Types<CosineListProbe, CosineTileProbe>;
TYPED_TEST_SUITE(BlockProbesTest, Probes);

TYPED_TEST(BlockProbesTest, EqualsTheDefinition) {
  int64_t num_edges = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const ProbeCase c = RandomProbeCase(seed);
    for (const bool integer : c.arithmetics) {
      const CosineProbeOptions options = OptionsOf(c, integer, seed);
      const DocumentMatrix stored = BlockOf(c, seed);
      TypeParam probe(stored, options);
      const std::vector<ProbeEdge> all =
          NaiveProbeEdges(c.stored, c.probes, options);
      const int32_t n = c.stored.num_documents();
      for (const int32_t begin : {0, n / 3, n}) {
        const std::vector<ProbeEdge> expected = From(begin, all);
        // Join appends.
        std::vector<ProbeEdge> found = {{-1, -1, 0}};
        ASSERT_TRUE(probe.Join(c.probes, begin, &found).ok());
        found.erase(found.begin());
        ASSERT_EQ(FirstDifference(expected, ByVisitor<TypeParam>(found)), "")
            << "from " << begin;
        num_edges += static_cast<int64_t>(found.size());
      }
    }
  }
  EXPECT_GT(num_edges, 10000);
}

TYPED_TEST(BlockProbesTest, NormsThatAreTooLarge) {
  CosineProbeOptions options;
  options.integer_arithmetic = true;
  const DocumentMatrix documents = MakeDocuments(2, {{{0, 1.0f}}});
  TypeParam probe(documents, options);
  std::vector<ProbeEdge> edges;
  const DocumentMatrix large = MakeDocuments(2, {{{0, 134217728.0f}}});
  EXPECT_EQ(probe.Join(large, 0, &edges).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(edges.empty());
}

// More than 2^16 documents, of which visitors meet some on both sides of it.
TYPED_TEST(BlockProbesTest, ManyDocuments) {
  constexpr int32_t kDocuments = 70000;
  std::vector<DocumentEntries> rows;
  for (int32_t d = 0; d < kDocuments; ++d) {
    rows.push_back({{d % 10000, 1.0f}, {10000 + d % 7, 0.1f}});
  }
  const DocumentMatrix documents = MakeDocuments(10007, rows);
  const DocumentMatrix visitors = MakeDocuments(
      10010,
      {{{5535, 2.0f}}, {}, {{5536, 1.0f}, {10009, 0.1f}}, {{10008, 1.0f}}});
  for (const int threads : {1, 2}) {
    CosineProbeOptions options;
    options.beta = "0.9";
    options.num_threads = threads;
    TypeParam probe(documents, options);
    for (const int32_t begin : {0, 65000, 65536}) {
      std::vector<ProbeEdge> found;
      ASSERT_TRUE(probe.Join(visitors, begin, &found).ok());
      EXPECT_EQ(FirstDifference(
                    From(begin, NaiveProbeEdges(documents, visitors, options)),
                    ByVisitor<TypeParam>(found)),
                "");
      EXPECT_EQ(found.size(), begin == 0 ? 14 : begin == 65000 ? 2 : 1);
    }
  }
}

// Visitors of several tiles, and a block of several chunks.
TYPED_TEST(BlockProbesTest, ManyVisitors) {
  std::mt19937_64 random(1);
  const auto documents = [&](int32_t count) {
    std::vector<DocumentEntries> rows(count);
    for (DocumentEntries& row : rows) {
      for (int32_t term = 0; term < 200; ++term) {
        if (random() % 8 == 0) row.push_back({term, 1.0f + random() % 3});
      }
    }
    return MakeDocuments(200, rows);
  };
  const DocumentMatrix block = documents(300);
  const DocumentMatrix visitors = documents(5000);
  for (const int threads : {1, 3}) {
    CosineProbeOptions options;
    options.beta = "0.3";
    options.num_threads = threads;
    TypeParam probe(block, options);
    const std::vector<ProbeEdge> all =
        NaiveProbeEdges(block, visitors, options);
    EXPECT_GT(all.size(), 1000u);
    for (const int32_t begin : {0, 129}) {
      std::vector<ProbeEdge> found;
      ASSERT_TRUE(probe.Join(visitors, begin, &found).ok());
      ASSERT_EQ(FirstDifference(From(begin, all), ByVisitor<TypeParam>(found)),
                "");
    }
  }
}

TEST(CosineListProbeTest, HasTheGraphOfTheBlock) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const ProbeCase c = RandomProbeCase(seed);
    for (const bool integer : c.arithmetics) {
      const DocumentMatrix stored = BlockOf(c, seed);
      const CosineListProbe probe(stored, OptionsOf(c, integer, seed));
      CosineGraphOptions graph_options;
      graph_options.beta = c.beta;
      graph_options.integer_decisions = integer;
      const absl::StatusOr<CsrGraph> expected =
          CosineGraphCpu(c.stored, graph_options);
      const absl::StatusOr<CsrGraph> graph = probe.Graph();
      ASSERT_TRUE(graph.ok() && expected.ok());
      ASSERT_EQ(graph->offsets, expected->offsets);
      ASSERT_EQ(graph->neighbors, expected->neighbors);
      ASSERT_EQ(graph->weights, expected->weights);
    }
  }
}

// Documents of few terms, each with its own: lists; with the same: tiles.
TEST(CosineListProbeTest, IsMadeWhereListsAreCheaper) {
  std::vector<DocumentEntries> rare, frequent;
  for (int32_t d = 0; d < 20000; ++d) {
    rare.push_back({{d, 1.0f}, {20000 + d / 2, 1.0f}});
    frequent.push_back({{d % 3, 1.0f}, {3 + d % 5, 1.0f}});
  }
  const CosineProbeOptions options;
  EXPECT_NE(CosineListProbe::MakeIfCheaper(MakeDocuments(40000, rare), options),
            nullptr);
  EXPECT_EQ(CosineListProbe::MakeIfCheaper(MakeDocuments(8, frequent), options),
            nullptr);
}

}  // namespace
}  // namespace warpclust
