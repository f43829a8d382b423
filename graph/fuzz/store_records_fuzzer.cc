// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as what the records of a store are made of: lists of ids, counts,
// numbers and texts, blocks of documents, segments of rows. What is read keeps
// its promises, and is written and read back the same. The first byte chooses.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/pcc_store/codec/document_block_codec.h"
#include "graph/pcc_store/codec/stored_lists.h"
#include "graph/pcc_store/codec/stream_vbyte.h"
#include "graph/pcc_store/pcc_segment.h"
#include "sparse/matrix/document_matrix.h"

namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

// A few limits, so that both sides of one are met.
int32_t LimitOf(absl::string_view* bytes) {
  if (bytes->empty()) return 1;
  const uint8_t choice = static_cast<uint8_t>(bytes->front());
  bytes->remove_prefix(1);
  return choice < 128 ? choice + 1 : INT32_MAX;
}

void ReadIds(absl::string_view bytes) {
  const int32_t limit = LimitOf(&bytes);
  std::vector<int32_t> ids;
  if (!warpclust::ReadIdList(&bytes, limit, &ids)) return;
  int64_t last = -1;
  for (const int32_t id : ids) {
    Require(id > last && id < limit);
    last = id;
  }
  std::string written;
  warpclust::AppendIdList(ids, &written);
  std::vector<int32_t> again;
  absl::string_view rest = written;
  Require(warpclust::ReadIdList(&rest, limit, &again) && rest.empty() &&
          again == ids);
}

void ReadCounts(absl::string_view bytes) {
  std::vector<int64_t> counts;
  while (warpclust::ReadCountList(&bytes, &counts)) {
    Require(std::all_of(counts.begin(), counts.end(),
                        [](int64_t count) { return count >= 0; }));
    std::string written;
    warpclust::AppendCountList(counts, &written);
    absl::string_view rest = written;
    std::vector<int64_t> again;
    Require(warpclust::ReadCountList(&rest, &again) && again == counts &&
            rest.empty());
  }
}

void ReadNumbers(absl::string_view bytes) {
  if (bytes.empty()) return;
  std::vector<uint32_t> numbers(static_cast<uint8_t>(bytes.front()));
  bytes.remove_prefix(1);
  const absl::string_view before = bytes;
  if (!warpclust::ReadStreamVByte(&bytes, absl::MakeSpan(numbers))) {
    Require(bytes == before);
    return;
  }
  std::string written;
  warpclust::AppendStreamVByte(numbers, &written);
  std::vector<uint32_t> again(numbers.size());
  absl::string_view rest = written;
  Require(warpclust::ReadStreamVByte(&rest, absl::MakeSpan(again)) &&
          rest.empty() && again == numbers);
}

void ReadTexts(absl::string_view bytes) {
  std::vector<absl::string_view> texts;
  if (!warpclust::ReadTextList(&bytes, &texts)) return;
  std::string written;
  warpclust::AppendTextList(texts, &written);
  std::vector<absl::string_view> again;
  absl::string_view rest = written;
  Require(warpclust::ReadTextList(&rest, &again) && rest.empty() &&
          again == texts);
}

void ReadDocuments(absl::string_view bytes) {
  const int32_t num_terms = LimitOf(&bytes);
  const auto block = warpclust::DocumentBlockReader::Open(bytes);
  if (!block.ok()) return;
  warpclust::DocumentMatrix documents;
  documents.num_terms = num_terms;
  documents.offsets.assign(block->offsets().begin(), block->offsets().end());
  documents.terms.resize(block->num_entries());
  documents.weights.resize(block->num_entries());
  const absl::Status decoded =
      block->Decode(num_terms, absl::MakeSpan(documents.terms),
                    absl::MakeSpan(documents.weights));
  if (!decoded.ok()) return;
  Require(warpclust::ValidateDocuments(documents).ok());
  Require(std::is_sorted(block->vertices().begin(), block->vertices().end()));
  const std::string written =
      warpclust::EncodeDocumentBlock(block->vertices(), documents, 0);
  const auto again = warpclust::DocumentBlockReader::Open(written);
  Require(again.ok() && again->vertices() == block->vertices() &&
          again->offsets() == block->offsets());
  std::vector<int32_t> terms(documents.terms.size());
  std::vector<float> weights(documents.terms.size());
  Require(
      again->Decode(num_terms, absl::MakeSpan(terms), absl::MakeSpan(weights))
          .ok() &&
      terms == documents.terms && weights == documents.weights);
}

void ReadSegment(absl::string_view bytes) {
  const int32_t num_vertices = LimitOf(&bytes);
  std::atomic<int64_t> bytes_read{0};
  // Trusted, or the checksum would refuse nearly everything.
  const auto segment = warpclust::internal::PccSegment::Open(
      "key", bytes, num_vertices, /*trusted=*/true, &bytes_read);
  if (!segment.ok()) return;
  int64_t last = -1;
  for (const int32_t vertex : segment->vertices()) {
    Require(vertex > last && vertex < num_vertices);
    last = vertex;
    const int64_t place = segment->Find(vertex);
    absl::string_view row;
    Require(place >= 0 && segment->RowAt(place, &row, &bytes_read));
    std::vector<int32_t> ids;
    warpclust::ReadIdListAt(&row, num_vertices, 0, &ids);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  // A copy of its own size, so that a read beyond it is seen.
  const std::vector<char> copy(data + 1, data + size);
  const absl::string_view bytes(copy.data(), copy.size());
  switch (data[0] % 6) {
    case 0:
      ReadIds(bytes);
      break;
    case 1:
      ReadCounts(bytes);
      break;
    case 2:
      ReadNumbers(bytes);
      break;
    case 3:
      ReadTexts(bytes);
      break;
    case 4:
      ReadDocuments(bytes);
      break;
    default:
      ReadSegment(bytes);
      break;
  }
  return 0;
}
