// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <functional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/cosine_dense_block_cuda.h"
#include "graph/cosine/cuda/cosine_join_cuda.h"
#include "graph/cosine/cuda/cosine_join_kernel_cuda.h"
#include "graph/cosine/cuda/warp_rows.cuh"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

// The most rows of a dense panel (0.8 GB of 16-bit sums for a full tile), and
// the fewest for which a panel pays.
constexpr int32_t kMostPanelRows = 8192;
constexpr int32_t kFewestPanelRows = 512;
// Up to this many pairs in all, room for every pair is reserved.
constexpr int64_t kFewPairs = int64_t{1} << 28;
constexpr int64_t kBytesAPair = 12;
// One row in kSampleStride is sampled.
constexpr int32_t kSampleStride = 199;

// One warp per document: the weight of each entry in units of the arithmetic:
// the integer weight (`dot`), or the cosine weight in fixed point, rounded down
// (`verify`).
__global__ void EntryWeightsKernel(int32_t num_documents, bool verify,
                                   const int64_t* offsets, const float* weights,
                                   const double* squared_norms,
                                   uint16_t* entry_weights) {
  const int32_t document = RowOfWarp();
  if (document >= num_documents) return;
  const double norm = sqrt(squared_norms[document]);
  const int64_t end = offsets[document + 1];
  for (int64_t e = offsets[document] + (threadIdx.x & 31); e < end; e += 32) {
    uint32_t weight;
    if (verify) {
      const double cosine_weight = static_cast<double>(weights[e]) / norm;
      weight = min(65535u, static_cast<uint32_t>(cosine_weight * kFixedOne));
    } else {
      weight = static_cast<uint32_t>(weights[e]);
    }
    entry_weights[e] = static_cast<uint16_t>(weight);
  }
}

// Turns places of the term lists into (column in its tile, weight << 16).
__global__ void PostingsKernel(int64_t num_places, uint32_t first_column,
                               int32_t tile, const uint16_t* entry_weights,
                               const uint32_t* list_documents,
                               const uint32_t* list_entries,
                               uint32_t* postings) {
  const int64_t k = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= num_places) return;
  const uint32_t weight = entry_weights[list_entries[k]];
  postings[k] = (list_documents[k] - first_column) % tile | weight << 16;
}

// Where the documents of [first_document, end_document) lie in each term list;
// listed_end is 0 for the terms of the dense block.
__global__ void TileBoundsKernel(int32_t num_terms, uint32_t first_document,
                                 uint32_t end_document,
                                 const uint32_t* list_offsets,
                                 const uint32_t* list_documents,
                                 const int32_t* dense_columns, uint32_t* begin,
                                 uint32_t* end, uint32_t* listed_end) {
  const int32_t term = blockIdx.x * blockDim.x + threadIdx.x;
  if (term >= num_terms) return;
  const uint32_t list_end = list_offsets[term + 1];
  const uint32_t from =
      LowerBound(list_documents, list_offsets[term], list_end, first_document);
  const uint32_t to = LowerBound(list_documents, from, list_end, end_document);
  const bool dense = dense_columns != nullptr && dense_columns[term] >= 0;
  begin[term] = from;
  end[term] = to;
  listed_end[term] = dense ? 0 : to;
}

int32_t FirstRow(const DeviceDocuments& documents) {
  return documents.num_listed == documents.num_documents ? 0
                                                         : documents.num_listed;
}

// Panels begin at multiples of 128, so the first one may begin before the first
// row that is wanted.
int32_t FirstPanelRow(int32_t first_row) { return first_row / 128 * 128; }

// What is the same for all tiles of a join.
struct JoinPlan {
  bool verify = false;
  bool any_wide = false;
  // Columns are the listed documents, rows those from first_row on: all, or
  // those that are not listed.
  int32_t first_row = 0;
  // Tiles begin here: a multiple of 128, up to first_listed.
  int32_t first_column = 0;
  int32_t tile = 0;
  int32_t num_tiles = 0;
  DeviceBuffer<uint16_t> entry_weights;
  DeviceBuffer<uint32_t> postings;
  DeviceBuffer<uint32_t> tile_begin;
  DeviceBuffer<uint32_t> tile_end;
  DeviceBuffer<uint32_t> listed_end;
  // Without panel rows, the lists do all the work.
  DenseBlock dense;
  int32_t panel_rows = 0;
  DeviceBuffer<uint16_t> panel;
  DeviceBuffer<unsigned long long> counters;  // pairs, next row
};

absl::StatusOr<JoinPlan> MakePlan(const DeviceDocuments& documents,
                                  const CosineDecision& decision) {
  const DocumentStatistics& statistics = documents.statistics;
  JoinPlan plan;
  // Weights in 16 bits, dot products in 32.
  plan.verify = !(decision.integer && statistics.integer_weights &&
                  statistics.largest_weight < 65536.0f &&
                  statistics.largest_squared_norm < 4294967296.0);
  plan.any_wide = plan.verify ? statistics.longest_document > kLongDocument
                              : statistics.largest_squared_norm >= kFixedOne;
  const int32_t n = documents.num_documents;
  plan.first_row = FirstRow(documents);
  plan.first_column = documents.first_listed / 128 * 128;
  const int32_t columns = documents.num_listed - plan.first_column;
  ASSIGN_OR_RETURN(int largest_tile, LargestTile(plan.any_wide));
  plan.tile = std::min(largest_tile, (columns + 127) / 128 * 128);
  plan.num_tiles = (columns + plan.tile - 1) / plan.tile;
  const int64_t places = documents.num_listed_entries;
  RETURN_IF_ERROR(AllocateInto(documents.num_entries, plan.entry_weights));
  RETURN_IF_ERROR(AllocateInto(places, plan.postings));
  RETURN_IF_ERROR(AllocateInto(documents.num_terms, plan.tile_begin));
  RETURN_IF_ERROR(AllocateInto(documents.num_terms, plan.tile_end));
  RETURN_IF_ERROR(AllocateInto(documents.num_terms, plan.listed_end));
  RETURN_IF_ERROR(AllocateInto(2, plan.counters));
  EntryWeightsKernel<<<WarpBlocks(n), kThreads>>>(
      n, plan.verify, documents.offsets.data(), documents.weights.data(),
      documents.squared_norms.data(), plan.entry_weights.data());
  RETURN_IF_ERROR(CudaLaunchStatus("weights of entries"));
  PostingsKernel<<<BlocksFor(places, kThreads), kThreads>>>(
      places, static_cast<uint32_t>(plan.first_column), plan.tile,
      plan.entry_weights.data(), documents.list_documents.data(),
      documents.list_entries.data(), plan.postings.data());
  RETURN_IF_ERROR(CudaLaunchStatus("postings"));
  absl::StatusOr<DenseBlock> dense = BuildDenseBlock(documents, plan.verify);
  // The block is for speed only.
  if (absl::IsResourceExhausted(dense.status())) return plan;
  if (!dense.ok()) return dense.status();
  plan.dense = *std::move(dense);
  if (plan.dense.num_columns == 0) return plan;
  plan.panel_rows = std::min(
      kMostPanelRows, (n - FirstPanelRow(plan.first_row) + 127) / 128 * 128);
  for (;;) {
    const absl::Status status =
        AllocateInto(int64_t{plan.panel_rows} * plan.tile, plan.panel);
    if (status.ok()) return plan;
    if (!absl::IsResourceExhausted(status)) return status;
    // Memory is short: try a smaller panel, or none.
    plan.panel_rows = plan.panel_rows / 256 * 128;
    if (plan.panel_rows < kFewestPanelRows) {
      plan.panel_rows = 0;
      plan.dense = DenseBlock();
      return plan;
    }
  }
}

// Joins the rows of one tile: wide rows by lists alone, narrow rows panel by
// panel if there is a dense block and the rows are consecutive.
absl::Status JoinTile(const DeviceDocuments& documents, const JoinPlan& plan,
                      JoinArguments a) {
  const int32_t n = documents.num_documents;
  if (plan.any_wide) {
    RETURN_IF_ERROR(LaunchJoin(plan.verify, false, plan.tile, a));
  }
  if (plan.panel_rows == 0 || a.row_stride != 1) {
    return LaunchJoin(plan.verify, true, plan.tile, a);
  }
  a.tile_end = plan.listed_end.data();
  a.panel = plan.panel.data();
  a.panel_stride = plan.tile;
  const int32_t first_row = std::max(a.first_column, plan.first_row);
  for (int32_t row = FirstPanelRow(first_row); row < n;
       row += plan.panel_rows) {
    const int32_t panel_rows = std::min(plan.panel_rows, n - row);
    a.first_row = std::max(row, first_row);
    a.num_rows = row + panel_rows - a.first_row;
    a.panel_first_row = row;
    RETURN_IF_ERROR(DensePanel(plan.dense, n, plan.verify, row, panel_rows,
                               a.first_column, a.num_columns, a.panel_stride,
                               const_cast<uint16_t*>(a.panel)));
    RETURN_IF_ERROR(LaunchJoin(plan.verify, true, plan.tile, a));
  }
  return absl::OkStatus();
}

// One pass over all tiles and the rows first_row + row_stride * k. Only counts
// with capacity 0.
absl::Status RunJoin(
    const DeviceDocuments& documents, const CosineDecision& decision,
    JoinPlan& plan, int32_t first_row, int32_t row_stride, int64_t capacity,
    DevicePairs* pairs, int32_t* rows, int64_t* num_pairs,
    const std::function<void()>& launched = [] {}) {
  const int32_t n = documents.num_documents;
  RETURN_IF_ERROR(plan.counters.FillBytes(0));
  for (int32_t t = 0; t < plan.num_tiles; ++t) {
    JoinArguments a = {};
    a.first_column = plan.first_column + t * plan.tile;
    a.num_columns = std::min(plan.tile, documents.num_listed - a.first_column);
    TileBoundsKernel<<<BlocksFor(documents.num_terms, kThreads), kThreads>>>(
        documents.num_terms, std::max(a.first_column, documents.first_listed),
        a.first_column + a.num_columns, documents.list_offsets.data(),
        documents.list_documents.data(),
        plan.panel_rows > 0 ? plan.dense.column_of_term.data() : nullptr,
        plan.tile_begin.data(), plan.tile_end.data(), plan.listed_end.data());
    RETURN_IF_ERROR(CudaLaunchStatus("tile bounds"));
    a.offsets = documents.offsets.data();
    a.terms = documents.terms.data();
    a.squared_norms = documents.squared_norms.data();
    if (plan.first_row == 0) a.entry_places = documents.entry_places.data();
    a.largest_squared_norm = documents.statistics.largest_squared_norm;
    a.entry_weights = plan.entry_weights.data();
    a.postings = plan.postings.data();
    a.tile_begin = plan.tile_begin.data();
    a.tile_end = plan.tile_end.data();
    a.decision = decision;
    a.first_row = first_row;
    a.row_stride = row_stride;
    a.num_rows = (n - first_row + row_stride - 1) / row_stride;
    a.num_pairs = plan.counters.data();
    a.next_row = reinterpret_cast<unsigned int*>(plan.counters.data() + 1);
    a.capacity = capacity;
    if (pairs != nullptr) {
      a.first_run_row = pairs->first_row;
      a.run_starts = pairs->run_starts.data() + int64_t{t} * pairs->num_rows();
      a.run_counts = pairs->run_counts.data() + int64_t{t} * pairs->num_rows();
      a.columns = pairs->columns.data();
      a.cosines = pairs->cosines.data();
      a.rows = rows;
    }
    RETURN_IF_ERROR(JoinTile(documents, plan, a));
  }
  launched();
  unsigned long long count = 0;
  RETURN_IF_ERROR(plan.counters.CopyToHost(absl::MakeSpan(&count, 1)));
  *num_pairs = static_cast<int64_t>(count);
  return absl::OkStatus();
}

// The room to reserve for pairs: for all pairs if they are few, else what a
// sample of the rows suggests and a quarter more.
absl::StatusOr<int64_t> ExpectedPairs(const DeviceDocuments& documents,
                                      const CosineDecision& decision,
                                      JoinPlan& plan) {
  const int64_t all = documents.num_pairs();
  ASSIGN_OR_RETURN(int64_t free, DeviceMemoryFreeBytes());
  if (all <= std::min(kFewPairs, free / (2 * kBytesAPair))) return all;
  int64_t sampled = 0;
  RETURN_IF_ERROR(RunJoin(documents, decision, plan,
                          plan.first_row + kSampleStride / 2, kSampleStride, 0,
                          nullptr, nullptr, &sampled));
  return std::min(all, sampled * kSampleStride / 4 * 5 + (int64_t{1} << 20));
}

// Frees the room for pairs and allocates that for `capacity` pairs.
absl::Status AllocatePairs(int64_t capacity, bool verify, DevicePairs& pairs,
                           DeviceBuffer<int32_t>& rows) {
  pairs.columns = DeviceBuffer<int32_t>();
  pairs.cosines = DeviceBuffer<float>();
  rows = DeviceBuffer<int32_t>();
  RETURN_IF_ERROR(AllocateInto(capacity, pairs.columns));
  RETURN_IF_ERROR(AllocateInto(capacity, pairs.cosines));
  return verify ? AllocateInto(capacity, rows) : absl::OkStatus();
}

absl::StatusOr<DevicePairs> Join(const DeviceDocuments& documents,
                                 const CosineDecision& decision,
                                 const std::function<void()>& launched) {
  DevicePairs pairs;
  pairs.num_documents = documents.num_documents;
  pairs.first_row = FirstRow(documents);
  if (documents.num_pairs() == 0 || documents.num_listed_entries == 0) {
    return pairs;
  }
  ASSIGN_OR_RETURN(JoinPlan plan, MakePlan(documents, decision));
  pairs.num_tiles = plan.num_tiles;
  const int64_t runs = int64_t{plan.num_tiles} * pairs.num_rows();
  RETURN_IF_ERROR(AllocateInto(runs, pairs.run_starts));
  RETURN_IF_ERROR(AllocateInto(runs, pairs.run_counts));
  ASSIGN_OR_RETURN(int64_t expected, ExpectedPairs(documents, decision, plan));
  int64_t capacity = expected;
  bool counted = false;
  DeviceBuffer<int32_t> rows;
  // If the sample suggested too little, one more pass of known size follows.
  for (;;) {
    const absl::Status status =
        AllocatePairs(capacity, plan.verify, pairs, rows);
    if (absl::IsResourceExhausted(status) && !counted) {
      // Reserve room for the actual pairs instead of the expected ones.
      counted = true;
      RETURN_IF_ERROR(RunJoin(documents, decision, plan, plan.first_row, 1, 0,
                              nullptr, nullptr, &capacity));
      continue;
    }
    if (absl::IsResourceExhausted(status) && plan.panel_rows > 0) {
      // A panel is for speed only.
      plan.panel_rows = 0;
      plan.panel = DeviceBuffer<uint16_t>();
      plan.dense = DenseBlock();
      continue;
    }
    RETURN_IF_ERROR(status);
    RETURN_IF_ERROR(pairs.run_counts.FillBytes(0));
    RETURN_IF_ERROR(RunJoin(documents, decision, plan, plan.first_row, 1,
                            capacity, &pairs, rows.data(), &pairs.num_pairs,
                            launched));
    if (pairs.num_pairs <= capacity) break;
    capacity = pairs.num_pairs;
  }
  if (plan.verify) {
    RETURN_IF_ERROR(VerifyPairs(documents, decision, pairs.num_pairs,
                                rows.data(), pairs.columns.data(),
                                pairs.cosines.data()));
  }
  return pairs;
}

}  // namespace

absl::StatusOr<DevicePairs> JoinByCosine(
    const DeviceDocuments& documents, const CosineDecision& decision,
    const std::function<void()>& launched) {
  absl::StatusOr<DevicePairs> pairs = Join(documents, decision, launched);
  if (pairs.ok()) return pairs;
  return NameWhatDidNotFit(pairs.status(),
                           absl::StrCat("comparing ", documents.num_documents,
                                        " documents on the GPU"));
}

}  // namespace warpclust
