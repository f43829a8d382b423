// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes pages about clusters of documents, each with what documents_test.js
// must find.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/html/html_page.h"
#include "base/html/testing/page_check.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "eval/describe/cluster_descriptions.h"
#include "eval/describe/explain_cosine.h"
#include "eval/describe/stream_descriptions.h"
#include "graph/cover/cover.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/input/read_documents.h"
#include "tools/report/documents_page.h"
#include "tools/report/testing/hostile_texts.h"

namespace warpclust {
namespace {

// Documents with what to call them.
struct Collection {
  DocumentMatrix documents;
  std::vector<std::string> ids;
  std::vector<std::string> titles;
  std::vector<std::string> words;
};

// Of `num_topics` topics, with words that occur in several of them.
Collection RandomCollection(int32_t num_documents, int32_t num_topics,
                            bool with_terms) {
  Collection made;
  const int32_t num_terms = 12 * num_topics;
  made.ids = HostileTexts(num_documents, "d");
  if (with_terms) {
    made.titles = HostileTexts(num_documents, "title ");
    made.titles[0] = made.ids[0];
    made.words = HostileTexts(num_terms, "w");
    made.words[3] = "";
  }
  made.documents.num_terms = num_terms;
  std::mt19937 random(num_documents);
  for (int32_t d = 0; d < num_documents; ++d) {
    const auto topic = static_cast<int32_t>(random() % num_topics);
    for (int32_t t = 0; t < num_terms && with_terms; ++t) {
      const bool of_topic =
          t / 12 == topic || t / 12 == (topic + 1) % num_topics;
      if (random() % 100 >= (of_topic ? 60 : 4)) continue;
      made.documents.terms.push_back(t);
      made.documents.weights.push_back(static_cast<float>(1 + random() % 3));
    }
    made.documents.offsets.push_back(made.documents.num_entries());
  }
  return made;
}

template <typename T>
std::string Numbers(const std::vector<T>& values) {
  return absl::StrCat("[", absl::StrJoin(values, ","), "]");
}

// What the script expects of one cluster.
std::string ClusterJson(const DocumentsPage& page, int32_t c) {
  const ClusterDescription& cluster = page.descriptions->clusters[c];
  const absl::Span<const int32_t> members = page.cover->MembersOf(c);
  std::vector<std::string> terms;
  for (const ClusterTerm& term : cluster.terms) {
    terms.push_back(page.described.words[term.column]);
  }
  std::vector<std::string> neighbors;
  for (const ClusterNeighbor& neighbor : cluster.neighbors) {
    neighbors.push_back(
        absl::StrCat("[", neighbor.cluster, ",", neighbor.shared, "]"));
  }
  std::vector<std::string> cosines;
  std::vector<std::string> reasons;
  for (size_t k = 0; k < members.size(); ++k) {
    cosines.push_back(
        JsonDouble(page.descriptions->cosines[page.cover->offsets[c] + k]));
    if (page.centers.empty() || page.described.documents == nullptr) continue;
    // The oracle of the reasons: the shares of the explained cosine.
    const CosineExplainer explain(*page.described.documents);
    std::vector<std::string> shares;
    const CosineExplanation why = explain(members[k], page.centers[c]);
    for (const CosineShare& share : why.shares) {
      if (shares.size() == 4) break;
      shares.push_back(
          absl::StrCat("[", page.described.words.empty() ? 0 : share.column,
                       ",", JsonDouble(100 * share.value / why.cosine), "]"));
    }
    reasons.push_back(absl::StrCat("[", absl::StrJoin(shares, ","), "]"));
  }
  return absl::StrCat(
      "{\"number\":", c, ",\"size\":", cluster.size,
      ",\"center\":", page.centers.empty() ? -1 : page.centers[c],
      ",\"title\":", JsonQuote(cluster.title),
      ",\"terms\":", JsonStrings(terms), ",\"neighbors\":", Numbers(neighbors),
      ",\"numNeighbors\":", cluster.num_neighbors, ",\"members\":",
      Numbers(std::vector<int32_t>(members.begin(), members.end())),
      ",\"cosines\":", Numbers(cosines), ",\"reasons\":", Numbers(reasons),
      "}");
}

absl::StatusOr<BrowserTestPage> Finish(const std::string& name,
                                       DocumentsPage page) {
  page.title = HostileText(5);
  page.command = {"oclustr", "--input=it's </script>"};
  page.facts = {{"edges", HostileText(0)}};
  std::string text;
  RETURN_IF_ERROR(WriteDocumentsPage(page, [&text](absl::string_view piece) {
    absl::StrAppend(&text, piece);
  }));
  std::vector<std::string> clusters;
  for (int32_t c = 0; c < page.cover->num_clusters(); ++c) {
    if (page.descriptions->clusters[c].size == 0) continue;
    clusters.push_back(ClusterJson(page, c));
  }
  std::vector<std::string> timelines;
  for (const ClusterTimeline& timeline : page.timelines) {
    timelines.push_back(absl::StrCat("{\"timed\":", timeline.timed,
                                     ",\"first\":", timeline.first,
                                     ",\"last\":", timeline.last, "}"));
  }
  const std::vector<std::string> ids(page.ids.begin(), page.ids.end());
  const std::vector<std::string> titles(page.described.titles.begin(),
                                        page.described.titles.end());
  const std::vector<std::string> words(page.described.words.begin(),
                                       page.described.words.end());
  return BrowserTestPage{
      name,
      absl::StrCat("const testTitle = ", JsonQuote(page.title),
                   ";\nconst testIds = ", JsonStrings(ids),
                   ";\nconst testTitles = ", JsonStrings(titles),
                   ";\nconst testWords = ", JsonStrings(words),
                   ";\nconst testClusters = ", Numbers(clusters),
                   ";\nconst testTimelines = ", Numbers(timelines),
                   ";\nconst testMost = [", page.max_documents, ",",
                   page.max_memberships, "];"),
      std::move(text)};
}

absl::StatusOr<BrowserTestPage> CollectionPage(
    const std::string& name, const Collection& collection,
    int32_t max_documents = 100000, int64_t max_memberships = 200000) {
  OClustRDocumentsOptions options;
  options.graph.beta = "0.35";
  options.device = Device::kCpu;
  options.graph.num_threads = 1;
  ASSIGN_OR_RETURN(const OClustRResult result,
                   OClustRDocuments(collection.documents, options));
  DocumentsPage page;
  page.described.documents = &collection.documents;
  page.described.words = collection.words;
  page.described.titles = collection.titles;
  ASSIGN_OR_RETURN(
      const ClusterDescriptions descriptions,
      DescribeClusters(result.cover, result.centers, page.described));
  page.cover = &result.cover;
  page.descriptions = &descriptions;
  page.centers = result.centers;
  page.ids = collection.ids;
  page.threshold_name = "β";
  page.threshold = "0.35";
  page.max_documents = max_documents;
  page.max_memberships = max_memberships;
  return Finish(name, page);
}

absl::StatusOr<BrowserTestPage> StreamPage(const std::string& name,
                                           bool with_times) {
  const Collection collection = RandomCollection(600, 9, true);
  StreamDescriber describer;
  std::vector<int32_t> home;
  for (int32_t c = 0; c < 40; ++c) home.push_back(c == 7 ? 3 : c);
  std::mt19937 random(1);
  for (int32_t d = 0; d < collection.documents.num_documents(); ++d) {
    const auto cluster =
        static_cast<int32_t>(random() % 40 * (random() % 3) / 2);
    const int64_t time = with_times ? 1700000000 + 3000 * d +
                                          static_cast<int64_t>(random() % 90000)
                                    : StreamDescriber::kNoTime;
    describer.Add(cluster, time, collection.documents, d, collection.ids[d],
                  collection.titles[d]);
  }
  ASSIGN_OR_RETURN(const StreamDescriptions stream,
                   describer.Describe(home, collection.words));
  DocumentsPage page;
  page.cover = &stream.sample;
  page.descriptions = &stream.descriptions;
  page.ids = stream.sample_ids;
  page.described.words = collection.words;
  page.described.titles = stream.sample_titles;
  page.timelines = stream.timelines;
  page.interval = stream.interval;
  page.num_documents = collection.documents.num_documents();
  page.threshold_name = "T";
  page.threshold = "0.5";
  return Finish(name, page);
}

absl::StatusOr<Collection> Encyclopedia() {
  Input input;
  input.path = "examples/encyclopedia.jsonl";
  DocumentOptions options;
  options.describe = true;
  ASSIGN_OR_RETURN(InputDocuments read, ReadDocuments(input, options));
  return Collection{std::move(read.documents), std::move(read.ids),
                    std::move(read.titles), std::move(read.words)};
}

absl::StatusOr<std::vector<BrowserTestPage>> TestPages() {
  std::vector<BrowserTestPage> pages;
  const auto add = [&pages](absl::StatusOr<BrowserTestPage> page) {
    if (page.ok()) pages.push_back(*std::move(page));
    return page.status();
  };
  ASSIGN_OR_RETURN(const Collection encyclopedia, Encyclopedia());
  RETURN_IF_ERROR(add(CollectionPage("encyclopedia", encyclopedia)));
  RETURN_IF_ERROR(
      add(CollectionPage("topics", RandomCollection(300, 8, true))));
  RETURN_IF_ERROR(
      add(CollectionPage("part", RandomCollection(200, 5, true), 60, 80)));
  RETURN_IF_ERROR(
      add(CollectionPage("no_terms", RandomCollection(20, 3, false))));
  RETURN_IF_ERROR(
      add(CollectionPage("one_document", RandomCollection(1, 1, true))));
  RETURN_IF_ERROR(add(StreamPage("stream", true)));
  RETURN_IF_ERROR(add(StreamPage("stream_without_times", false)));
  return pages;
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  return warpclust::WriteBrowserTests(argc, argv, warpclust::TestPages);
}
