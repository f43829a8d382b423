// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Collections in another order.

#ifndef WARPCLUST_TOOLS_REPRODUCE_OCLUSTR_ORDERS_H_
#define WARPCLUST_TOOLS_REPRODUCE_OCLUSTR_ORDERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "eval/cover_agreement.h"
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

// "20 orders, 17 with identical clusters", and whether fewer than `wanted`.
std::string AgreementNote(const CoverAgreement& agreement, int wanted);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_OCLUSTR_ORDERS_H_
