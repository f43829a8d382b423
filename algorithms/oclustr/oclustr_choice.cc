// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_choice.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "algorithms/oclustr/oclustr_sweep.h"
#include "base/status/status_macros.h"
#include "graph/significance/pair_chances.h"
#include "kernels/device.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/compact_terms.h"

namespace warpclust {
namespace {

constexpr int32_t kFewDocuments = 64;

}  // namespace

absl::StatusOr<OClustRChoice> ChooseOClustR(
    const DocumentMatrix& counts, const OClustRChoiceOptions& options) {
  if (options.weightings.empty()) {
    return absl::InvalidArgumentError(
        "weightings: expected at least one, found none");
  }
  if (options.max_documents < kFewDocuments) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected at least ", kFewDocuments,
                     " documents to compare, found ", options.max_documents));
  }
  OClustRChoice choice;
  choice.weighting = options.weightings.front();
  choice.num_documents =
      std::min(counts.num_documents(), options.max_documents);
  if (choice.num_documents < kFewDocuments) {
    choice.why = OClustRChoice::Why::kFewDocuments;
    return choice;
  }
  DocumentMatrix sample;
  for (int64_t i = 0; i < choice.num_documents; ++i) {
    const auto d =
        static_cast<int32_t>(i * counts.num_documents() / choice.num_documents);
    AppendRows(counts, d, d + 1, &sample);
  }
  CompactTerms(&sample);
  PairChanceOptions chance_options;
  chance_options.num_threads = options.num_threads;
  ASSIGN_OR_RETURN(
      const CsrGraph chances,
      EstimatePairChances(sample, options.weightings, chance_options));

  OClustRSweepOptions sweep;
  for (int k = 1; k < 20; ++k) {
    const bool odd = k % 2 != 0;
    sweep.betas.push_back({odd ? k * 5 : k / 2, odd ? 100 : 10});
  }
  sweep.num_threads = options.num_threads;
  sweep.device = Device::kCpu;
  for (const Weighting weighting : options.weightings) {
    ASSIGN_OR_RETURN(const DocumentMatrix weighted,
                     ApplyWeighting(sample, weighting, options.num_threads));
    RETURN_IF_ERROR(SweepOClustR(
        weighted, sweep,
        [&](const Decimal& beta, OClustRResult result) -> absl::Status {
          ASSIGN_OR_RETURN(const ExpectedBCubed expected,
                           ComputeExpectedBCubed(result.cover, chances,
                                                 options.num_threads));
          choice.candidates.push_back(
              {weighting, beta, result.cover.num_clusters(), expected});
          return absl::OkStatus();
        }));
  }
  const auto setting = [&](const OClustRCandidate& candidate) {
    return candidate.weighting == choice.weighting &&
           FormatDecimal(candidate.beta) == FormatDecimal(choice.beta);
  };
  choice.expected =
      std::find_if(choice.candidates.begin(), choice.candidates.end(), setting)
          ->expected;
  if (chances.num_edges() == 0) {
    choice.why = OClustRChoice::Why::kNothingAboveChance;
    return choice;
  }
  for (const OClustRCandidate& candidate : choice.candidates) {
    if (candidate.expected.f <= choice.expected.f) continue;
    choice.weighting = candidate.weighting;
    choice.beta = candidate.beta;
    choice.expected = candidate.expected;
  }
  return choice;
}

}  // namespace warpclust
