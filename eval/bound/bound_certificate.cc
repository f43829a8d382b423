// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/bound/bound_certificate.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
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
constexpr size_t kMostExactVertices = 18;

// The entry of v in the row of u, or -1.
int64_t FindEntry(const SignedGraph& graph, int32_t u, int32_t v) {
  const auto begin = graph.neighbors.begin() + graph.offsets[u];
  const auto end = graph.neighbors.begin() + graph.offsets[u + 1];
  const auto found = std::lower_bound(begin, end, v);
  return found == end || *found != v ? -1 : found - graph.neighbors.begin();
}

// The least cost of a partition of the vertices, with `left` as the magnitudes
// of weights, of which nothing is left then. For each set in turn, from the
// partitions of the sets without the cluster of its first vertex.
__int128 TakeLeastCost(const SignedGraph& graph,
                       const std::vector<int32_t>& vertices,
                       std::vector<int64_t>* left) {
  const size_t sets = size_t{1} << vertices.size();
  // Inside each set.
  std::vector<__int128> positive(sets, 0);
  std::vector<__int128> negative(sets, 0);
  std::vector<__int128> least(sets, 0);
  for (size_t v = 0; v < vertices.size(); ++v) {
    for (size_t u = 0; u < v; ++u) {
      const int64_t entry = FindEntry(graph, vertices[u], vertices[v]);
      if (entry < 0) continue;
      const size_t both = size_t{1} << u | size_t{1} << v;
      (graph.weights[entry] < 0 ? negative : positive)[both] =
          std::exchange((*left)[entry], 0);
    }
  }
  // Sums over the subsets of each set.
  for (size_t bit = 1; bit < sets; bit *= 2) {
    for (size_t set = 0; set < sets; ++set) {
      if ((set & bit) == 0) continue;
      positive[set] += positive[set ^ bit];
      negative[set] += negative[set ^ bit];
    }
  }
  for (size_t set = 1; set < sets; ++set) {
    const size_t first = set & -set;
    const size_t others = set ^ first;
    // All in one cluster.
    least[set] = negative[set];
    for (size_t rest = others; rest != 0; rest = (rest - 1) & others) {
      const size_t cluster = set ^ rest;
      const __int128 apart = positive[set] - positive[cluster] - positive[rest];
      least[set] =
          std::min(least[set], negative[cluster] + apart + least[rest]);
    }
  }
  return least[sets - 1];
}

// The bound that the remaining lines prove; counts them.
absl::StatusOr<int64_t> VerifyCycles(const SignedGraph& graph, int64_t parts,
                                     LineReader& lines,
                                     BoundCertificate* result) {
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
    bool exact = false;
    for (const absl::string_view field : absl::StrSplit(line, ' ')) {
      if (std::exchange(first, false)) {
        exact = field == "exact";
        if (exact) continue;
        if (!absl::SimpleAtoi(field, &weight) || weight <= 0) {
          return lines.Expected("a positive weight, or \"exact\"", field);
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
    if (exact) {
      if (cycle.size() > kMostExactVertices ||
          std::adjacent_find(cycle.begin(), cycle.end(),
                             std::greater_equal<>()) != cycle.end()) {
        return lines.Expected(
            absl::StrCat("at most ", kMostExactVertices, " ascending vertices"),
            line);
      }
      sum += TakeLeastCost(graph, cycle, &left);
      ++result->exact_blocks;
      continue;
    }
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
    ++result->cycles;
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
          : VerifyCycles(graph, parts, lines, &result));
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
