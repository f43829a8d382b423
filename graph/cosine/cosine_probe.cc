// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cosine_probe.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cpu/cosine_probe_cpu.h"
#include "graph/cosine/cuda/cosine_cuda_entry.h"
#include "graph/cosine/decision/cosine_probe_backend.h"

namespace warpclust {

CosineProbe::CosineProbe(std::unique_ptr<CosineProbeBackend> backend)
    : backend_(std::move(backend)) {}
CosineProbe::CosineProbe(CosineProbe&&) noexcept = default;
CosineProbe& CosineProbe::operator=(CosineProbe&&) noexcept = default;
CosineProbe::~CosineProbe() = default;

absl::StatusOr<CosineProbe> CosineProbe::Create(
    DocumentMatrix probes, const CosineProbeOptions& options, Device device) {
  ASSIGN_OR_RETURN(const Device resolved, ResolveDevice(device));
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ValidateDocuments(probes));
  if (options.integer_arithmetic && !HasIntegerWeights(probes)) {
    return ProbesNotIntegers();
  }
  for (const double squared_norm : SquaredNorms(probes)) {
    if (squared_norm > options.LargestSquaredNorm()) {
      return ProbeNormTooLarge("a probe");
    }
  }
  if (resolved == Device::kCpu) {
    return CosineProbe(CosineProbeCpu(std::move(probes), options));
  }
  ASSIGN_OR_RETURN(std::unique_ptr<CosineProbeBackend> backend,
                   CosineProbeCuda(std::move(probes), options));
  return CosineProbe(std::move(backend));
}

absl::Status CosineProbe::Join(const DocumentMatrix& block,
                               std::vector<ProbeEdge>* edges) {
  return backend_->Join(block, edges);
}

int32_t CosineProbe::PieceDocuments() const {
  return backend_->PieceDocuments();
}

absl::Status CosineProbe::JoinPieces(const ProbePieces& pieces,
                                     absl::Span<const double> factors) {
  if (pieces.num_pieces < 0 || pieces.num_terms < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "pieces: expected numbers of pieces and terms of at least 0, found ",
        pieces.num_pieces, " and ", pieces.num_terms));
  }
  if (!factors.empty() &&
      factors.size() < static_cast<size_t>(pieces.num_terms)) {
    return absl::InvalidArgumentError(
        absl::StrCat("factors: expected one per term, at least ",
                     pieces.num_terms, ", found ", factors.size()));
  }
  return backend_->JoinPieces(pieces, factors);
}

}  // namespace warpclust
