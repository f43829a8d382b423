// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/batch_errors.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/documents/document_store.h"

namespace warpclust {

absl::Status ErrorAtPlace(size_t place, absl::string_view message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(DocumentStore::kIdPlacePayload,
                    absl::Cord(absl::StrCat(place)));
  return status;
}

absl::Status UnknownRemoval(size_t place, absl::string_view id) {
  return ErrorAtPlace(
      place,
      absl::StrCat("remove: expected the id of a stored document, found ",
                   QuoteInput(id)));
}

absl::Status RepeatedRemoval(size_t place, absl::string_view id) {
  return ErrorAtPlace(place,
                      absl::StrCat("remove: expected each id once, found ",
                                   QuoteInput(id), " twice"));
}

absl::Status RealWeights(size_t place, absl::string_view id) {
  return ErrorAtPlace(
      place, absl::StrCat("add: expected whole numbers below 2^24 as weights, "
                          "as the collection began with, found others in ",
                          QuoteInput(id)));
}

absl::Status ValidateAdded(const DocumentMatrix& added,
                           const DenseDocuments& added_rows,
                           const std::vector<std::string>& ids) {
  RETURN_IF_ERROR(ValidateDocuments(added));
  RETURN_IF_ERROR(ValidateDenseDocuments(added_rows));
  const int32_t vectors = added.num_documents();
  const int32_t rows = added_rows.num_documents();
  if (vectors > 0 && rows > 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("batch: expected term vectors or dense rows, found ",
                     vectors, " and ", rows));
  }
  if (static_cast<size_t>(vectors + rows) == ids.size()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("batch: expected an id for each of ", vectors + rows,
                   " documents, found ", ids.size()));
}

absl::Status CheckKind(const DocumentKind& kind, Weighting weighting,
                       const DocumentMatrix& added,
                       const DenseDocuments& added_rows) {
  absl::Status status = kind.Accepts(added);
  if (status.ok()) status = kind.Accepts(added_rows);
  if (status.ok() && added_rows.num_documents() > 0 &&
      weighting == Weighting::kTfIdf) {
    status = absl::InvalidArgumentError(
        "expected term counts, which tfidf weighs, found dense rows");
  }
  // Of all rows, which have the same kind, the first is named.
  return status.ok() ? status
                     : ErrorAtPlace(0, absl::StrCat("add: ", status.message()));
}

}  // namespace warpclust
