// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/cosine_graph_distributed.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_job.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/distributed/block_join.h"
#include "kernels/rank_device.h"

namespace warpclust {
namespace {

// Sums of products and edges of 1,024 ranks fit into 64 bits.
constexpr double kMostCounted = 1LL << 52;

absl::Status Validate(const DocumentMatrix& documents, int) {
  return ValidateDocuments(documents);
}
absl::Status Validate(const DenseDocuments& documents, int num_threads) {
  return ValidateDenseDocuments(documents, num_threads);
}

std::vector<double> Norms(const DocumentMatrix& documents, int) {
  return SquaredNorms(documents);
}
std::vector<double> Norms(const DenseDocuments& documents, int num_threads) {
  return SquaredNorms(documents, num_threads);
}

bool AllIntegers(const DocumentMatrix& documents, int) {
  return HasIntegerWeights(documents);
}
bool AllIntegers(const DenseDocuments& documents, int num_threads) {
  return HasIntegerWeights(documents, num_threads);
}

// Terms or dimensions: the most of all ranks.
absl::StatusOr<int32_t> AgreeOnColumns(Communicator& ranks,
                                       const DocumentMatrix& documents) {
  return ranks.AllReduce(Reduction::kMax, documents.num_terms);
}
absl::StatusOr<int32_t> AgreeOnColumns(Communicator& ranks,
                                       const DenseDocuments& documents) {
  ASSIGN_OR_RETURN(const int32_t num_dimensions,
                   ranks.AllReduce(Reduction::kMax, documents.num_dimensions));
  absl::Status status;
  if (documents.num_rows > 0 && documents.num_dimensions != num_dimensions) {
    status = absl::InvalidArgumentError(absl::StrCat(
        "documents: expected ", num_dimensions,
        " dimensions, as other ranks have, found ", documents.num_dimensions));
  }
  RETURN_IF_ERROR(ranks.Agree(status));
  return num_dimensions;
}

// Whether cosines are decided in integers, by all documents of all ranks, as
// CosineGraph would.
template <typename Documents>
absl::StatusOr<bool> DecidesInIntegers(Communicator& ranks,
                                       const Documents& documents,
                                       const CosineGraphOptions& options) {
  double largest = 0;
  const int num_threads = ResolveThreads(options.num_threads);
  for (const double norm : Norms(documents, num_threads)) {
    largest = std::max(largest, norm);
  }
  // Doubles of at least 0 order as their bits.
  uint64_t bits;
  std::memcpy(&bits, &largest, sizeof(bits));
  ASSIGN_OR_RETURN(bits, ranks.AllReduce(Reduction::kMax, bits));
  std::memcpy(&largest, &bits, sizeof(bits));
  ASSIGN_OR_RETURN(
      const int are_integers,
      ranks.AllReduce(Reduction::kMin,
                      AllIntegers(documents, num_threads) ? 1 : 0));
  return MakeCosineDecision(options.beta,
                            are_integers == 1 && options.integer_decisions,
                            largest)
      .integer;
}

template <typename Documents>
absl::StatusOr<GraphShare> Build(Communicator& ranks,
                                 const Documents& documents,
                                 CosineGraphOptions options, Device device,
                                 const CosineExchange& exchange,
                                 std::string* way) {
  options.work = nullptr;
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ranks.Agree(Validate(documents, options.num_threads)));
  ASSIGN_OR_RETURN(const int32_t num_columns, AgreeOnColumns(ranks, documents));
  GraphShare share;
  ASSIGN_OR_RETURN(const std::vector<int64_t> begins,
                   ranks.Begins(documents.num_documents()));
  if (begins.back() > std::numeric_limits<int32_t>::max()) {
    return absl::InvalidArgumentError(
        "documents: expected at most 2^31 - 1 on all ranks, found more");
  }
  share.begins.assign(begins.begin(), begins.end());
  ASSIGN_OR_RETURN(options.integer_decisions,
                   DecidesInIntegers(ranks, documents, options));
  CosineProbeOptions probe_options;
  probe_options.beta = options.beta;
  probe_options.integer_arithmetic = options.integer_decisions;
  probe_options.num_threads = options.num_threads;
  UseDeviceOfRank(ranks);
  if (device == Device::kAuto) {
    ASSIGN_OR_RETURN(const ExpectedSeconds expected,
                     ExpectCosineGraph(ranks, documents, options));
    ASSIGN_OR_RETURN(device, ResolveDevice(device, expected));
  }
  ASSIGN_OR_RETURN(device, ResolveDevice(device));
  ASSIGN_OR_RETURN(share.rows,
                   JoinBlocks(ranks, documents, num_columns, share.begins,
                              probe_options, device, exchange, way));
  return share;
}

}  // namespace

// Pairs within blocks are a p-th of all pairs, which is the work of a rank. So
// the ranks' own pairs add up to it.
absl::StatusOr<ExpectedSeconds> ExpectCosineGraph(
    Communicator& ranks, const DocumentMatrix& documents,
    const CosineGraphOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ranks.Agree(Validate(documents, options.num_threads)));
  CosineJob job = MeasureCosineJob(documents, options.beta);
  for (double* const count : {&job.products, &job.edges}) {
    ASSIGN_OR_RETURN(
        const int64_t sum,
        ranks.AllReduce(Reduction::kSum,
                        static_cast<int64_t>(std::min(*count, kMostCounted))));
    *count = static_cast<double>(sum);
  }
  ASSIGN_OR_RETURN(job.entries, ranks.AllReduce(Reduction::kSum, job.entries));
  // Half of the blocks come to each rank.
  job.entries = job.entries * (1 + ranks.size() / 2) / ranks.size();
  return Expect(job, options.num_threads);
}

absl::StatusOr<ExpectedSeconds> ExpectCosineGraph(
    Communicator& ranks, const DenseDocuments& documents,
    const CosineGraphOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  ASSIGN_OR_RETURN(
      const int64_t rows,
      ranks.AllReduce(Reduction::kSum, int64_t{documents.num_rows}));
  ASSIGN_OR_RETURN(const int32_t dimensions,
                   ranks.AllReduce(Reduction::kMax, documents.num_dimensions));
  // A p-th of the pairs is what fewer documents have.
  const double share = std::sqrt(1.0 / ranks.size());
  const DenseCosineJob job = {
      static_cast<int64_t>(static_cast<double>(rows) * share), dimensions};
  return Expect(job, options.num_threads);
}

absl::StatusOr<GraphShare> CosineGraphDistributed(
    Communicator& ranks, const DocumentMatrix& documents,
    const CosineGraphOptions& options, Device device,
    const CosineExchange& exchange, std::string* way) {
  return Build(ranks, documents, options, device, exchange, way);
}

absl::StatusOr<GraphShare> CosineGraphDistributed(
    Communicator& ranks, const DenseDocuments& documents,
    const CosineGraphOptions& options, Device device,
    const CosineExchange& exchange, std::string* way) {
  return Build(ranks, documents, options, device, exchange, way);
}

}  // namespace warpclust
