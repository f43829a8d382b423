// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/distributed/halo_graph.h"

#include <utility>

#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<HaloGraph> MakeHaloGraph(Communicator& ranks, GraphShare share) {
  HaloGraph result;
  const int32_t own_first = share.begins[ranks.rank()];
  const int32_t own_last = share.begins[ranks.rank() + 1];
  result.first_vertex = own_first;
  {
    std::vector<bool> is_named(share.num_vertices());
    for (const int32_t u : share.rows.neighbors) is_named[u] = true;
    for (int r = 0; r < ranks.size(); ++r) {
      if (r != ranks.rank()) {
        for (int32_t v = share.begins[r]; v < share.begins[r + 1]; ++v) {
          if (is_named[v]) result.halo.values.push_back(v);
        }
      }
      result.halo.Append({});
      if (r < ranks.rank()) {
        result.own_begin = static_cast<int32_t>(result.halo.values.size());
      }
    }
  }
  result.own_end = result.own_begin + own_last - own_first;

  const std::vector<int32_t>& halo = result.halo.values;
  for (int32_t& u : share.rows.neighbors) {
    if (u >= own_first && u < own_last) {
      u += result.own_begin - own_first;
    } else {
      u = static_cast<int32_t>(std::lower_bound(halo.begin(), halo.end(), u) -
                               halo.begin()) +
          (u < own_first ? 0 : own_last - own_first);
    }
  }
  std::vector<int64_t>& offsets = share.rows.offsets;
  offsets.insert(offsets.begin(), result.own_begin, 0);
  offsets.resize(halo.size() + (own_last - own_first) + 1, offsets.back());
  result.graph = std::move(share.rows);

  ASSIGN_OR_RETURN(result.wanted, ranks.AllToAll(result.halo));
  for (int32_t& v : result.wanted.values) v += result.own_begin - own_first;
  return result;
}

}  // namespace warpclust
