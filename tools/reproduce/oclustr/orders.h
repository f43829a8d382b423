// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Collections in another order, and the agreement of covers of them.

#ifndef WARPCLUST_TOOLS_REPRODUCE_OCLUSTR_ORDERS_H_
#define WARPCLUST_TOOLS_REPRODUCE_OCLUSTR_ORDERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "graph/cover/cover.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// The betas of the paper.
struct BetaName {
  const char* text;
  const char* part;  // "β = 0.25"
};
inline constexpr BetaName kBetas[] = {{"0.25", "β = 0.25"},
                                      {"0.35", "β = 0.35"}};

// A permutation of 0 … n - 1, uniform.
std::vector<int32_t> RandomOrder(int32_t n, uint64_t seed);

// The documents order[0], order[1], ...
DocumentMatrix InOrder(const DocumentMatrix& documents,
                       const std::vector<int32_t>& order);

// A cover of items renamed to order[item]; clusters are sorted, so that equal
// covers are equal.
Cover Renamed(const Cover& cover, const std::vector<int32_t>& order);

// The mean FBCubed and NMI of covers against their truths.
class Agreement {
 public:
  // Errors of eval.
  absl::Status Add(const Cover& truth, const Cover& cover, int32_t num_items,
                   int num_threads);

  int count() const { return count_; }
  double fbcubed() const { return fbcubed_ / count_; }
  double nmi() const { return nmi_ / count_; }
  // "20 orders, 17 with identical clusters".
  std::string Note() const;

 private:
  int count_ = 0;
  int identical_ = 0;
  double fbcubed_ = 0;
  double nmi_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_OCLUSTR_ORDERS_H_
