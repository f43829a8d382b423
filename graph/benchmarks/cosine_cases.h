// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The collections and settings that benchmarks of cosine graphs run on, from
// --data (svmlight files of term counts, *_tf.svm.gz) and --settings
// (weighting:beta, …). For benchmarks only.

#ifndef WARPCLUST_GRAPH_BENCHMARKS_COSINE_CASES_H_
#define WARPCLUST_GRAPH_BENCHMARKS_COSINE_CASES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "base/numbers/decimal.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {

struct DocumentCollection {
  // "reuters21578" of docs/reuters21578_tf.svm.gz; "generated".
  std::string name;
  std::shared_ptr<const DocumentMatrix> counts;
};

struct CosineSetting {
  Weighting weighting = Weighting::kTf;
  Decimal beta;
};

struct CosineCase {
  // "reuters21578/tfidf/beta=0.25".
  std::string name;
  std::string collection;
  CosineSetting setting;
  // Weighted. Cases of one collection and weighting share it.
  std::shared_ptr<const DocumentMatrix> documents;
};

// Reads the files that --data names. Of a folder it takes the collections in
// `names`, without names all. If there is nothing to take, the result is
// `generate()`, named "generated".
absl::StatusOr<std::vector<DocumentCollection>> DocumentCollections(
    const std::vector<std::string>& names,
    absl::FunctionRef<DocumentMatrix()> generate);

// The settings that --settings names.
absl::StatusOr<std::vector<CosineSetting>> CosineSettings();

// "reuters21578/tfidf/beta=0.25".
std::string CosineCaseName(const std::string& collection,
                           const CosineSetting& setting);

// Every collection with every setting; settings of a collection stand together.
absl::StatusOr<std::vector<CosineCase>> CosineCases(
    const std::vector<DocumentCollection>& collections,
    const std::vector<CosineSetting>& settings);

// Rows [begin, end).
DocumentMatrix RowsOf(const DocumentMatrix& documents, int32_t begin,
                      int32_t end);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_BENCHMARKS_COSINE_CASES_H_
