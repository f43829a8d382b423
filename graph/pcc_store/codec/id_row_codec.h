// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Id rows as bytes: ascending ids, each as its distance to the one before, less
// one, in 7 bits a byte, lowest first; the highest bit says that more follow
// (LEB128). A row has no header: its length in bytes is kept elsewhere. Any
// bytes that decode are a strictly ascending row.
//
// For rows of neighbors, most of them closer than 128: one byte an id, two for
// most others. Decoded eight at a time with AVX2, in about 0.5 ns an id where
// all take a byte and 1 ns where they take one or two; without AVX2 in 1 and
// 3 ns.
//
// Thread-safety: pure functions. Determinism: one code for each row, and the
// same ids on every machine.

#ifndef WARPCLUST_GRAPH_PCC_STORE_CODEC_ID_ROW_CODEC_H_
#define WARPCLUST_GRAPH_PCC_STORE_CODEC_ID_ROW_CODEC_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {

// Appends `value` in 1 to 10 bytes.
void AppendVarint(uint64_t value, std::string* bytes);

// Takes one from the front of `bytes`. False, with both as they were, if it is
// cut short or beyond 64 bits.
bool ReadVarint(absl::string_view* bytes, uint64_t* value);

// Appends the code of `ids`, which must be strictly ascending and >= 0.
void AppendIdRow(absl::Span<const int32_t> ids, std::string* bytes);

// Writes the ids to `ids`, which must have room for bytes.size() of them, and
// returns their number; -1 if the last code is cut short or an id is >= `limit`
// (`ids` then holds anything). Reads nothing outside of `bytes`.
int64_t DecodeIdRow(absl::string_view bytes, int32_t limit, int32_t* ids);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_CODEC_ID_ROW_CODEC_H_
