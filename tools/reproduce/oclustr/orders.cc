// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/oclustr/orders.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "eval/bcubed.h"
#include "eval/overlapping_nmi.h"
#include "sparse/matrix/append_rows.h"

namespace warpclust {

std::vector<int32_t> RandomOrder(int32_t n, uint64_t seed) {
  std::vector<int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  Random random(seed);
  for (int32_t i = n - 1; i > 0; --i) {
    std::swap(order[i], order[random.Below(static_cast<uint64_t>(i) + 1)]);
  }
  return order;
}

DocumentMatrix InOrder(const DocumentMatrix& documents,
                       const std::vector<int32_t>& order) {
  DocumentMatrix result;
  result.num_terms = documents.num_terms;
  for (const int32_t document : order) {
    AppendRows(documents, document, document + 1, &result);
  }
  return result;
}

Cover Renamed(const Cover& cover, const std::vector<int32_t>& order) {
  std::vector<std::vector<int32_t>> clusters(cover.num_clusters());
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    for (const int32_t item : cover.MembersOf(c)) {
      clusters[c].push_back(order[item]);
    }
    std::sort(clusters[c].begin(), clusters[c].end());
  }
  std::sort(clusters.begin(), clusters.end());
  Cover renamed;
  for (const std::vector<int32_t>& cluster : clusters) renamed.Append(cluster);
  return renamed;
}

absl::Status Agreement::Add(const Cover& truth, const Cover& cover,
                            int32_t num_items, int num_threads) {
  BCubed bcubed;
  OverlappingNmi nmi;
  if (truth == cover) {
    ++identical_;
  } else {
    ASSIGN_OR_RETURN(bcubed,
                     ComputeBCubed(truth, cover, num_items, num_threads));
    ASSIGN_OR_RETURN(nmi, ComputeOverlappingNmi(truth, cover, num_items));
  }
  ++count_;
  fbcubed_ += bcubed.f;
  nmi_ += nmi.lfk;
  return absl::OkStatus();
}

std::string Agreement::Note() const {
  return absl::StrCat(count_, count_ == 1 ? " order, " : " orders, ",
                      identical_, " with identical clusters");
}

}  // namespace warpclust
