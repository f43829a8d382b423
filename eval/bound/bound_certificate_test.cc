// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/bound/bound_certificate.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/io/lines/line_reader.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// Two triangles that share the edge (0, 1), of weight 3.
absl::StatusOr<BoundCertificate> Verify(const std::string& text) {
  const std::vector<SignedEdge> edges = {{0, 1, 3}, {1, 2, 2},  {0, 2, -2},
                                         {1, 3, 4}, {0, 3, -5}, {2, 3, 1}};
  LineReader lines = LineReader::FromString(text, "proof");
  return VerifyBoundCertificate(*BuildSignedGraph(4, edges), lines);
}

TEST(BoundCertificateTest, AcceptsAProof) {
  const auto result =
      Verify("lower_bound 3 units_per_one 1\n2 0 2 1\n1 3 0 1\n");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->lower_bound, 3);
  EXPECT_EQ(result->cycles, 2);
  EXPECT_TRUE(Verify("lower_bound 0 units_per_one 1\n").ok());
  // The optimum of all, and of a triangle beside a cycle that shares an edge.
  const auto exact = Verify("lower_bound 3 units_per_one 1\nexact 0 1 2 3\n");
  ASSERT_TRUE(exact.ok()) << exact.status();
  EXPECT_EQ(exact->cycles, 0);
  EXPECT_EQ(exact->exact_blocks, 1);
  EXPECT_TRUE(
      Verify("lower_bound 3 units_per_one 1\n2 0 2 1\nexact 0 1 3\n").ok());
  // Five halves are at least three.
  EXPECT_TRUE(
      Verify("lower_bound 3 units_per_one 1 parts 2\n4 0 2 1\n1 3 0 1\n").ok());
}

TEST(BoundCertificateTest, RefusesEverythingElse) {
  const std::string head = "lower_bound 3 units_per_one 1\n";
  for (const std::string& text :
       {std::string(),
        std::string("bound 3 units_per_one 1\n"),
        std::string("lower_bound 3 units_per_one 10\n2 0 2 1\n1 3 0 1\n"),
        std::string("lower_bound 4 units_per_one 1\n2 0 2 1\n1 3 0 1\n"),
        std::string(
            "lower_bound 4 units_per_one 1 parts 2\n4 0 2 1\n2 3 0 1\n"),
        std::string("lower_bound 3 units_per_one 1 parts 2\n5 0 2 1\n"),
        std::string("lower_bound 3 units_per_one 1 parts 0\n2 0 2 1\n"),
        std::string("lower_bound 3 units_per_one 1 parts 1048577\n"),
        std::string("lower_bound 3 units_per_one 1 part 2\n4 0 2 1\n2 3 0 1\n"),
        head + "2 0 2 1\n",            // Not enough.
        head + "2 0 2 1\n2 3 0 1\n",   // Too much for (0, 1).
        head + "3 0 2 1\n",            // Too much for (0, 2).
        head + "1 0 1 2\n2 3 0 1\n",   // The negative edge is not first.
        head + "1 0 2 3\n2 3 0 1\n",   // Two negative edges.
        head + "2 0 2\n1 3 0 1\n",     // No cycle.
        head + "2 0 2 4\n1 3 0 1\n",   // No such vertex.
        head + "-2 0 2 1\n5 3 0 1\n",  // A negative weight.
        head + "0 0 2 1\n3 3 0 1\n",   // None.
        head + "2 0 2 1 \n1 3 0 1\n",  // An empty field.
        head + "exact 0 1 2\n",        // Not enough.
        head + "exact 0 1 2\n1 3 0 1\nexact 0 1 3\n",  // Nothing left.
        head + "exact 0 1 3\n2 0 2 1\n",   // Nothing left of (0, 1).
        head + "exact 1 0 2 3\n",          // Not ascending.
        head + "exact 0 1 1 2 3\n",        // Twice.
        head + "exact 0 1\n",              // Too few.
        head + "2 0 0 2 1\n1 3 0 1\n"}) {  // A loop.
    SCOPED_TRACE(text);
    EXPECT_EQ(Verify(text).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace warpclust
