// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ListedDocuments: the clusters and documents that a page lists: all, or the
// largest clusters and a sample of the documents.

#ifndef WARPCLUST_TOOLS_REPORT_LISTED_DOCUMENTS_H_
#define WARPCLUST_TOOLS_REPORT_LISTED_DOCUMENTS_H_

#include <cstdint>
#include <vector>

#include "tools/report/documents_page.h"

namespace warpclust {

struct ListedDocuments {
  // Ascending.
  std::vector<int32_t> clusters;
  std::vector<int32_t> documents;
  // The place of each cluster and document in these lists, or -1.
  std::vector<int32_t> cluster_index;
  std::vector<int32_t> document_index;
  // Of the clusters that have members.
  int64_t num_clusters = 0;
};

// `page` must be valid.
ListedDocuments ListDocuments(const DocumentsPage& page);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPORT_LISTED_DOCUMENTS_H_
