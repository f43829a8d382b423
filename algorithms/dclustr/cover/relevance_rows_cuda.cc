// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/cover/relevance_rows_cuda.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/cover/cuda/relevance_counter.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"

namespace warpclust {
namespace {

// 16 MB of neighbors: a third of a millisecond of upload.
constexpr int64_t kChunkEntries = int64_t{1} << 22;
constexpr int64_t kChunkRows = int64_t{1} << 16;

// Counts the rows of `changed`, chunk by chunk.
absl::Status CountRows(const AffectedGraph& graph,
                       absl::Span<const int32_t> changed,
                       absl::Span<const int32_t> degrees, int num_threads,
                       int64_t chunk_entries, RelevanceCounter* counter) {
  const auto count = static_cast<int64_t>(changed.size());
  for (int64_t first = 0; first < count;) {
    RETURN_IF_ERROR(counter->BeginChunk());
    const absl::Span<int32_t> vertices = counter->vertices();
    const absl::Span<int64_t> offsets = counter->offsets();
    int32_t* const neighbors = counter->neighbors().data();
    int64_t rows = 0;
    offsets[0] = 0;
    while (first + rows < count &&
           rows < static_cast<int64_t>(vertices.size())) {
      const int32_t v = changed[first + rows];
      const int64_t end = offsets[rows] + degrees[v];
      if (end > chunk_entries) break;
      vertices[rows] = graph.vertices()[v];
      offsets[++rows] = end;
    }
    absl::Status status;
#pragma omp parallel num_threads(num_threads)
    {
      std::vector<int32_t> buffer;
      absl::Status mine;
#pragma omp for schedule(dynamic, 64)
      for (int64_t i = 0; i < rows; ++i) {
        if (!mine.ok()) continue;
        const int32_t v = changed[first + i];
        const absl::StatusOr<absl::Span<const int32_t>> row =
            graph.ReadStoredRow(v, degrees[v], &buffer);
        if (row.ok()) {
          std::copy(row->begin(), row->end(), neighbors + offsets[i]);
        } else {
          mine = row.status();
        }
      }
#pragma omp critical(warpclust_relevance_rows)
      status.Update(mine);
    }
    RETURN_IF_ERROR(status);
    RETURN_IF_ERROR(counter->CountChunk(rows));
    first += rows;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CountRowsCuda(const AffectedGraph& graph,
                           absl::Span<const VertexState> states,
                           absl::Span<const int32_t> changed, int num_threads,
                           RelevanceTable* table) {
  // By the store's numbers, so that rows are uploaded as they are stored.
  const size_t n = graph.locals().size();
  std::vector<CountedStar> now(n);
  std::vector<CountedStar> before(n);
  std::vector<uint32_t> counts(n);
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    const int32_t vertex = graph.vertices()[v];
    now[vertex].weight_sum = table->weight_sums[v];
    now[vertex].degree = table->degrees[v];
    counts[vertex] = table->counts[v];
  }
  int64_t entries = 0;
  int64_t longest = 0;
  for (const int32_t v : changed) {
    const int32_t vertex = graph.vertices()[v];
    now[vertex].is_changed = 1;
    before[vertex].weight_sum = states[v].weight_sum;
    before[vertex].degree = states[v].degree;
    counts[vertex] = 0;
    entries += table->degrees[v];
    longest = std::max<int64_t>(longest, table->degrees[v]);
  }
  const auto make_counter = [&](int64_t chunk_entries) {
    const int64_t rows = std::min<int64_t>(changed.size(), kChunkRows);
    return RelevanceCounter::Create(
        now, before, counts, std::min(rows, chunk_entries + 1), chunk_entries);
  };
  int64_t chunk_entries = std::max(longest, std::min(entries, kChunkEntries));
  absl::StatusOr<RelevanceCounter> counter = make_counter(chunk_entries);
  // Smaller chunks, down to one row.
  while (absl::IsResourceExhausted(counter.status()) &&
         chunk_entries > longest) {
    chunk_entries = std::max(longest, chunk_entries / 2);
    counter = make_counter(chunk_entries);
  }
  if (!counter.ok()) {
    return NameWhatDidNotFit(
        counter.status(), absl::StrCat("relevances of ", graph.num_vertices(),
                                       " documents on the GPU"));
  }
  const absl::Status status = CountRows(graph, changed, table->degrees,
                                        num_threads, chunk_entries, &*counter);
  if (!status.ok()) {
    // The device may still read the chunks; the first error is the one to tell.
    counter->Wait().IgnoreError();
    return status;
  }
  int32_t stray = -1;
  RETURN_IF_ERROR(counter->Finish(&counts, &stray));
  if (stray >= 0) return graph.StrayNeighbor(graph.Local(stray));
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    table->counts[v] = counts[graph.vertices()[v]];
  }
  return absl::OkStatus();
}

}  // namespace warpclust
