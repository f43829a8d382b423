// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/dense/cuda/begun_dense_join_cuda.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/dense/cuda/dense_edges_cuda.h"
#include "graph/cosine/dense/cuda/dense_join_cuda.h"
#include "kernels/memory/copy_in_parts.h"

namespace warpclust {
namespace {

// More documents are joined in parts.
constexpr int32_t kMostRows = 1 << 21;

// Of the free memory, candidates may take this part: what comes before EndJoin
// needs memory too.
constexpr int64_t kCandidatesOfMemory = 16;
// Rows that will come later, likewise.
constexpr int64_t kVisitorsOfMemory = 16;

// The ends of the parts that are uploaded one after the other. All but the last
// one are ends of runs and tiles of the join. The first parts are small, since
// few pairs are there to join while they come.
std::vector<int32_t> EndsOfParts(int32_t num_rows) {
  std::vector<int32_t> ends;
  for (const int64_t k : {1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 26}) {
    const auto end = static_cast<int32_t>(num_rows * k / 32 / kDenseRunColumns *
                                          kDenseRunColumns);
    if (end > (ends.empty() ? 0 : ends.back())) ends.push_back(end);
  }
  ends.push_back(num_rows);
  return ends;
}

// An error says that all rows have to be uploaded at once, maybe in vain.
absl::StatusOr<DeviceDenseDocuments> UploadInParts(
    const DenseDocuments& documents, const std::vector<int32_t>& ends,
    const std::function<void()>& copied, int32_t more_rows,
    int64_t most_candidates, BegunDenseJoin& begun) {
  Stopwatch stopwatch;
  DeviceDenseDocuments device;  // Outlives the copy.
  std::vector<int64_t> bytes;
  for (const int32_t end : ends) {
    bytes.push_back(int64_t{end} * documents.num_dimensions *
                    int64_t{sizeof(float)});
  }
  internal::CopyInParts copy(documents.values.data(), bytes);
  ASSIGN_OR_RETURN(const DenseJoinPlan plan,
                   PlanDenseJoin(DenseDigitBytes(documents.num_dimensions),
                                 /*hopper=*/true));
  ASSIGN_OR_RETURN(int64_t free, DeviceMemoryFreeBytes());
  const int64_t n = documents.num_rows;
  const int64_t bytes_of_row =
      int64_t{documents.num_dimensions} * int64_t{sizeof(float)} +
      DenseDigitBytes(documents.num_dimensions);
  free -= n * bytes_of_row;
  if (more_rows * bytes_of_row > free / kVisitorsOfMemory) more_rows = 0;
  free -= more_rows * bytes_of_row;
  const int64_t room = std::min(n * (n - 1) / 2, most_candidates);
  if (!plan.possible ||
      room * int64_t{sizeof(uint64_t)} > free / kCandidatesOfMemory) {
    return absl::ResourceExhaustedError("no join before the upload has ended");
  }
  RETURN_IF_ERROR(
      AllocateDenseDocuments(n + more_rows, documents.num_dimensions, &device));
  RETURN_IF_ERROR(AllocateInto(room, begun.candidates));
  RETURN_IF_ERROR(AllocateInto(1, begun.count));
  RETURN_IF_ERROR(begun.count.FillBytes(0));
  ASSIGN_OR_RETURN(DenseAppender appender, DenseAppender::Create());
  stopwatch.Lap("room for documents");
  // Joins that run do not read what is copied meanwhile.
  copy.Start(device.values.data());
  for (size_t part = 0; part < ends.size(); ++part) {
    const int32_t begin = device.num_rows;
    RETURN_IF_ERROR(copy.WaitForPart(static_cast<int>(part)));
    stopwatch.Lap("copy part");
    RETURN_IF_ERROR(appender.Append(ends[part] - begin, &device));
    RETURN_IF_ERROR(DenseCandidates(
        device, plan, begun.beta, /*first_row=*/0,
        WholeDenseJoin(plan, device.padded_rows(), begin),
        begun.candidates.size(), begun.candidates.data(), begun.count.data()));
    begun.first_row = begin;
  }
  RETURN_IF_ERROR(appender.Finish(&device));
  copied();
  return device;
}

// The graph of what was found, whose number `found` becomes.
absl::StatusOr<DeviceGraph> Decide(const DeviceDenseDocuments& documents,
                                   const CosineDecision& decision,
                                   BegunDenseJoin begun,
                                   const std::function<void()>& launched,
                                   int64_t* found) {
  unsigned long long count = 0;
  RETURN_IF_ERROR(begun.count.CopyToHost(absl::MakeSpan(&count, 1)));
  *found = static_cast<int64_t>(count);
  if (*found > begun.candidates.size()) {
    return absl::ResourceExhaustedError("more candidates than expected");
  }
  DenseEdges edges(documents.num_rows);
  RETURN_IF_ERROR(edges.Add(documents, decision, begun.candidates.data(),
                            *found, launched));
  begun = BegunDenseJoin();
  return edges.TakeGraph();
}

}  // namespace

absl::StatusOr<DeviceDenseDocuments> UploadAndBeginJoin(
    const DenseDocuments& documents, const Decimal& beta, BegunDenseJoin* begun,
    const std::function<void()>& copied, int32_t more_rows,
    int64_t most_candidates) {
  *begun = BegunDenseJoin();
  const std::vector<int32_t> ends = EndsOfParts(documents.num_rows);
  if (ends.size() > 1 && documents.num_rows <= kMostRows &&
      static_cast<int64_t>(documents.values.size()) ==
          int64_t{documents.num_rows} * documents.num_dimensions) {
    begun->beta = beta.ToDouble();
    absl::StatusOr<DeviceDenseDocuments> device = UploadInParts(
        documents, ends, copied, more_rows, most_candidates, *begun);
    if (device.ok()) return device;
    // The usual way has its own errors.
    *begun = BegunDenseJoin();
  }
  return UploadDenseDocuments(documents);
}

absl::StatusOr<DeviceGraph> EndJoin(const DeviceDenseDocuments& documents,
                                    const CosineGraphOptions& options,
                                    BegunDenseJoin begun,
                                    const std::function<void()>& launched) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(NotStopped(options));
  const CosineDecision decision = MakeCosineDecision(
      options.beta, options.integer_decisions && documents.integer_weights,
      documents.largest_squared_norm);
  DenseJoinTuning tuning;
  if (begun.first_row > 0 && begun.beta == decision.beta) {
    absl::StatusOr<DeviceGraph> graph =
        Decide(documents, decision, std::move(begun), launched,
               &tuning.expected_candidates);
    // In parts it needs less memory, and has its own errors.
    if (!absl::IsResourceExhausted(graph.status())) return graph;
  }
  begun = BegunDenseJoin();
  launched();
  return DenseCosineGraphOnDevice(documents, options, /*candidates=*/nullptr,
                                  tuning);
}

}  // namespace warpclust
