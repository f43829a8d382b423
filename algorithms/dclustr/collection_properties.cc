// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/collection_properties.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace warpclust {
namespace {

constexpr absl::string_view kBeta = "dclustr.beta";
constexpr absl::string_view kWeighting = "dclustr.weighting";
constexpr absl::string_view kMode = "dclustr.mode";
constexpr absl::string_view kArithmetic = "dclustr.arithmetic";

}  // namespace

absl::StatusOr<DClustRStoreOptions> ReadStoreOptions(
    const DocumentStore& documents) {
  const absl::StatusOr<std::string> beta_text = documents.Property(kBeta);
  if (!beta_text.ok()) return beta_text.status();
  if (beta_text->empty()) {
    return absl::NotFoundError("there is no collection yet");
  }
  const absl::StatusOr<std::string> weighting_name =
      documents.Property(kWeighting);
  if (!weighting_name.ok()) return weighting_name.status();
  const absl::StatusOr<std::string> mode_name = documents.Property(kMode);
  if (!mode_name.ok()) return mode_name.status();

  const absl::StatusOr<Decimal> beta = ParseDecimal(*beta_text);
  const absl::StatusOr<Weighting> weighting = ParseWeighting(*weighting_name);
  const absl::StatusOr<DClustRMode> mode = ParseDClustRMode(*mode_name);
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
  absl::Status status =
      documents->SetProperty(kBeta, FormatDecimal(options.beta));
  if (!status.ok()) return status;
  status = documents->SetProperty(kWeighting, WeightingName(options.weighting));
  if (!status.ok()) return status;
  return documents->SetProperty(kMode, DClustRModeName(options.mode));
}

absl::StatusOr<CollectionArithmetic> ReadArithmetic(
    const DocumentStore& documents) {
  const absl::StatusOr<std::string> name = documents.Property(kArithmetic);
  if (!name.ok()) return name.status();
  if (name->empty()) return CollectionArithmetic::kUnknown;
  if (*name == "integer") return CollectionArithmetic::kInteger;
  if (*name == "real") return CollectionArithmetic::kReal;
  return absl::DataLossError(absl::StrCat(
      "store: arithmetic: expected integer or real, found \"", *name, "\""));
}

absl::Status WriteArithmetic(CollectionArithmetic arithmetic,
                             DocumentStore* documents) {
  return documents->SetProperty(
      kArithmetic,
      arithmetic == CollectionArithmetic::kInteger ? "integer" : "real");
}

}  // namespace warpclust
