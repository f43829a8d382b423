// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/describe/cluster_descriptions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "eval/testing/random_covers.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {
namespace {

using Vector = std::map<int32_t, double>;

// A document of length 1.
Vector Unit(const DocumentMatrix& documents, int32_t d) {
  Vector unit;
  double squared = 0;
  for (const float w : documents.WeightsOf(d)) squared += double{w} * w;
  for (size_t e = 0; e < documents.TermsOf(d).size(); ++e) {
    unit[documents.TermsOf(d)[e]] =
        documents.WeightsOf(d)[e] / std::sqrt(squared);
  }
  return unit;
}

double Dot(const Vector& a, const Vector& b) {
  double dot = 0;
  for (const auto& [term, weight] : a) {
    const auto found = b.find(term);
    if (found != b.end()) dot += weight * found->second;
  }
  return dot;
}

// The definitions of the header, in double.
class Naive {
 public:
  Naive(const Cover& cover, const std::vector<int32_t>& centers,
        const DocumentMatrix& documents)
      : cover_(cover), centers_(centers) {
    for (int32_t d = 0; d < documents.num_documents(); ++d) {
      units_.push_back(Unit(documents, d));
    }
    for (int32_t c = 0; c < cover.num_clusters(); ++c) {
      for (const auto& [term, weight] : Sum(c)) {
        in_all_[term] += weight;
        mean_ += weight / cover.num_clusters();
      }
    }
  }

  Vector Sum(int32_t c) const {
    Vector sum;
    for (const int32_t d : cover_.MembersOf(c)) {
      for (const auto& [term, weight] : units_[d]) sum[term] += weight;
    }
    return sum;
  }

  double Cosine(int32_t c, int32_t d) const {
    if (!centers_.empty()) {
      return centers_[c] == d ? 1 : Dot(units_[centers_[c]], units_[d]);
    }
    const Vector sum = Sum(c);
    const double norm = std::sqrt(Dot(sum, sum));
    return norm > 0 ? Dot(sum, units_[d]) / norm : 0;
  }

  double InnerCosine(int32_t c) const {
    if (cover_.MembersOf(c).size() == 1) return 1;
    double sum = 0;
    int count = 0;
    for (const int32_t d : cover_.MembersOf(c)) {
      if (!centers_.empty() && d == centers_[c]) continue;
      sum += Cosine(c, d);
      ++count;
    }
    return sum / count;
  }

  // Of all terms of the cluster.
  Vector TermWeights(int32_t c) const {
    const Vector sum = Sum(c);
    double total = 0;
    for (const auto& [term, weight] : sum) total += weight;
    Vector weights;
    for (const auto& [term, weight] : sum) {
      weights[term] = weight / total * std::log(1 + mean_ / in_all_.at(term));
    }
    return weights;
  }

  int64_t Shared(int32_t c, int32_t other) const {
    int64_t shared = 0;
    for (const int32_t d : cover_.MembersOf(c)) {
      const auto members = cover_.MembersOf(other);
      shared += std::binary_search(members.begin(), members.end(), d);
    }
    return shared;
  }

 private:
  const Cover& cover_;
  const std::vector<int32_t>& centers_;
  std::vector<Vector> units_;
  Vector in_all_;
  double mean_ = 0;
};

constexpr double kNear = 1e-6;  // The fixed point has 28 bits.

TEST(DescribeClustersTest, AsDefined) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    RandomDocumentsOptions shape;
    shape.seed = seed;
    shape.num_documents = 1 + static_cast<int32_t>(random() % 60);
    shape.integer_weights = seed % 2 == 0;
    shape.empty_fraction = seed % 3 == 0 ? 0.2 : 0;
    const DocumentMatrix documents = RandomDocuments(shape);
    const Cover cover = RandomSmallCover(documents.num_documents(), random);
    std::vector<std::string> words;
    for (int32_t t = 0; t < documents.num_terms; ++t) {
      words.push_back(absl::StrCat("w", t));
    }
    std::vector<std::string> titles;
    for (int32_t d = 0; d < documents.num_documents(); ++d) {
      titles.push_back(absl::StrCat("title ", d));
    }
    std::vector<int32_t> centers;
    bool has_empty = false;
    for (int32_t c = 0; c < cover.num_clusters(); ++c) {
      const auto members = cover.MembersOf(c);
      has_empty |= members.empty();
      if (!members.empty()) {
        centers.push_back(members[random() % members.size()]);
      }
    }
    if (seed % 4 < 2 || has_empty) centers.clear();

    DescribedDocuments described;
    described.documents = &documents;
    described.words = words;
    described.titles = titles;
    DescribeOptions options;
    options.num_threads = 1;
    const auto result = DescribeClusters(cover, centers, described, options);
    ASSERT_TRUE(result.ok()) << result.status();
    const Naive naive(cover, centers, documents);
    for (int32_t c = 0; c < cover.num_clusters(); ++c) {
      const ClusterDescription& cluster = result->clusters[c];
      const auto members = cover.MembersOf(c);
      ASSERT_EQ(cluster.size, static_cast<int64_t>(members.size()));
      if (members.empty()) {
        EXPECT_EQ(cluster.center, -1);
        continue;
      }
      double largest = -1;
      for (size_t i = 0; i < members.size(); ++i) {
        const double cosine = result->cosines[cover.offsets[c] + i];
        EXPECT_NEAR(cosine, naive.Cosine(c, members[i]), kNear);
        largest = std::max(largest, cosine);
      }
      if (centers.empty()) {
        // The first of those that are nearest.
        EXPECT_NEAR(naive.Cosine(c, cluster.center), largest, 2 * kNear);
        for (const int32_t d : members) {
          if (d >= cluster.center) break;
          EXPECT_LT(naive.Cosine(c, d), largest);
        }
      } else {
        EXPECT_EQ(cluster.center, centers[c]);
      }
      EXPECT_EQ(cluster.title, titles[cluster.center]);
      EXPECT_NEAR(cluster.inner_cosine, naive.InnerCosine(c), kNear);

      std::vector<double> others;
      for (const int32_t d : members) {
        if (d != cluster.center) others.push_back(-naive.Cosine(c, d));
      }
      std::sort(others.begin(), others.end());
      ASSERT_EQ(cluster.exemplars.size(), std::min<size_t>(3, others.size()));
      for (size_t i = 0; i < cluster.exemplars.size(); ++i) {
        EXPECT_NEAR(cluster.exemplars[i].cosine, -others[i], kNear);
        EXPECT_NEAR(naive.Cosine(c, cluster.exemplars[i].document), -others[i],
                    kNear);
      }

      const Vector weights = naive.TermWeights(c);
      std::vector<double> sorted;
      for (const auto& [term, weight] : weights) sorted.push_back(-weight);
      std::sort(sorted.begin(), sorted.end());
      ASSERT_EQ(cluster.terms.size(), std::min<size_t>(10, sorted.size()));
      for (size_t i = 0; i < cluster.terms.size(); ++i) {
        EXPECT_NEAR(cluster.terms[i].weight, -sorted[i], kNear);
        EXPECT_NEAR(weights.at(cluster.terms[i].column), -sorted[i], kNear);
        EXPECT_EQ(cluster.terms[i].word, words[cluster.terms[i].column]);
      }

      std::vector<std::pair<int64_t, int32_t>> neighbors;
      for (int32_t other = 0; other < cover.num_clusters(); ++other) {
        const int64_t shared = naive.Shared(c, other);
        if (other != c && shared > 0) neighbors.emplace_back(-shared, other);
      }
      std::sort(neighbors.begin(), neighbors.end());
      EXPECT_EQ(cluster.num_neighbors, static_cast<int>(neighbors.size()));
      neighbors.resize(std::min<size_t>(10, neighbors.size()));
      ASSERT_EQ(cluster.neighbors.size(), neighbors.size());
      for (size_t i = 0; i < neighbors.size(); ++i) {
        EXPECT_EQ(cluster.neighbors[i].shared, -neighbors[i].first);
        EXPECT_EQ(cluster.neighbors[i].cluster, neighbors[i].second);
      }
    }

    // The same bits with more threads.
    options.num_threads = 3;
    const auto again = DescribeClusters(cover, centers, described, options);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->cosines, result->cosines);
    for (int32_t c = 0; c < cover.num_clusters(); ++c) {
      const ClusterDescription& a = result->clusters[c];
      const ClusterDescription& b = again->clusters[c];
      EXPECT_EQ(a.inner_cosine, b.inner_cosine);
      ASSERT_EQ(a.terms.size(), b.terms.size());
      for (size_t i = 0; i < a.terms.size(); ++i) {
        EXPECT_EQ(a.terms[i].column, b.terms[i].column);
        EXPECT_EQ(a.terms[i].weight, b.terms[i].weight);
      }
    }
  }
}

// Two documents about rivers, one of them also about dams, and one alone.
TEST(DescribeClustersTest, Example) {
  DocumentMatrix documents;
  documents.num_terms = 3;  // dam, river, sun
  documents.offsets = {0, 2, 3, 4};
  documents.terms = {0, 1, 1, 2};
  documents.weights = {3, 4, 2, 1};
  Cover cover;
  cover.Append({0, 1});
  cover.Append({1});
  cover.Append({2});
  const std::vector<std::string> words = {"dams", "rivers", ""};
  DescribedDocuments described;
  described.documents = &documents;
  described.words = words;
  const auto result = DescribeClusters(cover, {1, 1, 2}, described);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->cosines, (std::vector<double>{0.8, 1, 1, 1}));
  const ClusterDescription& first = result->clusters[0];
  EXPECT_EQ(first.title, "");
  EXPECT_EQ(first.center, 1);
  EXPECT_EQ(first.inner_cosine, 0.8);
  ASSERT_EQ(first.terms.size(), 2u);
  EXPECT_EQ(first.terms[0].word, "rivers");
  EXPECT_EQ(first.terms[1].word, "dams");
  ASSERT_EQ(first.neighbors.size(), 1u);
  EXPECT_EQ(first.neighbors[0].cluster, 1);
  EXPECT_EQ(first.neighbors[0].shared, 1);
  ASSERT_EQ(first.exemplars.size(), 1u);
  EXPECT_EQ(first.exemplars[0].document, 0);
  // Its only word is not to be shown.
  EXPECT_TRUE(result->clusters[2].terms.empty());
  EXPECT_EQ(result->clusters[2].inner_cosine, 1);
}

// A matrix is described the same, dense and sparse, except for its terms.
TEST(DescribeClustersTest, DenseDocuments) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomDocumentsOptions shape;
    shape.seed = seed;
    shape.num_documents = 30;
    shape.num_terms = 20;
    shape.integer_weights = seed % 2 == 0;
    shape.empty_fraction = 0.1;
    const DocumentMatrix documents = RandomDocuments(shape);
    std::vector<float> values(size_t{30} * documents.num_terms);
    for (int32_t d = 0; d < 30; ++d) {
      for (size_t e = 0; e < documents.TermsOf(d).size(); ++e) {
        values[d * documents.num_terms + documents.TermsOf(d)[e]] =
            documents.WeightsOf(d)[e];
      }
    }
    const DenseDocuments rows = MakeDenseDocuments(std::move(values), 30);
    std::mt19937_64 random(seed);
    const Cover cover = CoverWithSizes(30, {4, 9, 1, 15}, random);
    std::vector<int32_t> centers;
    for (int32_t c = 0; c < cover.num_clusters(); ++c) {
      centers.push_back(cover.MembersOf(c)[cover.MembersOf(c).size() / 2]);
    }
    DescribedDocuments sparse;
    sparse.documents = &documents;
    DescribedDocuments dense;
    dense.dense = &rows;
    const auto expected = DescribeClusters(cover, centers, sparse);
    const auto found = DescribeClusters(cover, centers, dense);
    ASSERT_TRUE(expected.ok()) << expected.status();
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->cosines, expected->cosines);
    for (int32_t c = 0; c < cover.num_clusters(); ++c) {
      const ClusterDescription& a = expected->clusters[c];
      const ClusterDescription& b = found->clusters[c];
      EXPECT_EQ(b.center, a.center);
      EXPECT_EQ(b.inner_cosine, a.inner_cosine);
      EXPECT_EQ(b.num_neighbors, a.num_neighbors);
      ASSERT_EQ(b.exemplars.size(), a.exemplars.size());
      for (size_t i = 0; i < a.exemplars.size(); ++i) {
        EXPECT_EQ(b.exemplars[i].document, a.exemplars[i].document);
      }
      EXPECT_TRUE(b.terms.empty());
    }
    EXPECT_FALSE(DescribeClusters(cover, {}, dense).ok());
  }
}

// Two documents are equally near to their sum, whatever is rounded.
TEST(DescribeClustersTest, TwoDocumentsAreATie) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    RandomDocumentsOptions shape;
    shape.seed = seed;
    shape.num_documents = 2;
    const DocumentMatrix documents = RandomDocuments(shape);
    Cover cover;
    cover.Append({0, 1});
    DescribedDocuments described;
    described.documents = &documents;
    const auto result = DescribeClusters(cover, {}, described);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->clusters[0].center, 0) << seed;
  }
}

TEST(DescribeClustersTest, RefusesWhatDoesNotFit) {
  DocumentMatrix documents;
  documents.num_terms = 1;
  documents.offsets = {0, 1, 1};
  documents.terms = {0};
  documents.weights = {1};
  Cover cover;
  cover.Append({0, 1});
  DescribedDocuments described;
  described.documents = &documents;
  const auto code = [&](const std::vector<int32_t>& centers,
                        const DescribeOptions& options = {}) {
    return DescribeClusters(cover, centers, described, options).status().code();
  };
  EXPECT_EQ(code({0}), absl::StatusCode::kOk);
  EXPECT_EQ(code({}), absl::StatusCode::kOk);
  EXPECT_EQ(code({2}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({0, 0}), absl::StatusCode::kInvalidArgument);
  DescribeOptions options;
  options.terms = -1;
  EXPECT_EQ(code({0}, options), absl::StatusCode::kInvalidArgument);
  options = {};
  options.num_threads = -1;
  EXPECT_EQ(code({0}, options), absl::StatusCode::kInvalidArgument);
  const std::vector<std::string> three = {"a", "b", "c"};
  described.titles = three;
  EXPECT_EQ(code({0}), absl::StatusCode::kInvalidArgument);
  described.titles = {};
  described.words = three;
  EXPECT_EQ(code({0}), absl::StatusCode::kInvalidArgument);
  described.words = {};
  cover.members = {1, 0};
  EXPECT_EQ(code({0}), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
