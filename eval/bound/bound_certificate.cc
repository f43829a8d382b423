// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/bound/bound_certificate.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"
#include "eval/bound/semidefinite_certificate.h"

namespace warpclust {
namespace {

constexpr int64_t kMostParts = int64_t{1} << 20;

// The entry of v in the row of u, or -1.
int64_t FindEntry(const SignedGraph& graph, int32_t u, int32_t v) {
  const auto begin = graph.neighbors.begin() + graph.offsets[u];
  const auto end = graph.neighbors.begin() + graph.offsets[u + 1];
  const auto found = std::lower_bound(begin, end, v);
  return found == end || *found != v ? -1 : found - graph.neighbors.begin();
}

// The bound that the cycles of the remaining lines prove.
absl::StatusOr<int64_t> VerifyCycles(const SignedGraph& graph, int64_t parts,
                                     LineReader& lines, int64_t* cycles) {
  // What is left of the weight of each pair, at its entry in the lower row.
  std::vector<int64_t> left = graph.weights;
  for (int64_t& weight : left) {
    if (std::abs(weight) > std::numeric_limits<int64_t>::max() / parts) {
      return lines.Expected("fewer parts for weights as large as these",
                            absl::StrCat(parts));
    }
    weight = std::abs(weight) * parts;
  }
  // At most the weight of the negative edges times kMostParts.
  __int128 sum = 0;
  absl::string_view line;
  std::vector<int32_t> cycle;
  while (lines.Next(&line)) {
    int64_t weight = 0;
    cycle.clear();
    bool first = true;
    for (const absl::string_view field : absl::StrSplit(line, ' ')) {
      if (std::exchange(first, false)) {
        if (!absl::SimpleAtoi(field, &weight) || weight <= 0) {
          return lines.Expected("a positive weight", field);
        }
        continue;
      }
      int32_t vertex = 0;
      if (!absl::SimpleAtoi(field, &vertex) || vertex < 0 ||
          vertex >= graph.num_vertices()) {
        return lines.Expected(
            absl::StrCat("a vertex below ", graph.num_vertices()), field);
      }
      cycle.push_back(vertex);
    }
    if (cycle.size() < 3) return lines.Expected("three vertices or more", line);
    for (size_t i = 0; i < cycle.size(); ++i) {
      const auto [u, v] = std::minmax(cycle[i], cycle[(i + 1) % cycle.size()]);
      const int64_t entry = FindEntry(graph, u, v);
      if (entry < 0 || (graph.weights[entry] < 0) != (i == 0)) {
        return lines.Expected(
            i == 0 ? "a negative edge between the first two vertices"
                   : "a positive edge between all others",
            absl::StrCat("vertices ", u, " and ", v));
      }
      if (weight > left[entry]) {
        return lines.Expected(
            "cycles through an edge of at most its weight together",
            absl::StrCat("more for vertices ", u, " and ", v));
      }
      left[entry] -= weight;
    }
    sum += weight;
    ++*cycles;
  }
  if (!lines.status().ok()) return lines.status();
  return graph.constant_cost + static_cast<int64_t>((sum + parts - 1) / parts);
}

}  // namespace

absl::StatusOr<BoundCertificate> VerifyBoundCertificate(
    const SignedGraph& graph, LineReader& lines) {
  absl::string_view line;
  if (!lines.Next(&line)) {
    return lines.status().ok() ? lines.Expected("a certificate", "")
                               : lines.status();
  }
  BoundCertificate result;
  int64_t units = 0;
  int64_t parts = 1;
  const std::vector<absl::string_view> head = absl::StrSplit(line, ' ');
  const bool has_parts = head.size() >= 6;
  result.semidefinite = head.size() == 7 && head[6] == "semidefinite";
  if ((head.size() != 4 && head.size() != 6 && !result.semidefinite) ||
      head[0] != "lower_bound" || head[2] != "units_per_one" ||
      !absl::SimpleAtoi(head[1], &result.lower_bound) ||
      !absl::SimpleAtoi(head[3], &units) ||
      (has_parts && (head[4] != "parts" || !absl::SimpleAtoi(head[5], &parts) ||
                     parts < 1 || parts > kMostParts))) {
    return lines.Expected(
        "\"lower_bound B units_per_one U\", \"parts K\" if numbers are "
        "fractions, and \"semidefinite\" after them if that is the proof",
        line);
  }
  if (units != graph.units_per_one) {
    return lines.Expected(
        absl::StrCat("units_per_one ", graph.units_per_one, " of the network"),
        head[3]);
  }
  ASSIGN_OR_RETURN(
      const int64_t proved,
      result.semidefinite
          ? eval_internal::VerifySemidefiniteCertificate(graph, parts, lines)
          : VerifyCycles(graph, parts, lines, &result.cycles));
  if (proved < result.lower_bound) {
    return absl::InvalidArgumentError(absl::StrCat(
        lines.name(), ": expected ",
        result.semidefinite ? "numbers that prove " : "cycles that prove ",
        result.lower_bound, " units, found ",
        result.semidefinite ? "numbers that prove " : "cycles that prove ",
        proved));
  }
  return result;
}

}  // namespace warpclust
