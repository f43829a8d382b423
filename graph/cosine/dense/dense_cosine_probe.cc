// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/dense/dense_cosine_probe.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/cosine_cuda_entry.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/dense/digit_kernels.h"
#include "graph/cosine/dense/exact_dense_dots.h"

namespace warpclust {
namespace {

// Values of a block: 16 MB, which caches and the memory of the documents' owner
// do not feel; on a GPU 64 MB to 512 MB.
constexpr int64_t kBlockValues = int64_t{1} << 22;
constexpr int64_t kLeastOnGpu = int64_t{1} << 24;
constexpr int64_t kMostOnGpu = int64_t{1} << 27;

// The digits of a row cost about as much as its dot products with this number
// of probes.
constexpr int32_t kFewProbes = 10;

// As SquaredNorms, to the bit: a norm is the dot product of a row with itself.
std::vector<double> SquaredNormsOf(const DenseDocuments& documents) {
  const int32_t n = documents.num_documents();
  std::vector<double> norms(n);
  const float* rows[kDenseDots];
  double dots[kDenseDots];
  for (int32_t first = 0; first < n; first += kDenseDots) {
    for (int32_t k = 0; k < kDenseDots; ++k) {
      rows[k] = documents.Row(std::min(first + k, n - 1)).data();
    }
    ExactDenseDots(rows, rows, documents.num_dimensions, dots);
    std::copy_n(dots, std::min(kDenseDots, n - first), norms.begin() + first);
  }
  return norms;
}

}  // namespace

absl::StatusOr<DenseCosineProbe> DenseCosineProbe::Create(
    const DenseDocuments& probes, const CosineProbeOptions& options,
    Device device) {
  ASSIGN_OR_RETURN(device, ResolveDevice(device));
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ValidateDenseDocuments(probes));
  const int num_threads = ResolveThreads(options.num_threads);
  if (options.integer_arithmetic && !HasIntegerWeights(probes, num_threads)) {
    return ProbesNotIntegers();
  }
  std::vector<double> norms = SquaredNorms(probes, num_threads);
  for (const double squared_norm : norms) {
    if (squared_norm > options.LargestSquaredNorm()) {
      return ProbeNormTooLarge("a probe");
    }
  }
  DenseSide side = device == Device::kCpu
                       ? MakeDenseSide(probes, std::move(norms), num_threads)
                       : DenseSide{probes, std::move(norms), {}};
  return DenseCosineProbe(std::move(side), options, device);
}

int64_t DenseCosineProbe::BlockValues() const {
  if (device_ == Device::kCpu) return kBlockValues;
  const auto values = static_cast<int64_t>(probes_.documents.values.size());
  return std::clamp(2 * values, kLeastOnGpu, kMostOnGpu);
}

absl::Status DenseCosineProbe::JoinRows(
    const DenseDocuments& rows, DenseTile* tile,
    std::vector<DenseTile::Edge>* edges) const {
  std::vector<double> norms = SquaredNormsOf(rows);
  for (const double squared_norm : norms) {
    if (squared_norm > options_.LargestSquaredNorm()) {
      return ProbeNormTooLarge("a document");
    }
  }
  const int64_t num_probes = probes_.documents.num_documents();
  if (num_probes <= kFewProbes) {
    const DenseSide side = {rows, std::move(norms), {}};
    tile->JoinAll({side, 0, rows.num_documents()}, {probes_, 0, num_probes},
                  edges);
    return absl::OkStatus();
  }
  const DenseSide side =
      MakeDenseSide(rows, std::move(norms), /*num_threads=*/1);
  for (int64_t column = 0; column < num_probes; column += kDigitTileColumns) {
    tile->Join(
        {side, 0, rows.num_documents()},
        {probes_, column, std::min(num_probes, column + kDigitTileColumns)},
        /*below_diagonal=*/false, edges);
  }
  if (num_probes > kDigitTileColumns) {
    std::stable_sort(edges->begin(), edges->end(),
                     [](const DenseTile::Edge& a, const DenseTile::Edge& b) {
                       return a.row < b.row;
                     });
  }
  return absl::OkStatus();
}

absl::Status DenseCosineProbe::Join(const DenseDocuments& block,
                                    std::vector<ProbeEdge>* edges) const {
  const int32_t n = block.num_documents();
  const int32_t num_dimensions = probes_.documents.num_dimensions;
  if (n == 0 || probes_.documents.num_documents() == 0) return absl::OkStatus();
  if (block.num_dimensions != num_dimensions) {
    return absl::InvalidArgumentError(absl::StrCat(
        "block: expected ", num_dimensions,
        " dimensions, as the probes have, found ", block.num_dimensions));
  }
  if (device_ == Device::kCuda) {
    return DenseCosineProbeCuda(block, probes_.documents, options_, edges);
  }
  const CosineDecision decision =
      MakeCosineDecision(options_.beta, options_.integer_arithmetic, 0);
  const int32_t num_tiles = (n - 1) / kDigitTileRows + 1;
  std::vector<std::vector<DenseTile::Edge>> found(num_tiles);
  std::vector<absl::Status> statuses(num_tiles);
  const int num_threads =
      std::min(ResolveThreads(options_.num_threads), num_tiles);
#pragma omp parallel num_threads(num_threads)
  {
    DenseTile tile(num_dimensions, decision);
#pragma omp for schedule(dynamic, 1)
    for (int32_t t = 0; t < num_tiles; ++t) {
      const int32_t first = t * kDigitTileRows;
      const int32_t end = std::min(n - first, kDigitTileRows) + first;
      statuses[t] = JoinRows(block.Rows(first, end), &tile, &found[t]);
    }
  }
  size_t num_edges = edges->size();
  for (int32_t t = 0; t < num_tiles; ++t) {
    RETURN_IF_ERROR(statuses[t]);
    num_edges += found[t].size();
  }
  edges->reserve(num_edges);
  for (int32_t t = 0; t < num_tiles; ++t) {
    for (const DenseTile::Edge& edge : found[t]) {
      edges->push_back(
          {t * kDigitTileRows + edge.row, edge.column, edge.cosine});
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
