// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/significance/expected_bcubed.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<ExpectedBCubed> ComputeExpectedBCubed(const Cover& cover,
                                                     const CsrGraph& chances,
                                                     int num_threads) {
  const int32_t n = chances.num_vertices();
  RETURN_IF_ERROR(ValidateCover(cover, n));
  if (n == 0) return ExpectedBCubed();
  // The clusters of each document.
  std::vector<int64_t> offsets(n + int64_t{1});
  for (const int32_t d : cover.members) ++offsets[d + 1];
  for (int32_t d = 0; d < n; ++d) offsets[d + 1] += offsets[d];
  std::vector<int32_t> clusters(cover.members.size());
  std::vector<int64_t> next(offsets.begin(), offsets.end() - 1);
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    for (const int32_t d : cover.MembersOf(c)) clusters[next[d]++] = c;
  }

  std::vector<double> precisions(n);
  std::vector<double> recalls(n);
  const int threads = std::clamp(n / 64, 1, ResolveThreads(num_threads));
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    // The last document that shares a cluster with this one.
    std::vector<int32_t> met(n, -1);
#pragma omp for schedule(dynamic, 16)
    for (int32_t d = 0; d < n; ++d) {
      met[d] = d;
      int64_t together = 1;
      for (int64_t i = offsets[d]; i < offsets[d + 1]; ++i) {
        for (const int32_t other : cover.MembersOf(clusters[i])) {
          together += met[other] == d ? 0 : 1;
          met[other] = d;
        }
      }
      double shared = 1;
      double all = 1;
      for (int64_t e = chances.offsets[d]; e < chances.offsets[d + 1]; ++e) {
        all += chances.weights[e];
        if (met[chances.neighbors[e]] == d) shared += chances.weights[e];
      }
      precisions[d] = shared / static_cast<double>(together);
      recalls[d] = shared / all;
    }
  }
  ExpectedBCubed result = {0, 0, 0};
  for (int32_t d = 0; d < n; ++d) {
    result.precision += precisions[d];
    result.recall += recalls[d];
  }
  result.precision /= n;
  result.recall /= n;
  result.f =
      2 * result.precision * result.recall / (result.precision + result.recall);
  return result;
}

}  // namespace warpclust
