// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the page shows is tested in a browser (testing/documents_test.js).

#include "tools/report/documents_page.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/html/testing/page_check.h"
#include "eval/describe/cluster_descriptions.h"
#include "graph/cover/cover.h"
#include "gtest/gtest.h"
#include "tools/report/listed_documents.h"
#include "tools/report/testing/hostile_texts.h"

namespace warpclust {
namespace {

// `num_clusters` clusters of `size` documents in a row, of which each shares
// one with the next.
struct Chain {
  Chain(int32_t num_clusters, int32_t size) {
    const int32_t num_documents = num_clusters * (size - 1) + 1;
    for (int32_t c = 0; c < num_clusters; ++c) {
      std::vector<int32_t> members;
      for (int32_t k = 0; k < size; ++k) members.push_back(c * (size - 1) + k);
      cover.Append(members);
      ClusterDescription cluster;
      cluster.title = HostileText(c);
      cluster.size = size;
      cluster.center = members[0];
      cluster.exemplars = {{members[1], 0.5}};
      if (c > 0) cluster.neighbors.push_back({c - 1, 1});
      cluster.num_neighbors = static_cast<int32_t>(cluster.neighbors.size());
      descriptions.clusters.push_back(cluster);
      centers.push_back(members[0]);
    }
    descriptions.cosines.assign(cover.members.size(), 0.5);
    ids = HostileTexts(num_documents, "");
    page.title = HostileText(5);
    page.cover = &cover;
    page.descriptions = &descriptions;
    page.centers = centers;
    page.ids = ids;
    page.described.titles = ids;
  }
  Chain(const Chain&) = delete;

  Cover cover;
  ClusterDescriptions descriptions;
  std::vector<int32_t> centers;
  std::vector<std::string> ids;
  DocumentsPage page;
};

absl::Status Write(const DocumentsPage& page, std::string* text) {
  return WriteDocumentsPage(
      page, [text](absl::string_view piece) { absl::StrAppend(text, piece); });
}

TEST(DocumentsPageTest, IsSelfContainedWithTextsOfAnyKind) {
  const Chain chain(20, 4);
  std::string text;
  ASSERT_EQ(Write(chain.page, &text), absl::OkStatus());
  EXPECT_EQ(CheckSelfContained(text), absl::OkStatus());
}

TEST(DocumentsPageTest, WithoutDocuments) {
  const Chain chain(0, 1);
  DocumentsPage page = chain.page;
  page.ids = {};
  page.described.titles = {};
  std::string text;
  ASSERT_EQ(Write(page, &text), absl::OkStatus());
  EXPECT_EQ(CheckSelfContained(text), absl::OkStatus());
}

TEST(DocumentsPageTest, StaysBelow20Megabytes) {
  // Twice as many documents as the page lists; the second time with ids so long
  // that it lists fewer.
  for (const size_t id_size : {13, 400}) {
    Chain chain(67000, 4);
    chain.ids.assign(chain.ids.size(), std::string(id_size, 'i'));
    const std::vector<std::string> titles(chain.ids.size(),
                                          std::string(300, 'x'));
    chain.page.ids = chain.ids;
    chain.page.described.titles = titles;
    std::string text;
    ASSERT_EQ(Write(chain.page, &text), absl::OkStatus());
    EXPECT_GT(text.size(), 10'000'000) << id_size;
    EXPECT_LT(text.size(), 20'000'000) << id_size;
  }
}

TEST(ListDocumentsTest, AllThatFit) {
  Chain chain(10, 5);
  const ListedDocuments listed = ListDocuments(chain.page);
  EXPECT_EQ(listed.clusters.size(), 10);
  EXPECT_EQ(listed.documents.size(), 41);
  EXPECT_EQ(listed.num_clusters, 10);
  for (int32_t d = 0; d < 41; ++d) EXPECT_EQ(listed.document_index[d], d);
}

TEST(ListDocumentsTest, CentersAndExemplarsFirst) {
  Chain chain(10, 50);
  chain.page.max_documents = 20;
  const ListedDocuments listed = ListDocuments(chain.page);
  EXPECT_EQ(listed.documents.size(), 20);
  for (const ClusterDescription& cluster : chain.descriptions.clusters) {
    EXPECT_GE(listed.document_index[cluster.center], 0);
    EXPECT_GE(listed.document_index[cluster.exemplars[0].document], 0);
  }
}

TEST(ListDocumentsTest, LimitsHoldForRandomCovers) {
  for (int seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Chain chain(1 + static_cast<int32_t>(random() % 30),
                2 + static_cast<int32_t>(random() % 9));
    chain.page.max_documents = 1 + static_cast<int32_t>(random() % 60);
    chain.page.max_memberships = 1 + static_cast<int64_t>(random() % 60);
    const ListedDocuments listed = ListDocuments(chain.page);
    EXPECT_LE(listed.documents.size(), chain.page.max_documents);
    EXPECT_LE(listed.clusters.size(), chain.page.max_documents);
    int64_t memberships = 0;
    for (const int32_t c : listed.clusters) {
      for (const int32_t d : chain.cover.MembersOf(c)) {
        memberships += listed.document_index[d] >= 0 ? 1 : 0;
      }
    }
    EXPECT_LE(memberships, chain.page.max_memberships);
    // It lists as many documents as there is room for.
    const auto all = static_cast<int64_t>(chain.ids.size());
    if (chain.page.max_memberships >= 2 * all) {
      EXPECT_EQ(listed.documents.size(),
                std::min<int64_t>(all, chain.page.max_documents));
    }
  }
}

TEST(ListDocumentsTest, EmptyClustersAreLeftOut) {
  Chain chain(5, 3);
  chain.descriptions.clusters[2] = ClusterDescription();
  chain.descriptions.clusters[2].size = 0;
  const ListedDocuments listed = ListDocuments(chain.page);
  EXPECT_EQ(listed.clusters, (std::vector<int32_t>{0, 1, 3, 4}));
  EXPECT_EQ(listed.cluster_index[2], -1);
}

TEST(DocumentsPageTest, RefusesWhatDoesNotFit) {
  const std::vector<std::function<void(Chain*)>> spoil = {
      [](Chain* chain) { chain->page.ids = chain->page.ids.subspan(1); },
      [](Chain* chain) { chain->descriptions.clusters.pop_back(); },
      [](Chain* chain) { chain->descriptions.cosines.pop_back(); },
      [](Chain* chain) {
        chain->page.centers = chain->page.centers.subspan(1);
      },
      [](Chain* chain) {
        chain->page.described.titles = chain->page.described.titles.subspan(1);
      }};
  for (size_t k = 0; k < spoil.size(); ++k) {
    Chain chain(4, 3);
    spoil[k](&chain);
    std::string text;
    EXPECT_EQ(Write(chain.page, &text).code(),
              absl::StatusCode::kInvalidArgument)
        << k;
    EXPECT_EQ(text, "");
  }
}

}  // namespace
}  // namespace warpclust
