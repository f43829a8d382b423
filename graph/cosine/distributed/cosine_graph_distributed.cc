// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/cosine_graph_distributed.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_job.h"
#include "graph/cosine/decision/cosine_block_backend.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/distributed/block_join.h"
#include "graph/cosine/distributed/rank_block.h"
#include "kernels/device/rank_device.h"

namespace warpclust {
namespace {

// Sums of products and edges of 1,024 ranks fit into 64 bits.
constexpr double kMostCounted = 1LL << 52;

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
absl::StatusOr<bool> DecidesInIntegers(Communicator& ranks,
                                       const CosineBlockStatistics& own,
                                       const CosineGraphOptions& options) {
  ASSIGN_OR_RETURN(const double largest,
                   ranks.AllReduceLargest(own.largest_squared_norm));
  ASSIGN_OR_RETURN(const bool are_integers, ranks.OnAll(own.integer_weights));
  return MakeCosineDecision(options.beta,
                            are_integers && options.integer_decisions, largest)
      .integer;
}

// The most rows of a piece that this rank gets from another one, if that has as
// many, or one more, and nothing cuts them: of two ranks, the lower one gets
// half.
int32_t NumVisitors(int32_t num_rows, const Communicator& ranks) {
  if (ranks.size() == 1) return 0;
  return ranks.size() == 2 && ranks.rank() == 0 ? num_rows / 2 + 1
                                                : num_rows + 1;
}

template <typename Documents>
absl::StatusOr<GraphShare> Build(Communicator& ranks,
                                 const Documents& documents,
                                 CosineGraphOptions options, Device device,
                                 const CosineExchange& exchange,
                                 std::string* way) {
  Stopwatch stopwatch;
  options.work = nullptr;
  RETURN_IF_ERROR(options.Validate());
  UseDeviceOfRank(ranks);
  if (device == Device::kAuto) {
    ASSIGN_OR_RETURN(const ExpectedSeconds expected,
                     ExpectCosineGraph(ranks, documents, options));
    ASSIGN_OR_RETURN(device, ResolveDevice(device, expected));
  }
  ASSIGN_OR_RETURN(device, ResolveDevice(device));
  // Ranks meet while they upload their documents, but not at first: CUDA does
  // not allocate memory on two threads at once, and both took twice the time.
  const bool on_gpu = device == Device::kCuda && documents.num_documents() > 0;
  std::promise<void> copied;
  bool are_copied = false;
  const auto meet = [&] {
    if (!are_copied) copied.set_value();
    are_copied = true;
  };
  std::future<absl::StatusOr<ExchangeWay>> choosing =
      std::async(on_gpu ? std::launch::async : std::launch::deferred,
                 [&]() -> absl::StatusOr<ExchangeWay> {
                   copied.get_future().wait();
                   UseDeviceOfRank(ranks);
                   if (on_gpu) RETURN_IF_ERROR(ResolveDevice(device).status());
                   return ChooseWay(ranks, documents, on_gpu, exchange);
                 });
  RankBlock<Documents> block(documents, device, options.beta,
                             options.num_threads);
  Stopwatch laps;
  const absl::Status started =
      block.Start(NumVisitors(documents.num_documents(), ranks), meet);
  meet();
  laps.Lap("own block");
  ASSIGN_OR_RETURN(ExchangeWay chosen, choosing.get());
  RETURN_IF_ERROR(ranks.Agree(started));
  laps.Lap("wait for blocks");
  ASSIGN_OR_RETURN(const int32_t num_columns, AgreeOnColumns(ranks, documents));
  GraphShare share;
  ASSIGN_OR_RETURN(const std::vector<int64_t> begins,
                   ranks.Begins(documents.num_documents()));
  if (begins.back() > std::numeric_limits<int32_t>::max()) {
    return absl::InvalidArgumentError(
        "documents: expected at most 2^31 - 1 on all ranks, found more");
  }
  share.begins.assign(begins.begin(), begins.end());
  CosineProbeOptions probe_options;
  probe_options.beta = options.beta;
  ASSIGN_OR_RETURN(probe_options.integer_arithmetic,
                   DecidesInIntegers(ranks, block.statistics(), options));
  probe_options.num_threads = options.num_threads;
  block.SetOptions(probe_options);
  stopwatch.Lap("own documents");
  RETURN_IF_ERROR(
      JoinBlocks(ranks, num_columns, exchange, &chosen, &block, &share));
  if (way != nullptr) *way = chosen.name;
  return share;
}

}  // namespace

// Pairs within blocks are a p-th of all pairs, which is the work of a rank. So
// the ranks' own pairs add up to it.
absl::StatusOr<ExpectedSeconds> ExpectCosineGraph(
    Communicator& ranks, const DocumentMatrix& documents,
    const CosineGraphOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(
      ranks.Agree(ValidateDocuments(documents, options.num_threads)));
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
