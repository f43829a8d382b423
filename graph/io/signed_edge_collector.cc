// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/signed_edge_collector.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/numbers/decimal.h"
#include "graph/signed/decimal_weight.h"

namespace warpclust {
namespace {

int64_t PowerOfTen(int exponent) {
  int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

absl::Status TooHeavy(const LineReader& lines, int places) {
  const std::string scale =
      places == 0 ? "" : absl::StrCat(" with ", places, " decimal places");
  return absl::InvalidArgumentError(absl::StrCat(
      lines.name(), ": expected weights", scale, " that sum to at most ",
      FormatDecimal({kMaxSignedWeight, PowerOfTen(places)}),
      " in magnitude, found more: ",
      places == 0 ? "divide them all by a power of ten"
                  : "round them to fewer decimal places, or divide them all "
                    "by a power of ten"));
}

}  // namespace

absl::StatusOr<SignedEdge*> SignedEdgeCollector::Add(const LineReader& lines,
                                                     const EdgeLine& edge,
                                                     bool is_loop) {
  DecimalWeight weight;
  if (!edge.weight.empty()) {
    const char* const expected = ParseDecimalWeight(edge.weight, &weight);
    if (expected != nullptr) {
      return lines.Expected(absl::StrContains(edge.weight, ',')
                                ? "a weight with a decimal point, not a comma"
                                : expected,
                            edge.weight);
    }
  }
  if (sign_only_ &&
      (weight.places != 0 || (weight.digits != 1 && weight.digits != -1))) {
    return lines.Expected("the weight 1 or -1", edge.weight);
  }
  if (is_loop) {
    if (!skip_loops_) return LoopError(lines, edge);
    ++skipped_loops_;
    return nullptr;
  }
  if (weight.vanished && ++vanished_weights_ == 1) {
    first_vanished_line_ = lines.line_number();
  }
  if (weight.digits == 0) return nullptr;
  rounded_weights_ += weight.rounded;
  if (weight.places > most_places_) most_places_ = weight.places;
  line_numbers_.Add(lines.line_number());
  places_.Add(static_cast<uint8_t>(weight.places));
  return &edges_.Add({0, 0, weight.digits});
}

void SignedEdgeCollector::Renumber(absl::Span<const int32_t> ids) {
  edges_.Renumber(ids);
}

void SignedEdgeCollector::Close() {
  edges_.ShrinkToFit();
  places_.ShrinkToFit();
}

void SignedEdgeCollector::Append(SignedEdgeCollector block,
                                 std::vector<int32_t> ids,
                                 std::function<void()>* rest) {
  skipped_loops_ += block.skipped_loops_;
  if (vanished_weights_ == 0) first_vanished_line_ = block.first_vanished_line_;
  vanished_weights_ += block.vanished_weights_;
  rounded_weights_ += block.rounded_weights_;
  most_places_ = std::max(most_places_, block.most_places_);
  edges_.Append(std::move(block.edges_), std::move(ids), rest);
  places_.Append(std::move(block.places_));
  line_numbers_.Append(block.line_numbers_);
}

bool SignedEdgeCollector::ScaleWeights(int num_threads) {
  if (most_places_ == 0) return true;
  int64_t factors[kMostDecimalPlaces + 1];
  for (int places = 0; places <= most_places_; ++places) {
    factors[places] = PowerOfTen(most_places_ - places);
  }
  const int64_t num_parts = static_cast<int64_t>(edges_.parts().size());
  const int threads = ThreadsFor(num_parts, 1, num_threads);
  bool fit = true;
#pragma omp parallel for num_threads(threads) reduction(&& : fit)
  for (int64_t p = 0; p < num_parts; ++p) {
    std::vector<SignedEdge>& edges = edges_.parts()[p];
    const std::vector<uint8_t>& places = places_.parts()[p];
    for (size_t i = 0; i < edges.size(); ++i) {
      const int64_t factor = factors[places[i]];
      const int64_t most = kMaxSignedWeight / factor;
      fit = fit && edges[i].weight <= most && edges[i].weight >= -most;
      if (fit) edges[i].weight *= factor;
    }
  }
  return fit;
}

absl::StatusOr<SignedGraph> SignedEdgeCollector::Build(
    const LineReader& lines, absl::Span<const std::string> names,
    int num_threads) {
  if (vanished_weights_ > 0 && edges_.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        lines.name(), ":", first_vanished_line_,
        ": expected a weight of at least 5e-10 in magnitude, found only "
        "smaller ones: multiply all weights by a power of ten"));
  }
  if (!ScaleWeights(num_threads)) return TooHeavy(lines, most_places_);
  places_.Clear();
  internal::ConflictingSignedPair conflict;
  absl::StatusOr<SignedGraph> graph = internal::BuildSignedGraph(
      static_cast<int32_t>(names.size()), edges_.Spans(),
      PowerOfTen(most_places_), num_threads, &conflict);
  if (graph.ok()) {
    edges_.Clear();
    return graph;
  }
  // Vertices are in range and there are no loops: nothing else can be wrong.
  return conflict.u >= 0 ? ConflictError(lines, names, conflict)
                         : TooHeavy(lines, most_places_);
}

absl::Status SignedEdgeCollector::ConflictError(
    const LineReader& lines, absl::Span<const std::string> names,
    const internal::ConflictingSignedPair& pair) const {
  const int64_t one = PowerOfTen(most_places_);
  struct Known {
    int64_t number = -1;
    int64_t weight = 0;
  };
  Known first[2];  // The first edge of each sign.
  int64_t i = -1;
  for (const std::vector<SignedEdge>& part : edges_.parts()) {
    for (const SignedEdge& edge : part) {
      ++i;
      const bool is_pair = (edge.u == pair.u && edge.v == pair.v) ||
                           (edge.u == pair.v && edge.v == pair.u);
      if (!is_pair) continue;
      Known& known = first[edge.weight < 0];
      if (known.number < 0) known = {i, edge.weight};
      if (edge.weight == known.weight) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          lines.name(), ":", line_numbers_.LineOf(i), ": expected the weight ",
          FormatDecimal({known.weight, one}), " that line ",
          line_numbers_.LineOf(known.number), " gives to ",
          QuoteInput(names[edge.u]), " and ", QuoteInput(names[edge.v]),
          ", found ", FormatDecimal({edge.weight, one})));
    }
  }
  return absl::InternalError("edges in conflict were not found again");
}

}  // namespace warpclust
