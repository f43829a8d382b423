// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/hierarchy/single_linkage.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/exact_cosines.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

TEST(SingleLinkageTest, ByHand) {
  // 1-2 at 0.5, then 0 and 3 at 0.25, where 0-1 comes first; 4 has no edge.
  const CsrGraph graph = *BuildCsrGraph(
      5, {{2, 3, 0.25f}, {1, 2, 0.5f}, {0, 1, 0.25f}, {0, 2, 0.25f}});
  const auto exact = [&](int32_t v, absl::Span<const int32_t> others,
                         std::vector<double>*, absl::Span<double> cosines) {
    for (size_t k = 0; k < others.size(); ++k) {
      cosines[k] = v == 1 && others[k] == 2 ? 0.5 : 0.25;
    }
  };
  EXPECT_EQ(SingleLinkage(graph, exact), (std::vector<double>{1, 2, 0.5, 2,   //
                                                              0, 5, 0.75, 3,  //
                                                              3, 6, 0.75, 4,  //
                                                              4, 7, 1, 5}));
  EXPECT_EQ(SingleLinkage(CsrGraph(), exact), std::vector<double>());
  EXPECT_EQ(SingleLinkage(*BuildCsrGraph(1, {}), exact), std::vector<double>());
}

// Joins the most similar pair of different clusters, again and again; of equal
// ones that with the smallest vertices.
std::vector<double> Naive(const std::vector<std::vector<double>>& cosines) {
  const size_t n = cosines.size();
  std::vector<size_t> cluster(n);
  std::iota(cluster.begin(), cluster.end(), 0);
  std::vector<double> rows;
  for (size_t k = 0; k + 1 < n; ++k) {
    double most = -1;
    size_t a = 0;
    size_t b = 0;
    for (size_t u = 0; u < n; ++u) {
      for (size_t v = u + 1; v < n; ++v) {
        if (cluster[u] == cluster[v] || cosines[u][v] <= most) continue;
        most = cosines[u][v];
        a = cluster[u];
        b = cluster[v];
      }
    }
    double size = 0;
    for (size_t& c : cluster) {
      if (c != a && c != b) continue;
      c = n + k;
      ++size;
    }
    rows.insert(rows.end(),
                {static_cast<double>(std::min(a, b)),
                 static_cast<double>(std::max(a, b)), 1 - most, size});
  }
  return rows;
}

// Few terms and small counts: many ties, and many cosines that are one float
// and different doubles.
TEST(SingleLinkageTest, RandomDocumentsAgainstTheDefinition) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto n = static_cast<int32_t>(1 + random.Below(60));
    const bool integers = random.Below(2) == 0;
    DocumentMatrix documents;
    documents.num_terms = static_cast<int32_t>(1 + random.Below(30));
    for (int32_t d = 0; d < n; ++d) {
      for (int32_t t = 0; t < documents.num_terms; ++t) {
        if (random.Below(5) != 0) continue;
        documents.terms.push_back(t);
        documents.weights.push_back(
            integers ? static_cast<float>(1 + random.Below(3))
                     : 1.0f + static_cast<float>(random.Below(4)) * 1e-6f);
      }
      documents.offsets.push_back(documents.num_entries());
    }
    CosineGraphOptions options;
    options.beta = random.Below(2) == 0 ? Decimal("0.05") : Decimal("0.5");
    const CsrGraph graph = *CosineGraph(documents, options, Device::kCpu);
    const ExactCosines exact(documents);
    std::vector<std::vector<double>> cosines(n, std::vector<double>(n));
    std::vector<double> scratch;
    for (int32_t u = 0; u < n; ++u) {
      const absl::Span<const int32_t> row = graph.NeighborsOf(u);
      std::vector<double> found(row.size());
      if (!row.empty()) exact(u, row, &scratch, absl::MakeSpan(found));
      for (size_t k = 0; k < row.size(); ++k) {
        ASSERT_EQ(static_cast<float>(found[k]), graph.WeightsOf(u)[k]);
        cosines[u][row[k]] = found[k];
      }
    }
    ASSERT_EQ(SingleLinkage(graph, exact), Naive(cosines));
  }
}

}  // namespace
}  // namespace warpclust
