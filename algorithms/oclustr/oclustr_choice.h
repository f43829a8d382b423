// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ChooseOClustR: chooses β and the weighting for OClustR from the documents,
// without labels. Use it if you do not know which β suits.
//
//   ASSIGN_OR_RETURN(const OClustRChoice choice, ChooseOClustR(counts, {}));
//   ASSIGN_OR_RETURN(const DocumentMatrix documents,
//                    ApplyWeighting(counts, choice.weighting));
//   OClustRDocumentsOptions options;
//   options.graph.beta = choice.beta;
//
// The rule: the setting whose clusters have the highest expected B-cubed F.
// The chance that two documents belong together is estimated by comparing the
// cosines with those of documents whose terms are shuffled
// (graph/significance/pair_chances.h); it is the mean over the weightings, so
// that all settings are measured alike. Of more than `max_documents`
// documents, that many, evenly spaced, are clustered with each setting.
//
// Complexity: for m documents, at most `max_documents`, three cosine graphs
// per weighting, OClustR with each setting, and m² steps per setting.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_CHOICE_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_CHOICE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/numbers/decimal.h"
#include "graph/significance/expected_bcubed.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {

struct OClustRChoiceOptions {
  std::vector<Weighting> weightings = {Weighting::kTf, Weighting::kTfIdf};
  // At least 64.
  int32_t max_documents = 2048;
  // 0: all cores. Never changes the result.
  int num_threads = 0;
};

// A setting, and how good its clusters of the compared documents are expected
// to be.
struct OClustRCandidate {
  Weighting weighting;
  Decimal beta;
  int32_t clusters;
  ExpectedBCubed expected;
};

struct OClustRChoice {
  enum class Why {
    kBest,
    // Fewer than 64 documents: too few pairs to estimate chances.
    kFewDocuments,
    // No pair is more similar than shuffled documents are.
    kNothingAboveChance,
  };

  Why why = Why::kBest;
  // The first weighting and 0.25 unless another setting is better.
  Weighting weighting = Weighting::kTf;
  Decimal beta = "0.25";
  // Of the choice.
  ExpectedBCubed expected;
  // How many documents were compared.
  int32_t num_documents = 0;
  // By weighting, β from 0.05 to 0.95 in steps of 0.05; none with few
  // documents.
  std::vector<OClustRCandidate> candidates;
};

// `counts` are term counts, or other weights, of valid documents.
// InvalidArgument if an option is not as above; the errors of ApplyWeighting
// and OClustR.
absl::StatusOr<OClustRChoice> ChooseOClustR(
    const DocumentMatrix& counts, const OClustRChoiceOptions& options);

// The same for dense documents, which have no weighting: β up to 0.95 in steps
// of 0.05, then up to 0.99 in steps of 0.01. They are compared with MixRows of
// them (sparse/dense/mix_rows.h). Of neighboring β that are as good as the best
// within 0.002, the middle is chosen.
absl::StatusOr<OClustRChoice> ChooseOClustR(
    const DenseDocuments& documents, const OClustRChoiceOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_CHOICE_H_
