// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_choice.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "algorithms/oclustr/oclustr_sweep.h"
#include "base/status/status_macros.h"
#include "graph/significance/candidates.h"
#include "graph/significance/pair_chances.h"
#include "kernels/device/device.h"
#include "sparse/dense/owned_dense_rows.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/compact_terms.h"

namespace warpclust {
namespace {

// Where nothing lies between what is similar and what is not, many β give the
// same clusters of the documents compared. The lowest are the first to join
// more documents by chance, the highest the first to part similar ones.
constexpr double kAsGood = 0.002;

absl::Status Validate(const OClustRChoiceOptions& options) {
  if (options.max_documents >= kFewestComparedDocuments) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("expected at least ", kFewestComparedDocuments,
                   " documents to compare, found ", options.max_documents));
}

// `size` documents at equal distances in the collection.
template <typename Documents, typename Rows>
void Sample(const Documents& documents, int32_t size, Rows* sample) {
  for (int64_t i = 0; i < size; ++i) {
    const auto d = static_cast<int32_t>(i * documents.num_documents() / size);
    AppendRows(documents, d, d + 1, sample);
  }
}

// The settings of this weighting.
template <typename Documents>
absl::Status AddCandidates(const Documents& documents, Weighting weighting,
                           std::vector<Decimal> betas, const CsrGraph& chances,
                           int num_threads,
                           std::vector<OClustRCandidate>* candidates) {
  OClustRSweepOptions sweep;
  sweep.betas = std::move(betas);
  sweep.num_threads = num_threads;
  sweep.device = Device::kCpu;
  return SweepOClustR(
      documents, sweep,
      [&](const Decimal& beta, OClustRResult result) -> absl::Status {
        ASSIGN_OR_RETURN(
            const ExpectedBCubed expected,
            ComputeExpectedBCubed(result.cover, chances, num_threads));
        candidates->push_back(
            {weighting, beta, result.cover.num_clusters(), expected});
        return absl::OkStatus();
      });
}

// Takes the candidate of the highest expected F, and of those around it that
// are as good within `tolerance` the middle.
void Choose(const CsrGraph& chances, double tolerance, OClustRChoice* choice) {
  const std::vector<OClustRCandidate>& candidates = choice->candidates;
  const auto is_default = [&](const OClustRCandidate& candidate) {
    return candidate.weighting == choice->weighting &&
           FormatDecimal(candidate.beta) == FormatDecimal(choice->beta);
  };
  const size_t preferred =
      std::find_if(candidates.begin(), candidates.end(), is_default) -
      candidates.begin();
  size_t best = preferred;
  if (chances.num_edges() == 0) {
    choice->why = OClustRChoice::Why::kNothingAboveChance;
  } else {
    best = BestCandidate(candidates, preferred);
    const double least = candidates[best].expected.f - tolerance;
    const auto as_good = [&](size_t i) {
      return tolerance > 0 && i < candidates.size() &&
             candidates[i].expected.f >= least;
    };
    size_t first = best;
    size_t last = best;
    while (as_good(first - 1)) --first;
    while (as_good(last + 1)) ++last;
    best = (first + last + 1) / 2;
  }
  choice->weighting = candidates[best].weighting;
  choice->beta = candidates[best].beta;
  choice->expected = candidates[best].expected;
}

}  // namespace

absl::StatusOr<OClustRChoice> ChooseOClustR(
    const DocumentMatrix& counts, const OClustRChoiceOptions& options) {
  if (options.weightings.empty()) {
    return absl::InvalidArgumentError(
        "weightings: expected at least one, found none");
  }
  RETURN_IF_ERROR(Validate(options));
  OClustRChoice choice;
  choice.weighting = options.weightings.front();
  choice.num_documents =
      std::min(counts.num_documents(), options.max_documents);
  if (choice.num_documents < kFewestComparedDocuments) {
    choice.why = OClustRChoice::Why::kFewDocuments;
    return choice;
  }
  DocumentMatrix sample;
  Sample(counts, choice.num_documents, &sample);
  CompactTerms(&sample);
  PairChanceOptions chance_options;
  chance_options.num_threads = options.num_threads;
  ASSIGN_OR_RETURN(
      const CsrGraph chances,
      EstimatePairChances(sample, options.weightings, chance_options));
  for (const Weighting weighting : options.weightings) {
    ASSIGN_OR_RETURN(const DocumentMatrix weighted,
                     ApplyWeighting(sample, weighting, options.num_threads));
    RETURN_IF_ERROR(AddCandidates(weighted, weighting, ThresholdCandidates(19),
                                  chances, options.num_threads,
                                  &choice.candidates));
  }
  Choose(chances, /*tolerance=*/0, &choice);
  return choice;
}

absl::StatusOr<OClustRChoice> ChooseOClustR(
    const DenseDocuments& documents, const OClustRChoiceOptions& options) {
  RETURN_IF_ERROR(Validate(options));
  OClustRChoice choice;
  choice.num_documents =
      std::min(documents.num_documents(), options.max_documents);
  if (choice.num_documents < kFewestComparedDocuments) {
    choice.why = OClustRChoice::Why::kFewDocuments;
    return choice;
  }
  OwnedDenseRows sample;
  Sample(documents, choice.num_documents, &sample);
  PairChanceOptions chance_options;
  chance_options.num_threads = options.num_threads;
  ASSIGN_OR_RETURN(const CsrGraph chances,
                   EstimatePairChances(sample, chance_options));
  std::vector<Decimal> betas = ThresholdCandidates(19);
  for (int hundredths = 96; hundredths < 100; ++hundredths) {
    betas.push_back({hundredths, 100});
  }
  RETURN_IF_ERROR(AddCandidates(DenseDocuments(sample), choice.weighting, betas,
                                chances, options.num_threads,
                                &choice.candidates));
  Choose(chances, kAsGood, &choice);
  return choice;
}

}  // namespace warpclust
