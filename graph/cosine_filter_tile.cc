// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine_filter_tile.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "absl/base/casts.h"

namespace warpclust {
namespace {

constexpr uint32_t kDense = UINT32_MAX;
// List entries come in groups, the last one padded, so that the loop over a
// list has no remainder.
constexpr int kGroup = 4;
// Below this many entries a list is as cheap as a row, whatever the share.
constexpr int64_t kFewestDense = 16;

const uint16_t* RowWeights(const CosineRows& rows, uint16_t) {
  return rows.narrow_weights.data();
}
const float* RowWeights(const CosineRows& rows, float) {
  return rows.wide_weights.data();
}
uint16_t Threshold(const CosineRows& rows, int32_t document, uint16_t) {
  return rows.narrow_thresholds[document];
}
float Threshold(const CosineRows& rows, int32_t document, float) {
  return rows.wide_thresholds[document];
}
uint32_t BroadcastBits(uint16_t weight) { return weight * 0x10001u; }
uint32_t BroadcastBits(float weight) {
  return absl::bit_cast<uint32_t>(weight);
}

int ChunkOf(const CosineFilterKernels& kernels, uint16_t) {
  return kernels.chunk_u16;
}
int ChunkOf(const CosineFilterKernels& kernels, float) {
  return kernels.chunk_float;
}
double DenseShareOf(const CosineFilterKernels& kernels, uint16_t) {
  return kernels.dense_share_u16;
}
double DenseShareOf(const CosineFilterKernels& kernels, float) {
  return kernels.dense_share_float;
}

}  // namespace

template <class Weight>
FilterTile<Weight>::FilterTile(const CosineFilterPlan& plan)
    : plan_(plan),
      kernels_(CosineFilterKernelsFor(plan.simd)),
      chunk_(ChunkOf(kernels_, Weight{})) {}

template <class Weight>
void FilterTile<Weight>::Build(const CosineRows& rows,
                               absl::Span<const int32_t> columns) {
  columns_ = columns;
  high_ = !rows.integer_weights;
  const int num_columns = static_cast<int>(columns.size());
  const int num_chunks = (num_columns + chunk_ - 1) / chunk_;
  const int padded = num_chunks * chunk_;
  const Weight* weights = RowWeights(rows, Weight{});

  // Lists: entries a term, then their places.
  slots_.assign(rows.num_terms, Slot{0, 0});
  for (int32_t d : columns) {
    for (int64_t e = rows.offsets[d]; e < rows.offsets[d + 1]; ++e) {
      ++slots_[rows.terms[e]].count;
    }
  }
  const double share = plan_.dense_share > 0 ? plan_.dense_share
                                             : DenseShareOf(kernels_, Weight{});
  const int64_t fewest_dense =
      std::max(kFewestDense, static_cast<int64_t>(share * num_columns));
  next_.resize(rows.num_terms);
  num_rows_ = 0;
  uint32_t num_groups = 0;
  for (int32_t t = 0; t < rows.num_terms; ++t) {
    Slot& slot = slots_[t];
    if (slot.count >= fewest_dense) {
      slot = {num_rows_++, kDense};
    } else if (slot.count > 0) {
      const uint32_t groups = (slot.count + kGroup - 1) / kGroup;
      slot = {num_groups, groups};
      next_[t] = int64_t{kGroup} * num_groups;
      num_groups += groups;
    }
  }

  const int64_t dense_size = int64_t{num_rows_} * padded;
  dense_.Reserve(dense_size);
  std::fill_n(dense_.data(), dense_size, Weight{0});
  entries_.Reserve(int64_t{kGroup} * num_groups);
  for (int32_t c = 0; c < num_columns; ++c) {
    const int32_t d = columns[c];
    Weight* chunk_rows =
        dense_.data() + int64_t{c / chunk_} * num_rows_ * chunk_ + c % chunk_;
    for (int64_t e = rows.offsets[d]; e < rows.offsets[d + 1]; ++e) {
      const int32_t t = rows.terms[e];
      const Slot slot = slots_[t];
      if (slot.count == kDense) {
        chunk_rows[int64_t{slot.begin} * chunk_] = weights[e];
      } else {
        Entry& entry = entries_.data()[next_[t]++];
        entry.column = static_cast<uint16_t>(c);
        entry.weight = weights[e];
      }
    }
  }
  // The padding adds zero to places of its own behind the columns; different
  // ones, or each addition would wait for the one before.
  for (int32_t t = 0; t < rows.num_terms; ++t) {
    const Slot slot = slots_[t];
    if (slot.count == 0 || slot.count == kDense) continue;
    const int64_t end = int64_t{kGroup} * (slot.begin + slot.count);
    for (int64_t e = next_[t]; e < end; ++e) {
      Entry& entry = entries_.data()[e];
      entry.column = static_cast<uint16_t>(padded + (end - e));
      entry.weight = 0;
    }
  }

  thresholds_.Reserve(padded);
  for (int c = 0; c < padded; ++c) {
    thresholds_.data()[c] =
        Threshold(rows, columns[std::min(c, num_columns - 1)], Weight{});
  }
  accumulators_.Reserve(padded + 2 * kGroup);
  std::fill_n(accumulators_.data(), padded + 2 * kGroup, Weight{0});
  candidates_.Reserve(padded + 64);
  row_dense_.Reserve(rows.longest_row + 1);
  row_lists_.Reserve(rows.longest_row + 1);
}

template <class Weight>
template <bool kHigh>
void FilterTile<Weight>::AddLists(int num_lists) {
  Weight* accumulators = accumulators_.data();
  for (int l = 0; l < num_lists; ++l) {
    const List list = row_lists_.data()[l];
    const Entry* entry = entries_.data() + int64_t{kGroup} * list.begin;
    for (uint32_t g = 0; g < list.count; ++g, entry += kGroup) {
#pragma GCC unroll 4
      for (int k = 0; k < kGroup; ++k) {
        if constexpr (std::is_same_v<Weight, uint16_t>) {
          const uint32_t product =
              uint32_t{entry[k].weight} * uint32_t{list.weight};
          accumulators[entry[k].column] +=
              static_cast<uint16_t>(kHigh ? product >> 16 : product);
        } else {
          accumulators[entry[k].column] += entry[k].weight * list.weight;
        }
      }
    }
  }
}

template <class Weight>
absl::Span<const uint16_t> FilterTile<Weight>::Candidates(
    const CosineRows& rows, int32_t row, int num_columns, Weight factor) {
  const Weight* weights = RowWeights(rows, Weight{});
  DenseTerm* dense = row_dense_.data();
  List* lists = row_lists_.data();
  int num_dense = 0;
  int num_lists = 0;
  // Both written, one kept: kinds alternate, a branch would be mispredicted.
  for (int64_t e = rows.offsets[row]; e < rows.offsets[row + 1]; ++e) {
    const Slot slot = slots_[rows.terms[e]];
    dense[num_dense] = {slot.begin, BroadcastBits(weights[e])};
    num_dense += slot.count == kDense;
    lists[num_lists] = {slot.begin, slot.count, weights[e]};
    num_lists += slot.count - 1 < kDense - 1;
  }

  const int num_chunks = (num_columns + chunk_ - 1) / chunk_;
  uint16_t* found = candidates_.data();
  int count;
  if constexpr (std::is_same_v<Weight, uint16_t>) {
    (high_ ? kernels_.sum_high : kernels_.sum_low)(dense_.data(), num_rows_,
                                                   num_chunks, dense, num_dense,
                                                   accumulators_.data());
    high_ ? AddLists<true>(num_lists) : AddLists<false>(num_lists);
    count = (high_ ? kernels_.scan_high : kernels_.scan_low)(
        accumulators_.data(), thresholds_.data(), factor, num_chunks, found);
  } else {
    kernels_.sum_float(dense_.data(), num_rows_, num_chunks, dense, num_dense,
                       accumulators_.data());
    AddLists<false>(num_lists);
    count = kernels_.scan_float(accumulators_.data(), thresholds_.data(),
                                factor, num_chunks, found);
  }
  while (count > 0 && found[count - 1] >= num_columns) --count;
  return absl::MakeConstSpan(found, count);
}

template class FilterTile<uint16_t>;
template class FilterTile<float>;

}  // namespace warpclust
