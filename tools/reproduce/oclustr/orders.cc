// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/oclustr/orders.h"

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"
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

std::string AgreementNote(const CoverAgreement& agreement, int wanted) {
  return absl::StrCat(agreement.count(),
                      agreement.count() == 1 ? " order, " : " orders, ",
                      agreement.identical(), " with identical clusters",
                      agreement.count() < wanted ? "; cut: time limit" : "");
}

}  // namespace warpclust
