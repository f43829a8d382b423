// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/read_signed_graph.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "graph/io/signed_edge_list.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"
#include "tools/cli/bundled_example.h"
#include "tools/cli/cli.h"

namespace warpclust {
namespace {

std::string Write(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + "/read_signed_graph_" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

TEST(ReadSignedGraphTest, FormatsAreFoundOrGiven) {
  const std::string edges = Write("a", "# a comment\na b 1\nb c -0.5\n");
  const std::string signs = Write("b.txt", "a b +\nb c -\n");
  const std::string commas = Write("c.csv", "a,b,1\nb,c,-2\n");
  const std::string matrix =
      Write("d",
            "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n"
            "3 2 -1\n");
  for (const std::string& path : {edges, signs, commas, matrix}) {
    for (absl::string_view format : {"auto", "edges", "matrixmarket"}) {
      const absl::StatusOr<SignedEdgeList> read =
          ReadSignedGraph(path, format, SignedEdgeListOptions());
      const bool right =
          format == "auto" || (format == "matrixmarket") == (path == matrix);
      ASSERT_EQ(read.ok(), right)
          << path << " as " << format << ": " << read.status();
      if (right) {
        EXPECT_EQ(read->graph.num_vertices(), 3);
        EXPECT_EQ(read->graph.num_positive_edges, 1);
        EXPECT_EQ(read->graph.num_negative_edges, 1);
        EXPECT_EQ(read->ids[0], path == matrix ? "1" : "a");
      } else {
        EXPECT_EQ(ExitCode(read.status()), 2) << read.status();
        EXPECT_TRUE(absl::StrContains(read.status().message(), path));
      }
    }
  }
}

TEST(ReadSignedGraphTest, ErrorsKeepTheirPlaceAndSayWhatHelps) {
  const std::string loop = Write("loop", "a b 1\nb b -1\n");
  SignedEdgeListOptions options;
  const absl::Status status = ReadSignedGraph(loop, "auto", options).status();
  EXPECT_EQ(ExitCode(status), 2);
  EXPECT_TRUE(absl::StrContains(status.message(), "loop:2: expected two"))
      << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "--skip_loops")) << status;
  options.skip_loops = true;
  const absl::StatusOr<SignedEdgeList> read =
      ReadSignedGraph(loop, "auto", options);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->skipped_loops, 1);

  options.sign_only = true;
  const absl::Status weight =
      ReadSignedGraph(Write("weight", "a b 1\nb c 0.5\n"), "auto", options)
          .status();
  EXPECT_TRUE(absl::StrContains(weight.message(), "weight:2: expected"))
      << weight;
  EXPECT_FALSE(absl::StrContains(weight.message(), "--skip_loops")) << weight;
  EXPECT_EQ(ExitCode(ReadSignedGraph("/nowhere/at.all", "auto",
                                     SignedEdgeListOptions())
                         .status()),
            2);
  EXPECT_EQ(ExitCode(ReadSignedGraph(testing::TempDir(), "auto",
                                     SignedEdgeListOptions())
                         .status()),
            2);
}

// The least I(P), by dynamic programming over all sets of vertices.
int64_t LeastImbalance(const SignedGraph& graph) {
  const int n = graph.num_vertices();
  const uint32_t num_sets = uint32_t{1} << n;
  // Negative and positive weight inside each set.
  std::vector<int64_t> negative(num_sets), positive(num_sets);
  for (uint32_t set = 1; set < num_sets; ++set) {
    const int last = 31 - __builtin_clz(set);
    const uint32_t rest = set & ~(uint32_t{1} << last);
    negative[set] = negative[rest];
    positive[set] = positive[rest];
    for (int64_t i = graph.offsets[last]; i < graph.offsets[last + 1]; ++i) {
      if ((rest >> graph.neighbors[i] & 1) == 0) continue;
      (graph.weights[i] < 0 ? negative[set] : positive[set]) +=
          std::abs(graph.weights[i]);
    }
  }
  // Of all partitions of a set: the least weight of negative edges inside
  // clusters less that of positive ones.
  std::vector<int64_t> least(num_sets, 0);
  for (uint32_t set = 1; set < num_sets; ++set) {
    const uint32_t last = uint32_t{1} << (31 - __builtin_clz(set));
    const uint32_t rest = set & ~last;
    least[set] = least[rest];  // `last` alone.
    for (uint32_t others = rest; others != 0; others = (others - 1) & rest) {
      const uint32_t cluster = others | last;
      least[set] =
          std::min(least[set], least[set & ~cluster] + negative[cluster] -
                                   positive[cluster]);
    }
  }
  return graph.constant_cost + positive[num_sets - 1] + least[num_sets - 1];
}

TEST(ReadSignedGraphTest, TheOptimumOfTheBundledNetworkIsProved) {
  const absl::StatusOr<std::string> path = BundledExample("tribes.txt");
  ASSERT_TRUE(path.ok()) << path.status();
  const absl::StatusOr<SignedEdgeList> read =
      ReadSignedGraph(*path, "auto", SignedEdgeListOptions());
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->graph.num_vertices(), 16);
  EXPECT_EQ(read->graph.num_edges(), 58);
  EXPECT_EQ(LeastImbalance(read->graph),
            kBundledSignedGraphOptimum * read->graph.units_per_one);
}

}  // namespace
}  // namespace warpclust
