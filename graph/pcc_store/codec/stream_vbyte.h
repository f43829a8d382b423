// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StreamVByte: numbers of 32 bits in 0, 1, 2 or 4 bytes each (D. Lemire, N.
// Kurz, C. Rupp, "Stream VByte: Faster byte-oriented integer compression",
// Information Processing Letters 130, 2018; the variant with code lengths 0, 1,
// 2 and 4). Everything that a store keeps in quantity is written so.
//
// Two bits per number, four numbers to a control byte, say how many bytes the
// number takes (0 only for the number 0). The control bytes of a list come
// first, then the bytes of its numbers, least significant byte first. AVX2
// decodes four numbers at a time by a table instead of branches on their sizes.
//
// Ascending ids are written as gaps: each id less the one before, less one.
// Whatever decodes is a strictly ascending list.
//
// The length of a list is not part of its code: the caller keeps it elsewhere,
// or uses the lists of stored_lists.h. Readers read no byte outside of `bytes`.
// Bytes are the same on machines of either byte order.

#ifndef WARPCLUST_GRAPH_PCC_STORE_CODEC_STREAM_VBYTE_H_
#define WARPCLUST_GRAPH_PCC_STORE_CODEC_STREAM_VBYTE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {

// The fewest bytes that a code of `count` numbers takes: check a length against
// it before allocating memory for a length that may be damaged.
inline size_t MinStreamVByteSize(uint64_t count) { return (count + 3) / 4; }

// Appends the code of `numbers`.
void AppendStreamVByte(absl::Span<const uint32_t> numbers, std::string* bytes);

// Takes the code of numbers.size() numbers from the front of `bytes`. False if
// it is cut short; `bytes` is then unchanged, and `numbers` holds anything.
bool ReadStreamVByte(absl::string_view* bytes, absl::Span<uint32_t> numbers);

// The same for the gaps of `ids`, strictly ascending and not negative.
void AppendAscending(absl::Span<const int32_t> ids, std::string* bytes);

// False also if an id is `limit` or more.
bool ReadAscending(absl::string_view* bytes, int32_t limit,
                   absl::Span<int32_t> ids);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_CODEC_STREAM_VBYTE_H_
