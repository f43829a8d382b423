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

}  // namespace

absl::StatusOr<DClustRStoreOptions> ReadStoreOptions(
    const DocumentStore& documents) {
  ASSIGN_OR_RETURN(const std::string beta_text, documents.Property(kBeta));
  if (beta_text.empty()) {
    return absl::NotFoundError("there is no collection yet");
  }
  ASSIGN_OR_RETURN(const std::string weighting_name,
                   documents.Property(kWeighting));
  ASSIGN_OR_RETURN(const std::string mode_name, documents.Property(kMode));

  const absl::StatusOr<Decimal> beta = ParseDecimal(beta_text);
  const absl::StatusOr<Weighting> weighting = ParseWeighting(weighting_name);
  const absl::StatusOr<DClustRMode> mode = ParseDClustRMode(mode_name);
  for (const absl::Status& status :
       {beta.status(), weighting.status(), mode.status()}) {
    if (!status.ok()) {
      return absl::DataLossError(
          absl::StrCat("store: options: ", status.message()));
    }
  }
  DClustRStoreOptions options;
  options.beta = *beta;
  options.weighting = *weighting;
  options.mode = *mode;
  if (absl::Status status = options.Validate(); !status.ok()) {
    return absl::DataLossError(
        absl::StrCat("store: options: ", status.message()));
  }
  return options;
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
