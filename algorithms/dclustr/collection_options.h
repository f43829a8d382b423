// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The options of a collection as texts in its store, and back.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_OPTIONS_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_OPTIONS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "algorithms/dclustr/dclustr.h"
#include "graph/pcc_store/documents/document_store.h"

namespace warpclust {

// Only the names of these properties begin with this.
inline constexpr absl::string_view kOwnProperties = "dclustr.";

// How edges are decided: kUnknown until there are documents.
enum class CollectionArithmetic { kUnknown, kInteger, kReal };

// NotFound if the store has no options and so is not a collection's.
absl::StatusOr<DClustRStoreOptions> ReadStoreOptions(
    const DocumentStore& documents);
absl::Status WriteStoreOptions(const DClustRStoreOptions& options,
                               DocumentStore* documents);

absl::StatusOr<CollectionArithmetic> ReadArithmetic(
    const DocumentStore& documents);
absl::Status WriteArithmetic(CollectionArithmetic arithmetic,
                             DocumentStore* documents);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_OPTIONS_H_
