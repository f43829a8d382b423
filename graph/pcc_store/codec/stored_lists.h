// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Stored lists: lists as the records of a store hold them, length first, in
// StreamVByte (stream_vbyte.h).
//
// Append functions add a list to `bytes`. Read functions take one from the
// front of `bytes` and replace the content of their last argument. They return
// false if the list is damaged; `bytes` is then unchanged, and the last
// argument holds anything. A damaged length takes no more memory than 16 times
// what `bytes` does.

#ifndef WARPCLUST_GRAPH_PCC_STORE_CODEC_STORED_LISTS_H_
#define WARPCLUST_GRAPH_PCC_STORE_CODEC_STORED_LISTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {

void AppendNumberList(absl::Span<const uint32_t> numbers, std::string* bytes);
bool ReadNumberList(absl::string_view* bytes, std::vector<uint32_t>* numbers);

// Numbers in [0, 2^63).
void AppendCountList(absl::Span<const int64_t> counts, std::string* bytes);
bool ReadCountList(absl::string_view* bytes, std::vector<int64_t>* counts);

// Strictly ascending ids in [0, limit).
void AppendIdList(absl::Span<const int32_t> ids, std::string* bytes);
bool ReadIdList(absl::string_view* bytes, int32_t limit,
                std::vector<int32_t>* ids);

// The same list behind the first `size` ids of `*ids`, which grows if necessary
// and is never cleared, so no memory is zeroed per list. Returns its length; -1
// if it is damaged.
int64_t ReadIdListAt(absl::string_view* bytes, int32_t limit, size_t size,
                     std::vector<int32_t>* ids);

// Texts of any bytes; views into `bytes` when read.
void AppendTextList(absl::Span<const absl::string_view> texts,
                    std::string* bytes);
bool ReadTextList(absl::string_view* bytes,
                  std::vector<absl::string_view>* texts);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_CODEC_STORED_LISTS_H_
