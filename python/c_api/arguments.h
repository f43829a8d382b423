// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Arguments and results of the C interface as values of the libraries, and
// back. InvalidArgument names what is wrong with the lengths of an array; the
// libraries check the rest.

#ifndef WARPCLUST_PYTHON_C_API_ARGUMENTS_H_
#define WARPCLUST_PYTHON_C_API_ARGUMENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/numbers/decimal.h"
#include "graph/cover/cover.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/star_cover.h"
#include "python/c_api/warpclust.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// `text`, or `other` if it is null.
absl::string_view TextOr(const char* text, absl::string_view other);
// The same as a decimal; errors begin with `name`.
absl::StatusOr<Decimal> DecimalOr(absl::string_view name, const char* text,
                                  const Decimal& other);

// Copies are made by num_threads threads; 0: all cores.

// A copy. Valid if ValidateDocuments says so.
absl::StatusOr<DocumentMatrix> ToDocuments(const warpclust_documents& from,
                                           int num_threads);
// Not a copy.
absl::StatusOr<DenseDocuments> ToDenseDocuments(
    const warpclust_dense_documents& from);
// A copy.
absl::StatusOr<PointMatrix> ToPoints(const warpclust_points& from,
                                     int num_threads);
// A copy, and valid.
absl::StatusOr<CsrGraph> ToGraph(const warpclust_graph& from, int num_threads);
// A copy. Valid if ValidateCover says so; errors begin with `name`.
absl::StatusOr<Cover> ToCover(absl::string_view name,
                              const warpclust_cover& from);

// Shows the arrays of `clusters` in `to`, except what is about items, and sets
// everything else to 0.
void ShowStarCover(const StarCover& clusters, warpclust_star_cover* to);

}  // namespace warpclust

#endif  // WARPCLUST_PYTHON_C_API_ARGUMENTS_H_
