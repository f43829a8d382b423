// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/files/clusters_file.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/density_peaks/files/decision_graph_file.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

class ClustersFileTest : public testing::Test {
 protected:
  ClustersFileTest() {
    graph_.cutoff_distance = 0.1;
    graph_.densities = {2, 3, 5, 0};
    graph_.dependent_points = {1, 2, -1, 1};
    graph_.dependent_distances = {1, 4.25, 9, 1.0 / 3};
    clusters_.peaks = {1, 2};
    clusters_.labels = {0, 0, 1, 0};
    clusters_.noise = {0, 0, 0, 1};
  }

  std::string text_;
  absl::FunctionRef<void(absl::string_view)> Write() { return write_; }

  DecisionGraph graph_;
  Clusters clusters_;

 private:
  const std::function<void(absl::string_view)> write_ =
      [this](absl::string_view piece) {
        text_.append(piece.data(), piece.size());
      };
};

TEST_F(ClustersFileTest, Tsv) {
  WriteClustersTsv(clusters_, {}, Write());
  EXPECT_EQ(text_, "0\t0\n1\t0\n2\t1\n3\t0\n");
}

TEST_F(ClustersFileTest, Marks) {
  WriteClustersTsv(clusters_, {}, Write(), 1, /*marks=*/true);
  EXPECT_EQ(text_, "0\t0\tcore\n1\t0\tcore\n2\t1\tcore\n3\t0\tnoise\n");
  text_.clear();
  clusters_.halo = {1, 0, 0, 1};
  WriteClustersTsv(clusters_, {}, Write(), 1, /*marks=*/true);
  EXPECT_EQ(text_, "0\t0\thalo\n1\t0\tcore\n2\t1\tcore\n3\t0\tnoise\n");
}

TEST_F(ClustersFileTest, Json) {
  WriteClustersJson(graph_, clusters_, {}, {}, Write());
  EXPECT_EQ(text_,
            "{\"clusters\":["
            "{\"peak\":1,\"rho\":3,\"delta\":4.25,\"members\":[0,1,3],"
            "\"noise\":[3]},"
            "{\"peak\":2,\"rho\":5,\"delta\":9,\"members\":[2],\"noise\":[]}],"
            "\"cutoff_distance\":0.1}\n");
  text_.clear();
  clusters_.halo = {1, 0, 0, 1};
  WriteClustersJson(graph_, clusters_, {}, {}, Write());
  EXPECT_NE(text_.find("\"noise\":[3],\"halo\":[0,3]}"), std::string::npos);
  EXPECT_NE(text_.find("\"noise\":[],\"halo\":[]}"), std::string::npos);
}

TEST_F(ClustersFileTest, DecisionGraph) {
  WriteDecisionGraph(graph_, clusters_, {}, {}, Write());
  EXPECT_EQ(text_,
            "# id\trho\tdelta\tgamma\tdependent\tcluster\tpeak\tnoise\n"
            "0\t2\t1\t2\t1\t0\t0\t0\n"
            "1\t3\t4.25\t12.75\t2\t0\t1\t0\n"
            "2\t5\t9\t21.25\t-1\t1\t1\t0\n"
            "3\t0\t0.3333333333333333\t0\t1\t0\t0\t1\n");
  text_.clear();
  clusters_.halo = {1, 0, 0, 1};
  WriteDecisionGraph(graph_, clusters_, {}, {}, Write());
  EXPECT_NE(text_.find("\tnoise\thalo\n0\t2\t1\t2\t1\t0\t0\t0\t1\n"),
            std::string::npos);
}

TEST_F(ClustersFileTest, Significance) {
  const Significance significance = {
      .saddles = {1, 0},
      .sigmas = {0.5, 2.25},
      .least_sigma = 1.5,
      .num_candidates = 3,
  };
  WriteClustersJson(graph_, clusters_, significance, {}, Write());
  EXPECT_EQ(text_,
            "{\"clusters\":["
            "{\"peak\":1,\"rho\":3,\"delta\":4.25,\"saddle\":1,\"sigma\":0.5,"
            "\"members\":[0,1,3],\"noise\":[3]},"
            "{\"peak\":2,\"rho\":5,\"delta\":9,\"saddle\":0,\"sigma\":2.25,"
            "\"members\":[2],\"noise\":[]}],\"cutoff_distance\":0.1,"
            "\"least_sigma\":1.5,\"candidates\":3}\n");
  text_.clear();
  WriteDecisionGraph(graph_, clusters_, significance, {}, Write());
  EXPECT_NE(text_.find("\tpeak\tnoise\tsigma\n0\t2\t1\t2\t1\t0\t0\t0\t0\n"
                       "1\t3\t4.25\t12.75\t2\t0\t1\t0\t0.5\n"),
            std::string::npos);
}

TEST_F(ClustersFileTest, Names) {
  const std::vector<std::string> names = {"a", "\"b\"", "7", "c d"};
  WriteClustersTsv(clusters_, {{}, names}, Write());
  EXPECT_EQ(text_, "a\t0\n\"b\"\t0\n7\t1\nc d\t0\n");
  text_.clear();
  WriteClustersJson(graph_, clusters_, {}, {{}, names}, Write());
  EXPECT_EQ(text_,
            "{\"clusters\":["
            "{\"peak\":\"\\\"b\\\"\",\"rho\":3,\"delta\":4.25,"
            "\"members\":[\"a\",\"\\\"b\\\"\",\"c d\"],\"noise\":[\"c d\"]},"
            "{\"peak\":\"7\",\"rho\":5,\"delta\":9,\"members\":[\"7\"],"
            "\"noise\":[]}],\"cutoff_distance\":0.1}\n");
  text_.clear();
  WriteDecisionGraph(graph_, clusters_, {}, {{}, names}, Write());
  EXPECT_EQ(text_,
            "# id\trho\tdelta\tgamma\tdependent\tcluster\tpeak\tnoise\n"
            "a\t2\t1\t2\t\"b\"\t0\t0\t0\n"
            "\"b\"\t3\t4.25\t12.75\t7\t0\t1\t0\n"
            "7\t5\t9\t21.25\t-1\t1\t1\t0\n"
            "c d\t0\t0.3333333333333333\t0\t\"b\"\t0\t0\t1\n");
}

TEST_F(ClustersFileTest, Numbers) {
  const std::vector<int32_t> numbers = {4, 5, 8, 9};
  WriteClustersTsv(clusters_, {numbers}, Write());
  EXPECT_EQ(text_, "4\t0\n5\t0\n8\t1\n9\t0\n");
}

// More than one piece of text.
TEST_F(ClustersFileTest, LongOnesAreWhole) {
  const int32_t n = 50000;
  clusters_.peaks = {0};
  clusters_.labels.assign(n, 0);
  clusters_.noise.assign(n, 0);
  WriteClustersTsv(clusters_, {}, Write());
  std::string expected;
  for (int32_t i = 0; i < n; ++i) expected += std::to_string(i) + "\t0\n";
  EXPECT_EQ(text_, expected);
  graph_ = DecisionGraph();
  graph_.densities.assign(n, 1);
  graph_.dependent_points.assign(n, 0);
  graph_.dependent_points[0] = -1;
  graph_.dependent_distances.assign(n, 0);
  text_.clear();
  WriteClustersJson(graph_, clusters_, {}, {}, Write());
  EXPECT_NE(text_.find(",49998,49999],\"noise\":[]}],\"cutoff_distance\":0}\n"),
            std::string::npos);
  text_.clear();
  WriteDecisionGraph(graph_, clusters_, {}, {}, Write());
  EXPECT_NE(text_.find("\n49999\t1\t0\t0\t0\t0\t0\t0\n"), std::string::npos);
  for (const int threads : {1, 3}) {
    const std::string before = std::move(text_);
    text_.clear();
    WriteDecisionGraph(graph_, clusters_, {}, {}, Write(), threads);
    EXPECT_TRUE(text_ == before) << threads << " threads";
  }
}

}  // namespace
}  // namespace warpclust
