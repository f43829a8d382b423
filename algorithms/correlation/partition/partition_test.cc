// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/partition/partition.h"

#include <cstdint>

#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "eval/imbalance.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

Labels RandomLabels(int32_t n, Random* random) {
  const uint64_t num_labels = 1 + random->Below(n);
  Labels labels(n);
  for (int32_t& label : labels) {
    label = static_cast<int32_t>(random->Below(num_labels));
  }
  return labels;
}

TEST(PartitionTest, ImbalanceIsThatOfTheFormula) {
  Random random(1);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 1 + static_cast<int32_t>(seed % 40);
    options.parallel = 20;
    options.max_weight = 9;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    const Labels labels = RandomLabels(options.num_vertices, &random);
    EXPECT_EQ(Imbalance(graph, labels),
              ComputeSignedBalance(graph, labels)->imbalance);
  }
  EXPECT_EQ(Imbalance(SignedGraph(), {}), 0);
}

TEST(PartitionTest, CanonicalNumbersByFirstMember) {
  Labels labels = {3, 3, 0, 4, 0, 3};
  EXPECT_EQ(MakeCanonical(&labels), 3);
  EXPECT_EQ(labels, (Labels{0, 0, 1, 2, 1, 0}));
  EXPECT_EQ(MakeCanonical(&labels), 3);
  EXPECT_EQ(labels, (Labels{0, 0, 1, 2, 1, 0}));
  Labels none;
  EXPECT_EQ(MakeCanonical(&none), 0);
}

TEST(PartitionTest, IntersectKeepsTogetherWhatIsTogetherInBoth) {
  Random random(2);
  for (int32_t n = 1; n < 60; ++n) {
    SCOPED_TRACE(n);
    const Labels a = RandomLabels(n, &random);
    const Labels b = RandomLabels(n, &random);
    Labels both = a;
    const int32_t num_clusters = Intersect(b, &both);
    int32_t largest = -1;
    for (int32_t u = 0; u < n; ++u) {
      EXPECT_LE(both[u], largest + 1);  // Canonical.
      largest = both[u] > largest ? both[u] : largest;
      for (int32_t v = 0; v < n; ++v) {
        EXPECT_EQ(both[u] == both[v], a[u] == a[v] && b[u] == b[v]);
      }
    }
    EXPECT_EQ(num_clusters, largest + 1);
  }
  Labels none;
  EXPECT_EQ(Intersect({}, &none), 0);
}

}  // namespace
}  // namespace warpclust
