// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/cover/stored_clusters.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

absl::Status Stray(absl::string_view what, int32_t vertex, int32_t component) {
  return absl::DataLossError(
      absl::StrCat("store: expected ", what, " PCC ", component,
                   " among its connected component, found ", vertex));
}

}  // namespace

absl::StatusOr<std::vector<PccStore::Center>> ReadStoredCenters(
    const AffectedGraph& graph, PccStore* store) {
  std::vector<PccStore::Center> centers;
  for (size_t i = 0; i < graph.components().size(); ++i) {
    const int32_t component = graph.components()[i];
    ASSIGN_OR_RETURN(std::vector<PccStore::Center> stored,
                     store->CentersOf(component));
    for (PccStore::Center& center : stored) {
      const int32_t local = graph.Local(center.vertex);
      if (local < 0 ||
          graph.ComponentIndexOf(local) != static_cast<int32_t>(i)) {
        return Stray("the centers of", center.vertex, component);
      }
      for (const int32_t v : center.linked) {
        if (graph.Local(v) < 0) {
          return Stray("what is linked to centers of", v, component);
        }
      }
      centers.push_back(std::move(center));
    }
  }
  std::sort(centers.begin(), centers.end(),
            [](const PccStore::Center& a, const PccStore::Center& b) {
              return a.vertex < b.vertex;
            });
  return centers;
}

absl::StatusOr<StoredClusters> ReadStoredClusters(const AffectedGraph& graph,
                                                  PccStore* store) {
  StoredClusters clusters;
  clusters.states.resize(graph.num_vertices());
  RETURN_IF_ERROR(
      store->ReadStates(graph.vertices(), absl::MakeSpan(clusters.states)));
  clusters.degrees.reserve(clusters.states.size());
  for (const VertexState& state : clusters.states) {
    clusters.degrees.push_back(state.degree);
  }

  ASSIGN_OR_RETURN(const std::vector<PccStore::Center> centers,
                   ReadStoredCenters(graph, store));
  UsefulClusters& useful = clusters.useful;
  for (const PccStore::Center& center : centers) {
    useful.centers.push_back(graph.Local(center.vertex));
    for (const int32_t v : center.linked) {
      useful.linked.push_back(graph.Local(v));
    }
    useful.linked_offsets.push_back(static_cast<int64_t>(useful.linked.size()));
  }
  return clusters;
}

}  // namespace warpclust
