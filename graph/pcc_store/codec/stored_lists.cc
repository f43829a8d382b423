// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/codec/stored_lists.h"

#include "graph/pcc_store/codec/stream_vbyte.h"

namespace warpclust {
namespace {

void AppendLength(size_t length, std::string* bytes) {
  const uint32_t number = static_cast<uint32_t>(length);
  AppendStreamVByte({&number, 1}, bytes);
}

// False unless that many numbers may follow.
bool ReadLength(absl::string_view* bytes, uint32_t* length) {
  return ReadStreamVByte(bytes, {length, 1}) &&
         MinStreamVByteSize(*length) <= bytes->size();
}

}  // namespace

void AppendNumberList(absl::Span<const uint32_t> numbers, std::string* bytes) {
  AppendLength(numbers.size(), bytes);
  AppendStreamVByte(numbers, bytes);
}

bool ReadNumberList(absl::string_view* bytes, std::vector<uint32_t>* numbers) {
  absl::string_view rest = *bytes;
  uint32_t length = 0;
  if (!ReadLength(&rest, &length)) return false;
  numbers->resize(length);
  if (!ReadStreamVByte(&rest, absl::MakeSpan(*numbers))) return false;
  *bytes = rest;
  return true;
}

void AppendCountList(absl::Span<const int64_t> counts, std::string* bytes) {
  // Both halves of each.
  std::vector<uint32_t> halves;
  halves.reserve(2 * counts.size());
  for (const int64_t count : counts) {
    halves.push_back(static_cast<uint32_t>(count));
    halves.push_back(static_cast<uint32_t>(count >> 32));
  }
  AppendNumberList(halves, bytes);
}

bool ReadCountList(absl::string_view* bytes, std::vector<int64_t>* counts) {
  absl::string_view rest = *bytes;
  std::vector<uint32_t> halves;
  if (!ReadNumberList(&rest, &halves) || halves.size() % 2 != 0) return false;
  counts->clear();
  for (size_t i = 0; i < halves.size(); i += 2) {
    if (halves[i + 1] >> 31 != 0) return false;
    counts->push_back(int64_t{halves[i + 1]} << 32 | halves[i]);
  }
  *bytes = rest;
  return true;
}

void AppendIdList(absl::Span<const int32_t> ids, std::string* bytes) {
  AppendLength(ids.size(), bytes);
  AppendAscending(ids, bytes);
}

bool ReadIdList(absl::string_view* bytes, int32_t limit,
                std::vector<int32_t>* ids) {
  ids->clear();
  return ReadIdListAt(bytes, limit, 0, ids) >= 0;
}

int64_t ReadIdListAt(absl::string_view* bytes, int32_t limit, size_t size,
                     std::vector<int32_t>* ids) {
  absl::string_view rest = *bytes;
  uint32_t length = 0;
  if (!ReadLength(&rest, &length)) return -1;
  if (ids->size() < size + length) ids->resize(size + length);
  if (!ReadAscending(&rest, limit,
                     absl::MakeSpan(*ids).subspan(size, length))) {
    return -1;
  }
  *bytes = rest;
  return length;
}

void AppendTextList(absl::Span<const absl::string_view> texts,
                    std::string* bytes) {
  std::vector<uint32_t> lengths;
  lengths.reserve(texts.size());
  for (const absl::string_view text : texts) {
    lengths.push_back(static_cast<uint32_t>(text.size()));
  }
  AppendNumberList(lengths, bytes);
  for (const absl::string_view text : texts) {
    bytes->append(text.data(), text.size());
  }
}

bool ReadTextList(absl::string_view* bytes,
                  std::vector<absl::string_view>* texts) {
  absl::string_view rest = *bytes;
  std::vector<uint32_t> lengths;
  if (!ReadNumberList(&rest, &lengths)) return false;
  texts->clear();
  texts->reserve(lengths.size());
  for (const uint32_t length : lengths) {
    if (length > rest.size()) return false;
    texts->push_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  *bytes = rest;
  return true;
}

}  // namespace warpclust
