// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/decision_graph.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace warpclust {
namespace {

absl::Status WrongPoint(int32_t point, absl::string_view expected,
                        double found) {
  return absl::InvalidArgumentError(absl::StrCat("decision graph, point ",
                                                 point, ": expected ", expected,
                                                 ", found ", found));
}

}  // namespace

absl::Status DecisionGraph::Validate() const {
  const size_t size = densities.size();
  if (dependent_points.size() != size || dependent_distances.size() != size) {
    return absl::InvalidArgumentError(absl::StrCat(
        "decision graph: expected arrays of one length, found ", size,
        " densities, ", dependent_points.size(), " dependent points and ",
        dependent_distances.size(), " dependent distances"));
  }
  const int32_t n = num_points();
  int32_t tops = 0;
  for (int32_t i = 0; i < n; ++i) {
    if (densities[i] < 0 || densities[i] >= n) {
      return WrongPoint(i, "a density of at least 0 and less than all points",
                        densities[i]);
    }
    if (!std::isfinite(dependent_distances[i]) || dependent_distances[i] < 0) {
      return WrongPoint(i, "a dependent distance of at least 0",
                        dependent_distances[i]);
    }
    const int32_t dependent = dependent_points[i];
    if (dependent == -1) {
      ++tops;
    } else if (dependent < 0 || dependent >= n ||
               densities[dependent] < densities[i] ||
               (densities[dependent] == densities[i] && dependent >= i)) {
      return WrongPoint(i, "a dependent point of higher rank", dependent);
    }
  }
  // The point of rank 0 has no dependent point, so there is at least one.
  if (tops > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("decision graph: expected one point without dependent "
                     "point, found ",
                     tops));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
