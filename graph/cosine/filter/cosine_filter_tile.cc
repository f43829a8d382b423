// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/filter/cosine_filter_tile.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace warpclust {
namespace {

// List entries come in groups, the last one padded, so that the loop over a
// list has no remainder.
constexpr int kGroup = 4;
// Below this many entries a list is as cheap as a row, whatever the share.
constexpr int64_t kFewestDense = 16;
// Lists fetched ahead of the one that is added.
constexpr size_t kListsAhead = 4;
// Places after the accumulators of a row: whole cache lines, which keep the
// next row aligned, and room for the padding of a list.
constexpr int64_t kPadding = 64;

uint16_t ListKind(int64_t groups) {
  return groups == 1   ? kListOfOne
         : groups == 2 ? kListOfTwo
         : groups == 4 ? kListOfFour
                       : kListOfMore;
}

}  // namespace

template <class Weight>
FilterTile<Weight>::FilterTile(const CosineFilterPlan& plan)
    : plan_(plan),
      kernels_(CosineFilterKernelsFor(plan.simd)),
      loops_(kernels_.loops<Weight>()) {}

template <class Weight>
void FilterTile<Weight>::Build(const CosineRows& rows,
                               absl::Span<const int32_t> columns) {
  const FilterWeights<Weight>& filter = rows.filter<Weight>();
  high_ = !rows.integer_weights;
  const int num_columns = static_cast<int>(columns.size());
  const int chunk = loops_.chunk;
  padded_ = (num_columns + chunk - 1) / chunk * chunk;

  counts_.assign(rows.num_terms, 0);
  for (int32_t d : columns) {
    for (int64_t e = rows.offsets[d]; e < rows.offsets[d + 1]; ++e) {
      ++counts_[rows.terms[e]];
    }
  }
  const double share =
      plan_.dense_share > 0 ? plan_.dense_share : loops_.dense_share;
  const int64_t fewest_dense =
      std::max(kFewestDense, static_cast<int64_t>(share * num_columns));
  slots_.resize(rows.num_terms);
  num_rows_ = 0;
  uint32_t num_groups = 0;
  for (int32_t t = 0; t < rows.num_terms; ++t) {
    if (counts_[t] == 0) {
      slots_[t] = {0, 0, kAbsentTerm};
    } else if (counts_[t] >= fewest_dense) {
      slots_[t] = {num_rows_++, 0, kDenseTerm};
    } else {
      int64_t groups = (counts_[t] + kGroup - 1) / kGroup;
      if (groups == 3) groups = 4;
      slots_[t] = {num_groups, static_cast<uint16_t>(groups), ListKind(groups)};
      // From here on the next free entry.
      counts_[t] = int64_t{kGroup} * num_groups;
      num_groups += groups;
    }
  }

  const int64_t dense_size = int64_t{num_rows_} * padded_;
  dense_.Reserve(dense_size);
  std::fill_n(dense_.data(), dense_size, Weight{0});
  entries_.Reserve(int64_t{kGroup} * num_groups);
  for (int32_t c = 0; c < num_columns; ++c) {
    const int32_t d = columns[c];
    const int64_t chunk_begin =
        int64_t{c / chunk} * num_rows_ * chunk + c % chunk;
    for (int64_t e = rows.offsets[d]; e < rows.offsets[d + 1]; ++e) {
      const int32_t t = rows.terms[e];
      const TermSlot slot = slots_[t];
      if (slot.kind == kDenseTerm) {
        dense_.data()[chunk_begin + int64_t{slot.begin} * chunk] =
            filter.weights[e];
      } else {
        Entry& entry = entries_.data()[counts_[t]++];
        entry.column = static_cast<uint16_t>(c);
        entry.weight = filter.weights[e];
      }
    }
  }
  // The padding adds zero to places after the columns; to different ones, so
  // that no addition waits for the one before.
  for (int32_t t = 0; t < rows.num_terms; ++t) {
    const TermSlot slot = slots_[t];
    if (slot.kind < kListOfOne) continue;
    const int64_t end = int64_t{kGroup} * (slot.begin + slot.groups);
    for (int64_t e = counts_[t]; e < end; ++e) {
      Entry& entry = entries_.data()[e];
      entry.column = static_cast<uint16_t>(padded_ + (end - e - 1));
      entry.weight = 0;
    }
  }

  bounded_ = std::is_same_v<Weight, uint16_t> && !rows.residual_norms.empty();
  thresholds_.Reserve(padded_);
  if (bounded_) residual_norms_.Reserve(padded_);
  for (int c = 0; c < padded_; ++c) {
    const int32_t d = columns[std::min(c, num_columns - 1)];
    thresholds_.data()[c] = filter.thresholds[d];
    if (bounded_) residual_norms_.data()[c] = rows.residual_norms[d];
  }
}

template <class Weight>
void FilterRows<Weight>::SortRow(const CosineRows& rows, int32_t document,
                                 RowTerm<Weight>* (&ends)[kTermKinds]) {
  const int32_t first_rank =
      tile_->bounded_ && rows.ResidualNorm(document) > 0 ? rows.num_bounded : 0;
  const int32_t* ranks = rows.terms.data() + rows.offsets[document];
  const Weight* weights =
      rows.filter<Weight>().weights.data() + rows.offsets[document];
  const int64_t size = rows.RowSize(document);
  const TermSlot* slots = tile_->slots_.data();
  if constexpr (std::is_same_v<Weight, uint16_t>) {
    CosineRowKernelsFor(tile_->plan_.simd)
        .sort_terms(ranks, weights, size, slots, first_rank, ends);
  } else {
    for (int64_t e = 0; e < size; ++e) {
      const TermSlot slot = slots[ranks[e]];
      if (slot.kind == kAbsentTerm || ranks[e] < first_rank) continue;
      *ends[slot.kind]++ = {slot.begin, slot.groups, weights[e]};
    }
  }
}

template <class Weight>
void FilterRows<Weight>::SetRows(const Tile& tile, const CosineRows& rows,
                                 absl::Span<const int32_t> documents,
                                 int columns_needed) {
  tile_ = &tile;
  stride_ = tile.padded_ + kPadding;
  const size_t size = documents.size() * stride_;
  if (accumulators_.capacity() < size) {
    accumulators_.Reserve(size);
    std::fill_n(accumulators_.data(), size, Weight{0});
  }
  candidates_.Reserve(tile.padded_ + 64);
  documents_ = documents;
  int64_t entries = 0;
  for (int32_t d : documents) entries += rows.RowSize(d);
  RowTerm<Weight>* ends[kTermKinds];
  for (int kind = 0; kind < kTermKinds; ++kind) {
    terms_[kind].Reserve(entries + kRowPadding);
    begins_[kind].assign(1, 0);
    ends[kind] = terms_[kind].data();
  }
  for (int32_t d : documents) {
    SortRow(rows, d, ends);
    for (int kind = 0; kind < kTermKinds; ++kind) {
      begins_[kind].push_back(ends[kind] - terms_[kind].data());
    }
  }
  const SumRowsFunction<Weight> sum = tile.loops_.sum[tile.high_];
  const int chunk_size = tile.loops_.chunk;
  const int num_chunks = (columns_needed + chunk_size - 1) / chunk_size;
  for (int chunk = 0; chunk < num_chunks; ++chunk) {
    const Weight* chunk_rows =
        tile.dense_.data() + int64_t{chunk} * tile.num_rows_ * chunk_size;
    for (size_t k = 0; k < documents.size(); ++k) {
      const absl::Span<const RowTerm<Weight>> terms =
          TermsOf(kDenseTerm, static_cast<int>(k));
      sum(chunk_rows, terms.data(), static_cast<int>(terms.size()),
          accumulators_.data() + k * stride_ + chunk * chunk_size);
    }
  }
}

// kGroups 0: the number of groups of each list, up to the first that begins at
// `num_columns` or later.
template <class Weight>
template <int kGroups, bool kHigh>
void FilterRows<Weight>::AddLists(absl::Span<const RowTerm<Weight>> lists,
                                  int num_columns, Weight* accumulators) {
  const typename Tile::Entry* const entries = tile_->entries_.data();
  for (size_t l = 0; l < lists.size(); ++l) {
    const RowTerm<Weight> list = lists[l];
    const size_t ahead = std::min(l + kListsAhead, lists.size() - 1);
    __builtin_prefetch(entries + int64_t{kGroup} * lists[ahead].begin);
    const typename Tile::Entry* entry = entries + int64_t{kGroup} * list.begin;
    const int groups = kGroups > 0 ? kGroups : list.groups;
#pragma GCC unroll 4
    for (int g = 0; g < groups; ++g, entry += kGroup) {
      if (kGroups == 0 && static_cast<int>(entry->column) >= num_columns) break;
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
template <bool kHigh>
void FilterRows<Weight>::AddAllLists(int index, int num_columns,
                                     Weight* accumulators) {
  AddLists<1, kHigh>(TermsOf(kListOfOne, index), num_columns, accumulators);
  AddLists<2, kHigh>(TermsOf(kListOfTwo, index), num_columns, accumulators);
  AddLists<4, kHigh>(TermsOf(kListOfFour, index), num_columns, accumulators);
  AddLists<0, kHigh>(TermsOf(kListOfMore, index), num_columns, accumulators);
}

template <class Weight>
absl::Span<const uint16_t> FilterRows<Weight>::Candidates(
    const CosineRows& rows, int index, int num_columns, Weight factor) {
  const Tile& tile = *tile_;
  Weight* accumulators = accumulators_.data() + index * stride_;
  tile.high_ ? AddAllLists<true>(index, num_columns, accumulators)
             : AddAllLists<false>(index, num_columns, accumulators);
  const int num_chunks =
      (num_columns + tile.loops_.chunk - 1) / tile.loops_.chunk;
  uint16_t* found = candidates_.data();
  int count = 0;
  if constexpr (std::is_same_v<Weight, uint16_t>) {
    if (tile.bounded_) {
      count = tile.kernels_.scan_bounded(
          accumulators, tile.thresholds_.data(), tile.residual_norms_.data(),
          factor, rows.ResidualNorm(documents_[index]), num_chunks, found);
    }
  }
  if (!tile.bounded_) {
    count = tile.loops_.scan[tile.high_](accumulators, tile.thresholds_.data(),
                                         factor, num_chunks, found);
  }
  while (count > 0 && found[count - 1] >= num_columns) --count;
  return absl::MakeConstSpan(found, count);
}

template class FilterTile<uint16_t>;
template class FilterTile<float>;
template class FilterRows<uint16_t>;
template class FilterRows<float>;

}  // namespace warpclust
