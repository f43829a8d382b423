// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ProbeJoiner: the join of graph/cosine/cpu/cosine_graph_cpu.cc with probes as
// the only columns. The rows of a block are made ready batch by batch, just
// before they meet the tiles, so that a block is read once and never copied as
// a whole. What a thread of CpuCosineProbe does
// (graph/cosine/cpu/cosine_probe_cpu.h).
//
// Thread-safety: an index serves any number of threads, each with a joiner of
// its own. Determinism: edges depend on documents and probes only.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_PROBE_JOINER_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_PROBE_JOINER_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "graph/cosine/cpu/cosine_exact.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/filter/cosine_count_rows.h"
#include "graph/cosine/filter/cosine_filter_tile.h"
#include "graph/cosine/filter/cosine_row_kernels.h"
#include "graph/cosine/filter/cosine_rows.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Documents that are best joined at once: the tiles, and the numbers of terms,
// go through the second-level cache once a batch.
inline constexpr int32_t kProbeBatchRows = 256;

// The probes [begin, end). Narrow rows meet narrow and wide columns, wide rows,
// which are rare, all.
struct ProbeTile {
  explicit ProbeTile(const CosineFilterPlan& plan)
      : narrow(plan), wide(plan), all(plan) {}

  int32_t begin = 0;
  int32_t end = 0;
  std::vector<int32_t> narrow_columns;
  std::vector<int32_t> wide_columns;
  std::vector<int32_t> all_columns;
  FilterTile<uint16_t> narrow;
  FilterTile<float> wide;
  std::once_flag all_is_built;
  FilterTile<float> all;
};

struct ProbeIndex {
  // ProbeNormTooLarge.
  absl::Status Build(DocumentMatrix documents,
                     const CosineProbeOptions& options, int num_threads);

  DocumentMatrix probes;
  CosineTerms terms;
  CosineRows rows;
  CosineDecision decision;
  bool integer_arithmetic = false;
  double largest_squared_norm = 0;
  std::vector<std::unique_ptr<ProbeTile>> tiles;
};

// Weights of documents that come as counts.
struct CountWeights {
  // As in ScaleTerms; none: counts are weights. Must be fit for CanWeighCounts.
  absl::Span<const double> factors;
  // CountTable of them and the probes' terms.
  std::vector<CountedTerm> table;
};

// What one thread needs; reused from batch to batch.
class ProbeJoiner {
 public:
  explicit ProbeJoiner(const ProbeIndex& index);

  // Appends the edges of documents [begin, end) of `block`, by row, then probe.
  // False if a norm is too large.
  bool Run(const DocumentMatrix& block, int32_t begin, int32_t end,
           std::vector<ProbeEdge>* edges);

  // The same for all documents of `counts`: integers up to 2^24, of terms that
  // `weights` knows.
  bool RunCounts(const DocumentMatrix& counts, const CountWeights& weights,
                 std::vector<ProbeEdge>* edges);

 private:
  // What is in rows_ meets the probes.
  bool JoinRows(int32_t count, std::vector<ProbeEdge>* edges);
  void JoinTile(ProbeTile& tile);
  void JoinWide(const FilterTile<float>& tile,
                const std::vector<int32_t>& columns,
                const std::vector<int32_t>& rows);
  // `exact`: accumulators are dot products.
  template <class Weight>
  void AddEdges(FilterRows<Weight>& met, const std::vector<int32_t>& probes,
                int32_t row, int index, Weight factor, bool exact);
  // Makes `row` the document of exact_; returns its squared norm.
  double SetExact(int32_t row);

  const ProbeIndex& index_;
  const DocumentMatrix* block_ = nullptr;
  const CountWeights* weights_ = nullptr;
  int32_t begin_ = 0;
  CosineRows rows_;
  CountRowsScratch scratch_;
  ExactCountRow exact_row_;
  std::vector<int32_t> narrow_rows_;
  std::vector<int32_t> wide_rows_;
  FilterRows<uint16_t> narrow_;
  FilterRows<float> wide_;
  ExactDots exact_;
  std::vector<double> dots_;
  std::vector<double> norms_;
  std::vector<uint16_t> columns_;
  std::vector<float> cosines_;
  std::vector<ProbeEdge>* edges_ = nullptr;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_PROBE_JOINER_H_
