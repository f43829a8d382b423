// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The clusterer against a naive one that keeps every sum in a map, and
// with Q = 1 against Serial Clusterer 2.

#include "algorithms/online/paper/multiple_document_clusterer.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/serial/serial_clusterers.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/collision_stream.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct Outcome {
  std::vector<int32_t> clusters;
  OnlineState state;
};

// Clusters a stream in calls of `call` documents.
Outcome RunEngine(OnlineEngine& engine, const CollisionStream& stream,
                  int64_t call) {
  Outcome run;
  run.clusters.resize(stream.clocks.size(), -2);
  for (int64_t begin = 0; begin < stream.documents.size(); begin += call) {
    const int64_t end = std::min(begin + call, stream.documents.size());
    const absl::Status clustered = engine.Cluster(
        Slice(stream.documents, begin, end),
        absl::MakeConstSpan(stream.clocks).subspan(begin, end - begin),
        absl::MakeSpan(run.clusters).subspan(begin, end - begin));
    EXPECT_TRUE(clustered.ok()) << clustered;
  }
  absl::StatusOr<OnlineState> state = engine.State();
  EXPECT_TRUE(state.ok()) << state.status();
  if (state.ok()) run.state = *std::move(state);
  return run;
}

// The `terms` largest sums, largest first, as (-sum, term).
std::vector<std::pair<int64_t, int32_t>> Ranked(
    const std::map<int32_t, int64_t>& sums, int32_t terms) {
  std::vector<std::pair<int64_t, int32_t>> ranked;
  for (const auto& [term, sum] : sums) ranked.push_back({-sum, term});
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > static_cast<size_t>(terms)) ranked.resize(terms);
  return ranked;
}

// The definition, word by word.
Outcome RunNaive(const OnlineOptions& options,
                 const MultipleDocumentOptions& batching,
                 const CollisionStream& stream) {
  struct Cluster {
    std::map<int32_t, int64_t> sums;
    std::map<int32_t, int64_t> vector;
    int64_t size = 0;
    int64_t last_time = 0;
  };
  std::vector<Cluster> clusters;
  Outcome run;
  const UnitVectors& documents = stream.documents;
  for (int64_t begin = 0; begin < documents.size(); begin += batching.batch) {
    const int64_t end =
        std::min<int64_t>(begin + batching.batch, documents.size());
    for (int64_t d = begin; d < end; ++d) {
      std::pair<int64_t, int32_t> best = {0, -1};
      for (size_t c = 0; c < clusters.size(); ++c) {
        int64_t similarity = 0;
        for (size_t i = 0; i < documents.TermsOf(d).size(); ++i) {
          const auto found = clusters[c].vector.find(documents.TermsOf(d)[i]);
          if (found == clusters[c].vector.end()) continue;
          similarity += documents.WeightsOf(d)[i] * found->second;
        }
        if (similarity <= SimilarityAbove(options.threshold)) continue;
        if (IsExpired(clusters[c].last_time, stream.clocks[d],
                      options.expire_after)) {
          continue;
        }
        int64_t bucket = similarity;
        if (batching.epsilon.numerator > 0) {
          bucket = batching.epsilon.numerator == batching.epsilon.denominator
                       ? 0
                       : similarity / SimilarityAbove(batching.epsilon);
        }
        if (best.second < 0 || bucket > best.first) {
          best = {bucket, static_cast<int32_t>(c)};
        }
      }
      run.clusters.push_back(best.second);
    }
    for (int64_t d = begin; d < end; ++d) {
      if (run.clusters[d] < 0) {
        run.clusters[d] = static_cast<int32_t>(clusters.size());
        clusters.emplace_back();
      }
      Cluster& cluster = clusters[run.clusters[d]];
      for (size_t i = 0; i < documents.TermsOf(d).size(); ++i) {
        cluster.sums[documents.TermsOf(d)[i]] += documents.WeightsOf(d)[i];
      }
      ++cluster.size;
      cluster.last_time = stream.clocks[d];
      if (!options.truncated_mean) continue;
      const auto kept = Ranked(cluster.sums, options.terms);
      cluster.sums.clear();
      for (const auto& [sum, term] : kept) cluster.sums[term] = -sum;
    }
    for (Cluster& cluster : clusters) {
      const auto ranked = Ranked(cluster.sums, options.terms);
      unsigned __int128 squares = 0;
      for (const auto& [sum, term] : ranked) {
        squares += static_cast<unsigned __int128>(-sum) * -sum;
      }
      cluster.vector.clear();
      const double scale = UnitScale(static_cast<uint64_t>(squares >> 64),
                                     static_cast<uint64_t>(squares));
      for (const auto& [sum, term] : ranked) {
        cluster.vector[term] = UnitWeight(-sum, scale);
      }
    }
  }
  for (const Cluster& cluster : clusters) {
    if (!IsExpired(cluster.last_time, stream.clocks.back(),
                   options.expire_after)) {
      for (const auto& [term, sum] : cluster.sums) {
        run.state.terms.push_back(term);
        run.state.sums.push_back(sum);
      }
    }
    run.state.offsets.push_back(static_cast<int64_t>(run.state.terms.size()));
    run.state.sizes.push_back(cluster.size);
    run.state.last_times.push_back(cluster.last_time);
  }
  return run;
}

TEST(MultipleDocumentClustererTest, IsTheNaiveOne) {
  const std::vector<Decimal> thresholds = {{0, 1}, {1, 10}, {1, 2}, {1, 1}};
  const std::vector<Decimal> epsilons = {
      {0, 1}, {1, 1000000000}, {625, 10000}, {5, 10}, {1, 1}};
  for (uint64_t seed = 0; seed < 120; ++seed) {
    Random random(seed);
    OnlineOptions options = OnlineOptions::Paper();
    options.threshold = thresholds[random.Below(thresholds.size())];
    options.terms = static_cast<int32_t>(1 + random.Below(8));
    options.expire_after = static_cast<int64_t>(random.Below(2) * 10);
    MultipleDocumentOptions batching;
    batching.batch =
        static_cast<int32_t>(1 + random.Below(2) * 40 + random.Below(4));
    batching.epsilon = epsilons[random.Below(epsilons.size())];
    options.truncated_mean = random.Below(3) == 0;
    const CollisionStream stream = MakeCollisionStream(
        &random, static_cast<int64_t>(1 + random.Below(300)), options.terms,
        static_cast<int32_t>(1 + random.Below(60)));
    const Outcome naive = RunNaive(options, batching, stream);
    for (const int threads : {1, 3, -1, -3}) {
      SCOPED_TRACE(absl::StrCat("seed ", seed, ", ", threads, " threads"));
      batching.num_threads = std::abs(threads);
      batching.exhaustive = threads < 0;
      const auto engine =
          MakeMultipleDocumentClusterer(options, OnlineState(), batching);
      const Outcome run = RunEngine(*engine, stream, stream.documents.size());
      ASSERT_EQ(run.clusters, naive.clusters);
      ASSERT_EQ(run.state, naive.state);
      ASSERT_EQ(engine->num_clusters(), naive.state.num_clusters());
    }
  }
}

TEST(MultipleDocumentClustererTest, OneAtATimeIsSerialClusterer2) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Random random(seed, 1);
    OnlineOptions options = OnlineOptions::Paper();
    options.threshold = {static_cast<int64_t>(random.Below(10)), 10};
    options.terms = static_cast<int32_t>(1 + random.Below(20));
    options.expire_after = static_cast<int64_t>(random.Below(2) * 10);
    const CollisionStream stream =
        MakeCollisionStream(&random, 400, options.terms, 100);
    MultipleDocumentOptions batching;
    batching.batch = 1;
    const auto serial = MakeSerialClusterer2(options, OnlineState());
    const auto engine =
        MakeMultipleDocumentClusterer(options, OnlineState(), batching);
    const Outcome expected = RunEngine(*serial, stream, 400);
    const Outcome run = RunEngine(*engine, stream, 7);
    ASSERT_EQ(run.clusters, expected.clusters);
    ASSERT_EQ(run.state, expected.state);
  }
}

TEST(MultipleDocumentClustererTest, GoesOnFromAState) {
  Random random(7);
  const CollisionStream stream = MakeCollisionStream(&random, 640, 6, 40);
  OnlineOptions options = OnlineOptions::Paper();
  options.terms = 6;
  options.expire_after = 20;
  MultipleDocumentOptions batching;
  batching.batch = 64;
  const auto whole =
      MakeMultipleDocumentClusterer(options, OnlineState(), batching);
  const Outcome expected = RunEngine(*whole, stream, 640);

  OnlineState state;
  std::vector<int32_t> clusters;
  for (int64_t begin = 0; begin < 640; begin += 64) {
    CollisionStream part;
    part.documents.num_terms = 40;
    for (int64_t d = begin; d < begin + 64; ++d) {
      for (const int32_t t : stream.documents.TermsOf(d)) {
        part.documents.terms.push_back(t);
      }
      for (const int32_t w : stream.documents.WeightsOf(d)) {
        part.documents.weights.push_back(w);
      }
      part.documents.offsets.push_back(
          static_cast<int64_t>(part.documents.terms.size()));
      part.clocks.push_back(stream.clocks[d]);
    }
    state.num_terms = 40;
    const auto engine = MakeMultipleDocumentClusterer(options, state, batching);
    Outcome run = RunEngine(*engine, part, 64);
    clusters.insert(clusters.end(), run.clusters.begin(), run.clusters.end());
    state = std::move(run.state);
    state.clock = part.clocks.back();
  }
  state.clock = expected.state.clock;
  EXPECT_EQ(clusters, expected.clusters);
  EXPECT_EQ(state, expected.state);
}

TEST(MultipleDocumentClustererTest, TakesTheSmallestNumberOfTheHighestBucket) {
  // Two clusters, the second nearer to the third document by less than epsilon.
  UnitVectors documents;
  documents.num_terms = 3;
  const int32_t one = 1 << 30;
  const auto add = [&](std::vector<int32_t> terms,
                       std::vector<int32_t> weights) {
    documents.terms.insert(documents.terms.end(), terms.begin(), terms.end());
    documents.weights.insert(documents.weights.end(), weights.begin(),
                             weights.end());
    documents.offsets.push_back(static_cast<int64_t>(documents.terms.size()));
  };
  add({0}, {one});
  add({1}, {one});
  add({0, 1}, {one / 10 * 6, one / 10 * 7});
  OnlineOptions options = OnlineOptions::Paper();
  options.terms = 3;
  const std::vector<int64_t> clocks(3, 0);
  for (const auto& [epsilon, expected] :
       std::vector<std::pair<Decimal, int32_t>>{
           {{0, 1}, 1}, {{1, 100}, 1}, {{5, 10}, 0}, {{1, 1}, 0}}) {
    MultipleDocumentOptions batching;
    batching.batch = 2;
    batching.epsilon = epsilon;
    std::vector<int32_t> clusters(3);
    const auto engine =
        MakeMultipleDocumentClusterer(options, OnlineState(), batching);
    ASSERT_TRUE(
        engine->Cluster(documents, clocks, absl::MakeSpan(clusters)).ok());
    EXPECT_EQ(clusters, (std::vector<int32_t>{0, 1, expected}));
  }
}

TEST(MultipleDocumentClustererTest, ChecksItsOptions) {
  MultipleDocumentOptions batching;
  EXPECT_TRUE(batching.Validate().ok());
  batching.batch = 0;
  EXPECT_FALSE(batching.Validate().ok());
  batching.batch = 1;
  batching.epsilon = {11, 10};
  EXPECT_FALSE(batching.Validate().ok());
  batching.epsilon = {-1, 10};
  EXPECT_FALSE(batching.Validate().ok());
}

TEST(MultipleDocumentClustererTest, NoDocuments) {
  const auto engine = MakeMultipleDocumentClusterer(
      OnlineOptions::Paper(), OnlineState(), MultipleDocumentOptions());
  EXPECT_TRUE(engine->Cluster(UnitVectors(), {}, {}).ok());
  EXPECT_EQ(*engine->State(), OnlineState());
}

}  // namespace
}  // namespace warpclust
