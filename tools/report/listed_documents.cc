// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/report/listed_documents.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "eval/describe/cluster_descriptions.h"
#include "graph/cover/cover.h"

namespace warpclust {
namespace {

// The indexes that are set, ascending, and the place of each among them.
std::vector<int32_t> SetIndexes(const std::vector<uint8_t>& set,
                                std::vector<int32_t>* index) {
  std::vector<int32_t> indexes;
  index->assign(set.size(), -1);
  for (size_t i = 0; i < set.size(); ++i) {
    if (!set[i]) continue;
    (*index)[i] = static_cast<int32_t>(indexes.size());
    indexes.push_back(static_cast<int32_t>(i));
  }
  return indexes;
}

}  // namespace

ListedDocuments ListDocuments(const DocumentsPage& page) {
  const Cover& cover = *page.cover;
  const auto& clusters = page.descriptions->clusters;
  ListedDocuments listed;
  std::vector<int32_t> by_size;
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    if (clusters[c].size > 0) by_size.push_back(c);
  }
  listed.num_clusters = static_cast<int64_t>(by_size.size());
  std::sort(by_size.begin(), by_size.end(), [&](int32_t a, int32_t b) {
    return clusters[a].size != clusters[b].size
               ? clusters[a].size > clusters[b].size
               : a < b;
  });
  if (by_size.size() > static_cast<size_t>(page.max_documents)) {
    by_size.resize(page.max_documents);
  }
  std::vector<uint8_t> in_list(cover.num_clusters());
  for (const int32_t c : by_size) in_list[c] = 1;
  listed.clusters = SetIndexes(in_list, &listed.cluster_index);

  // Documents with their memberships in listed clusters, within both limits.
  const auto n = static_cast<int64_t>(page.ids.size());
  std::vector<int32_t> memberships(n);
  for (const int32_t c : listed.clusters) {
    for (const int32_t document : cover.MembersOf(c)) ++memberships[document];
  }
  std::vector<uint8_t> taken(n);
  int64_t documents_left = page.max_documents;
  int64_t memberships_left = page.max_memberships;
  const auto take = [&](int64_t document) {
    if (document < 0 || taken[document] || documents_left == 0 ||
        memberships[document] > memberships_left) {
      return;
    }
    taken[document] = 1;
    --documents_left;
    memberships_left -= memberships[document];
  };
  for (const int32_t c : by_size) take(clusters[c].center);
  for (const int32_t c : by_size) {
    for (const ClusterExemplar& exemplar : clusters[c].exemplars) {
      take(exemplar.document);
    }
  }
  // Every document is met once; early ones are spread evenly.
  const int64_t stride = std::max<int64_t>(
      1, n / std::max<int64_t>(1, std::min(documents_left, memberships_left)));
  for (int64_t first = 0; first < stride; ++first) {
    for (int64_t document = first; document < n; document += stride) {
      take(document);
    }
  }
  listed.documents = SetIndexes(taken, &listed.document_index);
  return listed;
}

}  // namespace warpclust
