// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Packed numbers: lists of numbers of 32 bits in 0, 1, 2 or 4 bytes each, for
// records that are read far more often than written.
//
// Two bits a number say how many bytes it takes (0 only for the number 0), four
// numbers to a control byte; the control bytes of a list come first, then the
// bytes of its numbers, least significant first. Four numbers are decoded at a
// time, with a table instead of branches on their sizes: below 1 ns a number,
// and about 0.3 ns where a shuffle of bytes does it
// (base/machine/cpu_features.h). Lists of small differences are what it is good
// for.
//
// The length of a list is not part of it: the caller keeps it elsewhere.
//
// Thread-safety: pure functions. Determinism: the same numbers, the same bytes,
// on machines of either byte order.

#ifndef WARPCLUST_GRAPH_PCC_STORE_CODEC_PACKED_NUMBERS_H_
#define WARPCLUST_GRAPH_PCC_STORE_CODEC_PACKED_NUMBERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {

// Appends `numbers` to `bytes`.
void AppendPackedNumbers(absl::Span<const uint32_t> numbers,
                         std::string* bytes);

// Reads numbers.size() of them from the front of `bytes`, which then begins
// behind them. False, with `bytes` as it was and anything in `numbers`, if they
// are not all there; no byte outside of `bytes` is touched.
bool ReadPackedNumbers(absl::string_view* bytes, absl::Span<uint32_t> numbers);

// A list of texts: their number, their lengths, their bytes.
void AppendPackedTexts(absl::Span<const absl::string_view> texts,
                       std::string* bytes);

// Appends what AppendPackedTexts wrote at the front of `bytes` to `texts`, as
// views into it. False if it is cut short.
bool ReadPackedTexts(absl::string_view* bytes,
                     std::vector<absl::string_view>* texts);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_CODEC_PACKED_NUMBERS_H_
