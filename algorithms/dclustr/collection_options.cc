// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/collection_options.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr absl::string_view kBeta = "dclustr.beta";
constexpr absl::string_view kWeighting = "dclustr.weighting";
constexpr absl::string_view kMode = "dclustr.mode";
constexpr absl::string_view kArithmetic = "dclustr.arithmetic";

absl::Status Parse(absl::string_view beta, absl::string_view weighting,
                   absl::string_view mode, DClustRStoreOptions* options) {
  ASSIGN_OR_RETURN(options->beta, ParseDecimal(beta));
  ASSIGN_OR_RETURN(options->weighting, ParseWeighting(weighting));
  ASSIGN_OR_RETURN(options->mode, ParseDClustRMode(mode));
  return options->Validate();
}

}  // namespace

absl::StatusOr<DClustRStoreOptions> ReadStoreOptions(
    const DocumentStore& documents) {
  ASSIGN_OR_RETURN(const std::string beta, documents.Property(kBeta));
  if (beta.empty()) {
    return absl::NotFoundError("expected a collection, found none");
  }
  ASSIGN_OR_RETURN(const std::string weighting, documents.Property(kWeighting));
  ASSIGN_OR_RETURN(const std::string mode, documents.Property(kMode));
  DClustRStoreOptions options;
  const absl::Status parsed = Parse(beta, weighting, mode, &options);
  if (parsed.ok()) return options;
  return absl::DataLossError(
      absl::StrCat("store: options: ", parsed.message()));
}

absl::Status WriteStoreOptions(const DClustRStoreOptions& options,
                               DocumentStore* documents) {
  RETURN_IF_ERROR(documents->SetProperty(kBeta, FormatDecimal(options.beta)));
  RETURN_IF_ERROR(
      documents->SetProperty(kWeighting, WeightingName(options.weighting)));
  return documents->SetProperty(kMode, DClustRModeName(options.mode));
}

absl::StatusOr<CollectionArithmetic> ReadArithmetic(
    const DocumentStore& documents) {
  ASSIGN_OR_RETURN(const std::string name, documents.Property(kArithmetic));
  if (name.empty()) return CollectionArithmetic::kUnknown;
  if (name == "integer") return CollectionArithmetic::kInteger;
  if (name == "real") return CollectionArithmetic::kReal;
  return absl::DataLossError(absl::StrCat(
      "store: arithmetic: expected integer or real, found \"", name, "\""));
}

absl::Status WriteArithmetic(CollectionArithmetic arithmetic,
                             DocumentStore* documents) {
  return documents->SetProperty(
      kArithmetic,
      arithmetic == CollectionArithmetic::kInteger ? "integer" : "real");
}

}  // namespace warpclust
