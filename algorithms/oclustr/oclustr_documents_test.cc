// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_documents.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "algorithms/oclustr/testing/oclustr_oracle.h"
#include "graph/cosine/cosine_graph.h"
#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/compact_terms.h"

namespace warpclust {
namespace {

DocumentMatrix RandomDocuments(uint32_t seed) {
  std::mt19937 random(seed);
  DocumentMatrix documents;
  documents.num_terms = 40;
  for (int32_t d = 0; d < 60; ++d) {
    for (int32_t t = 0; t < documents.num_terms; ++t) {
      // Groups of ten documents prefer the same terms; some are empty.
      const bool fits = t % 6 == d / 10;
      if (d % 13 == 12 || random() % 100 >= (fits ? 60u : 5u)) continue;
      documents.terms.push_back(t);
      documents.weights.push_back(1 + random() % 3);
    }
    documents.offsets.push_back(documents.num_entries());
  }
  return documents;
}

TEST(OClustRDocumentsTest, IsTheGraphAndItsClusters) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const DocumentMatrix documents = RandomDocuments(seed);
    OClustRDocumentsOptions options;
    options.graph.beta = {35, 100};
    const absl::StatusOr<CsrGraph> graph =
        CosineGraph(documents, options.graph, Device::kCpu);
    ASSERT_TRUE(graph.ok()) << graph.status();
    const NaiveOClustRResult expected = NaiveOClustR(*graph);
    for (const Device device : {Device::kCpu, Device::kAuto}) {
      options.device = device;
      const absl::StatusOr<OClustRResult> result =
          OClustRDocuments(documents, options);
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(result->num_edges, graph->num_edges());
      ASSERT_EQ(result->cover.num_clusters(),
                static_cast<int32_t>(expected.clusters.size()));
      for (int32_t c = 0; c < result->cover.num_clusters(); ++c) {
        const auto members = result->cover.MembersOf(c);
        EXPECT_TRUE(std::equal(members.begin(), members.end(),
                               expected.clusters[c].members.begin(),
                               expected.clusters[c].members.end()));
      }
    }
  }
}

TEST(OClustRDocumentsTest, DenseDocumentsHaveTheClustersOfTheirTerms) {
  const DocumentMatrix sparse = RandomDocuments(1);
  const int64_t d = sparse.num_terms;
  std::vector<float> values(sparse.num_documents() * d);
  for (int32_t i = 0; i < sparse.num_documents(); ++i) {
    for (size_t e = 0; e < sparse.TermsOf(i).size(); ++e) {
      values[i * d + sparse.TermsOf(i)[e]] = sparse.WeightsOf(i)[e];
    }
  }
  const DenseDocuments dense =
      MakeDenseDocuments(std::move(values), sparse.num_documents());
  OClustRDocumentsOptions options;
  options.graph.beta = "0.35";
  const absl::StatusOr<OClustRResult> expected =
      OClustRDocuments(sparse, options);
  ASSERT_TRUE(expected.ok()) << expected.status();
  for (const Device device : {Device::kCpu, Device::kAuto}) {
    options.device = device;
    const absl::StatusOr<OClustRResult> result =
        OClustRDocuments(dense, options);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->num_edges, expected->num_edges);
    ASSERT_EQ(result->cover.num_clusters(), expected->cover.num_clusters());
    for (int32_t c = 0; c < result->cover.num_clusters(); ++c) {
      EXPECT_EQ(result->cover.MembersOf(c), expected->cover.MembersOf(c));
    }
  }
}

TEST(OClustRDocumentsTest, NothingOneTwoAndDocumentsWithoutTerms) {
  // By document: its terms; then the clusters of all.
  const struct {
    std::vector<std::vector<int32_t>> terms;
    std::vector<std::vector<int32_t>> clusters;
  } kCases[] = {
      {{}, {}},
      {{{}}, {{0}}},
      {{{INT32_MAX - 1}}, {{0}}},
      {{{}, {}}, {{0}, {1}}},
      {{{3}, {}}, {{0}, {1}}},
      {{{3}, {4}}, {{0}, {1}}},
      {{{INT32_MAX - 1}, {INT32_MAX - 1}}, {{0, 1}}},
  };
  for (const auto& one : kCases) {
    DocumentMatrix documents;
    for (const std::vector<int32_t>& terms : one.terms) {
      for (const int32_t term : terms) {
        documents.terms.push_back(term);
        documents.weights.push_back(2);
        documents.num_terms = std::max(documents.num_terms, term + 1);
      }
      documents.offsets.push_back(documents.num_entries());
    }
    CompactTerms(&documents);
    const auto result = OClustRDocuments(documents, {});
    ASSERT_TRUE(result.ok()) << result.status();
    Cover expected;
    for (const std::vector<int32_t>& members : one.clusters) {
      expected.Append(members);
    }
    EXPECT_TRUE(result->cover == expected) << one.terms.size();
  }
}

TEST(OClustRDocumentsTest, RefusesABetaOfZero) {
  OClustRDocumentsOptions options;
  options.graph.beta = {0, 1};
  EXPECT_EQ(OClustRDocuments(RandomDocuments(1), options).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
