// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "python/c_api/arguments.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/machine/resize_vector.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

absl::Status CheckCount(absl::string_view name, int64_t count) {
  if (count >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": expected at least 0, found ", count));
}

// Rows back to back: how many, and where they begin. After this, entries up to
// the last offset may be read.
absl::StatusOr<std::vector<int64_t>> ToOffsets(absl::string_view name,
                                               int32_t num_rows,
                                               const int64_t* offsets) {
  RETURN_IF_ERROR(CheckCount(absl::StrCat("number of ", name), num_rows));
  if (offsets == nullptr) {
    if (num_rows == 0) return std::vector<int64_t>{0};
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": expected offsets, found NULL"));
  }
  if (offsets[0] != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, ": expected a first offset of 0, found ", offsets[0]));
  }
  for (int64_t row = 0; row < num_rows; ++row) {
    if (offsets[row + 1] < offsets[row]) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ": expected offsets that never fall, found ",
                       offsets[row + 1], " after ", offsets[row]));
    }
  }
  return std::vector<int64_t>(offsets, offsets + num_rows + 1);
}

template <typename T>
absl::StatusOr<absl::Span<const T>> Entries(absl::string_view name,
                                            const T* entries, int64_t count) {
  if (entries == nullptr && count > 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": expected ", count, " entries, found NULL"));
  }
  return absl::MakeConstSpan(entries, count);
}

template <typename T>
absl::Status Copy(absl::string_view name, const T* entries, int64_t count,
                  int num_threads, std::vector<T>* to) {
  ASSIGN_OR_RETURN(const absl::Span<const T> span,
                   Entries(name, entries, count));
  AssignVector(span.data(), count, num_threads, to);
  return absl::OkStatus();
}

}  // namespace

absl::string_view TextOr(const char* text, absl::string_view other) {
  return text == nullptr ? other : absl::string_view(text);
}

absl::StatusOr<Decimal> DecimalOr(absl::string_view name, const char* text,
                                  const Decimal& other) {
  if (text == nullptr) return other;
  absl::StatusOr<Decimal> decimal = ParseDecimal(text);
  if (decimal.ok()) return decimal;
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": ", decimal.status().message()));
}

absl::StatusOr<DocumentMatrix> ToDocuments(const warpclust_documents& from,
                                           int num_threads) {
  DocumentMatrix documents;
  ASSIGN_OR_RETURN(documents.offsets,
                   ToOffsets("documents", from.num_documents, from.offsets));
  RETURN_IF_ERROR(CheckCount("number of terms", from.num_terms));
  documents.num_terms = from.num_terms;
  const int64_t entries = documents.offsets.back();
  RETURN_IF_ERROR(
      Copy("terms", from.terms, entries, num_threads, &documents.terms));
  RETURN_IF_ERROR(
      Copy("weights", from.weights, entries, num_threads, &documents.weights));
  return documents;
}

absl::StatusOr<DenseDocuments> ToDenseDocuments(
    const warpclust_dense_documents& from) {
  RETURN_IF_ERROR(CheckCount("number of documents", from.num_documents));
  RETURN_IF_ERROR(CheckCount("number of dimensions", from.num_dimensions));
  DenseDocuments documents;
  documents.num_rows = from.num_documents;
  documents.num_dimensions = from.num_documents == 0 ? 0 : from.num_dimensions;
  ASSIGN_OR_RETURN(documents.values,
                   Entries("values", from.values,
                           int64_t{from.num_documents} * from.num_dimensions));
  return documents;
}

absl::StatusOr<PointMatrix> ToPoints(const warpclust_points& from,
                                     int num_threads) {
  RETURN_IF_ERROR(CheckCount("number of points", from.num_points));
  RETURN_IF_ERROR(CheckCount("number of dimensions", from.num_dimensions));
  PointMatrix points;
  points.num_points = from.num_points;
  points.num_dimensions = from.num_dimensions;
  RETURN_IF_ERROR(Copy("values", from.values,
                       int64_t{from.num_points} * from.num_dimensions,
                       num_threads, &points.values));
  return points;
}

absl::StatusOr<CsrGraph> ToGraph(const warpclust_graph& from, int num_threads) {
  CsrGraph graph;
  ASSIGN_OR_RETURN(graph.offsets,
                   ToOffsets("vertices", from.num_vertices, from.offsets));
  const int64_t entries = graph.offsets.back();
  RETURN_IF_ERROR(Copy("neighbors", from.neighbors, entries, num_threads,
                       &graph.neighbors));
  RETURN_IF_ERROR(
      Copy("weights", from.weights, entries, num_threads, &graph.weights));
  RETURN_IF_ERROR(ValidateGraph(graph));
  return graph;
}

absl::StatusOr<Cover> ToCover(absl::string_view name,
                              const warpclust_cover& from) {
  Cover cover;
  ASSIGN_OR_RETURN(cover.offsets, ToOffsets(absl::StrCat("clusters of ", name),
                                            from.num_clusters, from.offsets));
  RETURN_IF_ERROR(Copy(absl::StrCat("members of ", name), from.members,
                       cover.offsets.back(), /*num_threads=*/1,
                       &cover.members));
  return cover;
}

void ShowStarCover(const StarCover& clusters, warpclust_star_cover* to) {
  *to = warpclust_star_cover();
  to->cover.num_clusters = clusters.cover.num_clusters();
  to->cover.offsets = clusters.cover.offsets.data();
  to->cover.members = clusters.cover.members.data();
  to->centers = clusters.centers.data();
  to->num_satellites = clusters.num_satellites.data();
  to->linked_offsets = clusters.linked_offsets.data();
  to->linked = clusters.linked.data();
}

}  // namespace warpclust
