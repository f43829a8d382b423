// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WriteDocumentsPage: one self-contained page about clusters of documents: what
// each cluster is about, its members and neighbors, each document's clusters
// and why it is in them, a map of the clusters by overlap, the cosines, and for
// streams the clusters over time.
//
//   DocumentsPage page;
//   page.title = "news.jsonl";
//   page.cover = &result.cover;
//   ...
//   RETURN_IF_ERROR(WriteDocumentsPage(page, write));
//
// Complexity: the memberships, and for each that the page lists the entries of
// the document and of its center. At most 20 MB of page.

#ifndef WARPCLUST_TOOLS_REPORT_DOCUMENTS_PAGE_H_
#define WARPCLUST_TOOLS_REPORT_DOCUMENTS_PAGE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/html/html_page.h"
#include "eval/describe/cluster_descriptions.h"
#include "eval/describe/stream_descriptions.h"
#include "graph/cover/cover.h"

namespace warpclust {

// All texts are shown literally. What is pointed to must outlive the call.
struct DocumentsPage {
  // Heading and window title: "news.jsonl".
  std::string title;
  // The command line, one word each; the page shows it.
  std::vector<std::string> command;
  // What the page calls an item: {"document", "documents"} or vertices.
  absl::string_view noun = "document";
  absl::string_view nouns = "documents";
  // The threshold of the algorithm, marked among the cosines: "β" and "0.25".
  absl::string_view threshold_name;
  std::string threshold;
  // Further facts for the head of the page: names and values.
  std::vector<std::pair<std::string, std::string>> facts;

  // The clusters and what DescribeClusters said of them; neither is null.
  // Clusters without members are left out.
  const Cover* cover = nullptr;
  const ClusterDescriptions* descriptions = nullptr;
  // By cluster; empty for clusters without centers.
  absl::Span<const int32_t> centers;
  // By document.
  absl::Span<const std::string> ids;
  // What was described. `documents` may be null: then the page does not say
  // why a document is in a cluster. `titles` may be empty.
  DescribedDocuments described;

  // For streams: the times of the clusters, in seconds since 1970, and the
  // length of an interval. `cover` then has a sample of the documents.
  absl::Span<const ClusterTimeline> timelines;
  int64_t interval = 1;
  // Of all documents, also those that `cover` does not have; -1: as `ids`.
  int64_t num_documents = -1;

  // The most that the page lists; at least 1. It takes the largest clusters,
  // their centers and exemplars, and an even sample of the other documents.
  // Fewer if the data would have more bytes.
  int32_t max_documents = 100000;
  int64_t max_memberships = 200000;
  int64_t max_bytes = 19000000;
};

// What the page shows, for the help of --report.
inline constexpr absl::string_view kDocumentsPageShows =
    "what each cluster is about, its members and neighbors, why a document is "
    "in its clusters, a map by overlap, and the cosines.";

// Calls `write` with the page. InvalidArgument, before anything is written, if
// the lengths do not fit or a member is out of range.
absl::Status WriteDocumentsPage(const DocumentsPage& page, PageSink write);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPORT_DOCUMENTS_PAGE_H_
