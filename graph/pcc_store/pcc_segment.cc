// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/pcc_segment.h"

#include <algorithm>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/crc32c.h"
#include "base/numbers/little_endian.h"
#include "graph/pcc_store/codec/stored_lists.h"
#include "graph/pcc_store/codec/stream_vbyte.h"

namespace warpclust {
namespace internal {
namespace {

constexpr size_t kHeaderBytes = 24;
constexpr size_t kBlockBytes = 4096;
constexpr size_t kMaxBytes = std::numeric_limits<uint32_t>::max();

size_t BlocksOf(size_t row_bytes) {
  return (row_bytes + kBlockBytes - 1) / kBlockBytes;
}

absl::Status Damaged(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("expected a segment of rows, found ", what));
}

}  // namespace

void PccSegmentWriter::Add(int32_t vertex, absl::Span<const int32_t> ids) {
  if (ids.empty()) return;
  const size_t before = rows_.size();
  AppendIdList(ids, &rows_);
  vertices_.push_back(vertex);
  lengths_.push_back(static_cast<uint32_t>(rows_.size() - before));
  num_entries_ += static_cast<int64_t>(ids.size());
}

absl::StatusOr<std::string> PccSegmentWriter::Finish(
    absl::string_view key) const {
  std::string directory;
  AppendAscending(vertices_, &directory);
  AppendStreamVByte(lengths_, &directory);
  const size_t blocks = BlocksOf(rows_.size());
  const size_t size =
      kHeaderBytes + directory.size() + 4 * blocks + rows_.size();
  if (size > kMaxBytes) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "expected rows of a partial connected component below 4 GiB, found ",
        size, " bytes"));
  }
  std::string value;
  value.reserve(size);
  AppendLittle32(0, &value);
  AppendLittle32(static_cast<uint32_t>(vertices_.size()), &value);
  AppendLittle64(static_cast<uint64_t>(num_entries_), &value);
  AppendLittle32(static_cast<uint32_t>(directory.size()), &value);
  AppendLittle32(static_cast<uint32_t>(rows_.size()), &value);
  value += directory;
  const absl::string_view rows = rows_;
  for (size_t block = 0; block < blocks; ++block) {
    AppendLittle32(Crc32c(rows.substr(block * kBlockBytes, kBlockBytes)),
                   &value);
  }
  StoreLittle32(Crc32c(absl::string_view(value).substr(4), Crc32c(key)),
                &value[0]);
  value += rows_;
  return value;
}

absl::StatusOr<PccSegment> PccSegment::Open(absl::string_view key,
                                            absl::string_view value,
                                            int32_t num_vertices, bool trusted,
                                            std::atomic<int64_t>* bytes_read) {
  if (value.size() < kHeaderBytes) return Damaged("a cut header");
  const size_t count = LoadLittle32(value.data() + 4);
  const uint64_t entries = LoadLittle64(value.data() + 8);
  const size_t directory_bytes = LoadLittle32(value.data() + 16);
  const size_t row_bytes = LoadLittle32(value.data() + 20);
  const size_t blocks = BlocksOf(row_bytes);
  const size_t head = kHeaderBytes + directory_bytes + 4 * blocks;
  if (value.size() != head + row_bytes)
    return Damaged("another size than its header says");
  if (!trusted) {
    if (Crc32c(value.substr(4, head - 4), Crc32c(key)) !=
        LoadLittle32(value.data())) {
      return Damaged("a directory without its checksum");
    }
    bytes_read->fetch_add(static_cast<int64_t>(head),
                          std::memory_order_relaxed);
  }
  if (2 * MinStreamVByteSize(count) > directory_bytes ||
      MinStreamVByteSize(entries) > row_bytes) {
    return Damaged("impossible counts");
  }
  PccSegment segment;
  segment.vertices_.resize(count);
  segment.ends_.resize(count);
  absl::string_view directory = value.substr(kHeaderBytes, directory_bytes);
  if (!ReadAscending(&directory, num_vertices,
                     absl::MakeSpan(segment.vertices_)) ||
      !ReadStreamVByte(&directory, absl::MakeSpan(segment.ends_)) ||
      !directory.empty()) {
    return Damaged("a damaged directory");
  }
  uint64_t end = 0;
  for (uint32_t& length_then_end : segment.ends_) {
    end += length_then_end;
    if (end > row_bytes) return Damaged("rows beyond their end");
    length_then_end = static_cast<uint32_t>(end);
  }
  if (end != row_bytes) return Damaged("bytes behind the rows");
  segment.checksums_ = value.substr(kHeaderBytes + directory_bytes, 4 * blocks);
  segment.rows_ = value.substr(head);
  segment.num_entries_ = static_cast<int64_t>(entries);
  if (!trusted) {
    segment.checked_ = std::make_unique<std::atomic<uint8_t>[]>(blocks);
    for (size_t block = 0; block < blocks; ++block) {
      segment.checked_[block].store(0, std::memory_order_relaxed);
    }
  }
  return segment;
}

int64_t PccSegment::Find(int32_t vertex) const {
  const auto at = std::lower_bound(vertices_.begin(), vertices_.end(), vertex);
  if (at == vertices_.end() || *at != vertex) return -1;
  return at - vertices_.begin();
}

bool PccSegment::RowAt(int64_t place, absl::string_view* row,
                       std::atomic<int64_t>* bytes_read) const {
  const size_t begin = place == 0 ? 0 : ends_[place - 1];
  const size_t end = ends_[place];
  *row = rows_.substr(begin, end - begin);
  if (checked_ == nullptr) return true;
  const size_t last = BlocksOf(end);
  for (size_t block = begin / kBlockBytes; block < last; ++block) {
    if (checked_[block].load(std::memory_order_relaxed) != 0) continue;
    const absl::string_view bytes =
        rows_.substr(block * kBlockBytes, kBlockBytes);
    if (Crc32c(bytes) != LoadLittle32(checksums_.data() + 4 * block)) {
      return false;
    }
    if (checked_[block].exchange(1, std::memory_order_relaxed) == 0) {
      bytes_read->fetch_add(static_cast<int64_t>(bytes.size()),
                            std::memory_order_relaxed);
    }
  }
  return true;
}

}  // namespace internal
}  // namespace warpclust
