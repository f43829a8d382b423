// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CoverAgreement: how well pairs of covers agree, for programs that cluster one
// collection in many orders.

#ifndef WARPCLUST_EVAL_COVER_AGREEMENT_H_
#define WARPCLUST_EVAL_COVER_AGREEMENT_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "eval/bcubed.h"
#include "eval/overlapping_nmi.h"
#include "graph/cover/cover.h"

namespace warpclust {

class CoverAgreement {
 public:
  // Adds a pair of covers of n items. Equal covers with clusters in another
  // order count as different: see RenamedCover. `num_threads` 0 means all.
  absl::Status Add(const Cover& truth, const Cover& cover, int32_t n,
                   int num_threads = 0) {
    ++count_;
    BCubed bcubed;
    OverlappingNmi nmi;
    if (truth == cover) {
      ++identical_;
    } else {
      ASSIGN_OR_RETURN(bcubed, ComputeBCubed(truth, cover, n, num_threads));
      ASSIGN_OR_RETURN(nmi,
                       ComputeOverlappingNmi(truth, cover, n, num_threads));
    }
    fbcubed_ += bcubed.f;
    least_fbcubed_ = std::min(least_fbcubed_, bcubed.f);
    lfk_ += nmi.lfk;
    least_lfk_ = std::min(least_lfk_, nmi.lfk);
    mgh_max_ += nmi.mgh_max;
    return absl::OkStatus();
  }

  int count() const { return count_; }
  int identical() const { return identical_; }
  bool AllIdentical() const { return identical_ == count_; }
  // Means over the pairs, of which there is at least one.
  double fbcubed() const { return fbcubed_ / count_; }
  double nmi_lfk() const { return lfk_ / count_; }

  // Names and values over the pairs, of which there is at least one: how many
  // are identical, then means and least values.
  std::vector<std::pair<const char*, double>> Counters() const {
    return {
        {"_identical", identical_},         {"_fbcubed", fbcubed_ / count_},
        {"_least_fbcubed", least_fbcubed_}, {"_nmi_lfk", lfk_ / count_},
        {"_least_nmi_lfk", least_lfk_},     {"_nmi_max", mgh_max_ / count_}};
  }

 private:
  int count_ = 0;
  int identical_ = 0;
  double fbcubed_ = 0;
  double least_fbcubed_ = 1;
  double lfk_ = 0;
  double least_lfk_ = 1;
  double mgh_max_ = 0;
};

// `cover` with member i renamed to names[i], members and clusters sorted, so
// that equal covers compare equal.
inline Cover RenamedCover(const Cover& cover,
                          const std::vector<int32_t>& names) {
  std::vector<std::vector<int32_t>> clusters(cover.num_clusters());
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    for (const int32_t member : cover.MembersOf(c)) {
      clusters[c].push_back(names[member]);
    }
    std::sort(clusters[c].begin(), clusters[c].end());
  }
  std::sort(clusters.begin(), clusters.end());
  Cover renamed;
  for (const std::vector<int32_t>& cluster : clusters) renamed.Append(cluster);
  return renamed;
}

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_COVER_AGREEMENT_H_
