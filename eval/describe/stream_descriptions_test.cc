// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/describe/stream_descriptions.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(StreamDescriberTest, TimelinesCountAllDocuments) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    RandomDocumentsOptions shape;
    shape.seed = seed;
    shape.num_documents = 400;
    const DocumentMatrix documents = RandomDocuments(shape);
    const int64_t range = int64_t{1} << (seed % 34);
    const int64_t begin = seed % 2 == 0 ? -range / 2 : 1700000000;
    const int32_t num_clusters = 1 + static_cast<int32_t>(seed % 9);
    std::vector<int32_t> home(num_clusters);
    for (int32_t c = 0; c < num_clusters; ++c) home[c] = c;
    if (num_clusters > 2) home[2] = 1;

    StreamDescriber describer;
    std::map<int32_t, std::vector<int64_t>> times;
    std::map<int32_t, std::vector<int32_t>> members;
    for (int32_t d = 0; d < documents.num_documents(); ++d) {
      const auto cluster = static_cast<int32_t>(random() % num_clusters);
      const bool timed = random() % 8 != 0;
      const int64_t time = timed
                               ? begin + static_cast<int64_t>(random() % range)
                               : StreamDescriber::kNoTime;
      describer.Add(cluster, time, documents, d, absl::StrCat("d", d),
                    absl::StrCat("title ", d));
      if (timed) times[home[cluster]].push_back(time);
      members[home[cluster]].push_back(d);
    }
    const auto result = describer.Describe(home, {});
    ASSERT_TRUE(result.ok()) << result.status();

    std::set<int64_t> starts;
    for (int32_t c = 0; c < num_clusters; ++c) {
      const ClusterTimeline& timeline = result->timelines[c];
      std::map<int64_t, int64_t> counts;
      for (const int64_t time : times[c]) {
        int64_t start = time / result->interval * result->interval;
        if (start > time) start -= result->interval;
        ++counts[start];
        starts.insert(start);
      }
      EXPECT_EQ(timeline.timed, static_cast<int64_t>(times[c].size()));
      EXPECT_EQ(timeline.counts, (std::vector<std::pair<int64_t, int64_t>>(
                                     counts.begin(), counts.end())));
      if (!times[c].empty()) {
        EXPECT_EQ(timeline.first,
                  *std::min_element(times[c].begin(), times[c].end()));
        EXPECT_EQ(timeline.last,
                  *std::max_element(times[c].begin(), times[c].end()));
      }
      const ClusterDescription& cluster = result->descriptions.clusters[c];
      EXPECT_EQ(cluster.size, static_cast<int64_t>(members[c].size()));
      EXPECT_EQ(result->sample.MembersOf(c).size(),
                std::min<size_t>(64, members[c].size()));
      if (members[c].empty()) continue;
      EXPECT_EQ(cluster.title, result->sample_titles[cluster.center]);
      for (const int32_t s : result->sample.MembersOf(c)) {
        EXPECT_TRUE(
            std::any_of(members[c].begin(), members[c].end(), [&](int32_t d) {
              return absl::StrCat("d", d) == result->sample_ids[s];
            }));
      }
    }
    if (!starts.empty()) {
      EXPECT_LE(*starts.rbegin() - *starts.begin(),
                (StreamDescriber::kMaxBins - 1) * result->interval);
    }
  }
}

// Up to kSample documents, nothing is left out.
TEST(StreamDescriberTest, SmallClustersAreDescribedExactly) {
  RandomDocumentsOptions shape;
  shape.num_documents = 60;
  const DocumentMatrix documents = RandomDocuments(shape);
  StreamDescriber describer;
  Cover cover;
  std::vector<int32_t> even;
  std::vector<int32_t> odd;
  std::vector<std::string> words;
  for (int32_t t = 0; t < documents.num_terms; ++t) {
    words.push_back(absl::StrCat("w", t));
  }
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    describer.Add(d % 2, StreamDescriber::kNoTime, documents, d,
                  absl::StrCat(d), "");
    (d % 2 == 0 ? even : odd).push_back(d);
  }
  cover.Append(even);
  cover.Append(odd);
  DescribedDocuments described;
  described.documents = &documents;
  described.words = words;
  const auto expected = DescribeClusters(cover, {}, described);
  const auto found = describer.Describe({0, 1}, words);
  ASSERT_TRUE(expected.ok() && found.ok());
  EXPECT_EQ(found->descriptions.cosines, expected->cosines);
  for (int c = 0; c < 2; ++c) {
    const ClusterDescription& a = expected->clusters[c];
    const ClusterDescription& b = found->descriptions.clusters[c];
    EXPECT_EQ(found->sample_ids[b.center], absl::StrCat(a.center));
    EXPECT_EQ(b.inner_cosine, a.inner_cosine);
    ASSERT_EQ(b.terms.size(), a.terms.size());
    for (size_t i = 0; i < a.terms.size(); ++i) {
      EXPECT_EQ(b.terms[i].word, a.terms[i].word);
    }
  }
}

TEST(StreamDescriberTest, ColumnsBeyondTheWordsHaveNone) {
  DocumentMatrix documents;
  // So many that nothing may be kept per column.
  documents.num_terms = 2147483647;
  documents.offsets = {0, 2};
  documents.terms = {0, 2147483646};
  documents.weights = {1, 2};
  StreamDescriber describer;
  describer.Add(0, StreamDescriber::kNoTime, documents, 0, "a", "A");
  EXPECT_FALSE(describer.Describe({}, {"word"}).ok());
  const auto found = describer.Describe({0}, {"word"});
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->descriptions.clusters[0].terms.size(), 1u);
  EXPECT_EQ(found->descriptions.clusters[0].terms[0].word, "word");
}

}  // namespace
}  // namespace warpclust
