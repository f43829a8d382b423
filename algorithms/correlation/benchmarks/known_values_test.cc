// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/benchmarks/known_values.h"

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(KnownValuesTest, AreFoundByTheNameOfTheFile) {
  const KnownValues known = FindKnownValues("dir/slashdot_10000.txt.gz");
  EXPECT_EQ(known.grasp.imbalance, 20594.6);
  EXPECT_EQ(known.grasp.seconds, 7200.49);
  EXPECT_EQ(known.grasp.cuda_imbalance, 20596.6);
  EXPECT_EQ(known.ils.cuda_seconds, 1087.89);
  EXPECT_EQ(known.multilevel, 20559);
  EXPECT_EQ(known.multilevel_seconds, 0.115);
  EXPECT_EQ(known.sixty_seconds, 20522);
  EXPECT_EQ(known.lower_bound, 19464);
}

TEST(KnownValuesTest, HalfOfWhatThePaperPrintsForRandomNetworks) {
  const KnownValues known = FindKnownValues("paper_random_600_0.8_0.8");
  EXPECT_EQ(known.ils.imbalance, 54851.2 / 2);
  EXPECT_EQ(known.grasp.cuda_imbalance, 55203.2 / 2);
}

TEST(KnownValuesTest, UnknownOnesAreZero) {
  EXPECT_EQ(FindKnownValues("unga_01.txt").multilevel, 0);
  EXPECT_EQ(FindKnownValues("unga_01.txt").lower_bound, 9.3378);
  for (const char* path : {"", "/", "nothing", "slashdot_100", "-"}) {
    const KnownValues known = FindKnownValues(path);
    EXPECT_EQ(known.grasp.imbalance, 0) << path;
    EXPECT_EQ(known.lower_bound, 0) << path;
  }
}

}  // namespace
}  // namespace warpclust
