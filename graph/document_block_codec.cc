// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/document_block_codec.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"
#include "graph/packed_numbers.h"

namespace warpclust {
namespace {

// The first number of a block: what its weights are.
enum Kind : uint32_t { kCounts = 0, kFloats = 1 };

// Integers below this are kept as counts; a float holds all of them.
constexpr float kCountLimit = 16777216.0f;

bool AreCounts(absl::Span<const float> weights) {
  for (float weight : weights) {
    if (!(weight < kCountLimit) || weight != std::floor(weight)) return false;
  }
  return true;
}

absl::Status Broken(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("a block of documents is broken: ", what));
}

void AppendFloats(absl::Span<const float> weights, std::string* bytes) {
  for (float weight : weights) {
    uint32_t bits;
    std::memcpy(&bits, &weight, sizeof(bits));
    for (int b = 0; b < 4; ++b) {
      bytes->push_back(static_cast<char>(bits >> (8 * b) & 0xff));
    }
  }
}

float ReadFloat(const char* at) {
  const uint8_t* const byte = reinterpret_cast<const uint8_t*>(at);
  const uint32_t bits = uint32_t{byte[0]} | uint32_t{byte[1]} << 8 |
                        uint32_t{byte[2]} << 16 | uint32_t{byte[3]} << 24;
  float weight;
  std::memcpy(&weight, &bits, sizeof(weight));
  return weight;
}

}  // namespace

std::string EncodeDocumentBlock(absl::Span<const int32_t> vertices,
                                const DocumentMatrix& documents,
                                int32_t first_row) {
  const int32_t rows = static_cast<int32_t>(vertices.size());
  const int64_t begin = documents.offsets[first_row];
  const int64_t end = documents.offsets[first_row + rows];
  const absl::Span<const float> weights =
      absl::MakeConstSpan(documents.weights).subspan(begin, end - begin);
  const bool counts = AreCounts(weights);
  std::string bytes;
  std::vector<uint32_t> numbers = {counts ? kCounts : kFloats,
                                   static_cast<uint32_t>(rows),
                                   static_cast<uint32_t>(end - begin)};
  AppendPackedNumbers(numbers, &bytes);

  numbers.clear();
  int32_t previous = -1;
  for (int32_t vertex : vertices) {
    numbers.push_back(static_cast<uint32_t>(vertex - previous - 1));
    previous = vertex;
  }
  for (int32_t r = first_row; r < first_row + rows; ++r) {
    numbers.push_back(static_cast<uint32_t>(documents.TermsOf(r).size()));
  }
  AppendPackedNumbers(numbers, &bytes);

  numbers.clear();
  for (int32_t r = first_row; r < first_row + rows; ++r) {
    previous = -1;
    for (int32_t term : documents.TermsOf(r)) {
      numbers.push_back(static_cast<uint32_t>(term - previous - 1));
      previous = term;
    }
  }
  AppendPackedNumbers(numbers, &bytes);

  if (!counts) {
    AppendFloats(weights, &bytes);
    return bytes;
  }
  numbers.clear();
  for (float weight : weights) {
    numbers.push_back(static_cast<uint32_t>(weight) - 1);
  }
  AppendPackedNumbers(numbers, &bytes);
  return bytes;
}

absl::StatusOr<DocumentBlockReader> DocumentBlockReader::Open(
    absl::string_view bytes) {
  uint32_t head[3];
  if (!ReadPackedNumbers(&bytes, head)) return Broken("it has no head");
  const uint32_t rows = head[1];
  // A quarter of a byte a number is the least that they take.
  if (head[0] > kFloats || rows / 4 > bytes.size() ||
      head[2] / 4 > bytes.size()) {
    return Broken("its head is not one");
  }
  std::vector<uint32_t> numbers(2 * size_t{rows});
  if (!ReadPackedNumbers(&bytes, absl::MakeSpan(numbers))) {
    return Broken("its rows are cut short");
  }
  DocumentBlockReader reader;
  reader.are_counts_ = head[0] == kCounts;
  reader.vertices_.reserve(rows);
  reader.offsets_.reserve(size_t{rows} + 1);
  int64_t vertex = -1;
  int64_t offset = 0;
  for (uint32_t r = 0; r < rows; ++r) {
    vertex += int64_t{numbers[r]} + 1;
    offset += numbers[rows + r];
    if (vertex > std::numeric_limits<int32_t>::max() || offset > head[2]) {
      return Broken("its rows do not fit");
    }
    reader.vertices_.push_back(static_cast<int32_t>(vertex));
    reader.offsets_.push_back(static_cast<int32_t>(offset));
  }
  if (offset != head[2]) return Broken("its rows do not fill it");
  reader.entries_ = bytes;
  return reader;
}

absl::Status DocumentBlockReader::Decode(int32_t num_terms, int32_t* terms,
                                         float* weights) const {
  const size_t entries = static_cast<size_t>(num_entries());
  absl::string_view bytes = entries_;
  // The differences are unpacked where the terms will be: the two integers of a
  // size may share memory.
  uint32_t* const unpacked = reinterpret_cast<uint32_t*>(terms);
  if (!ReadPackedNumbers(&bytes, absl::MakeSpan(unpacked, entries))) {
    return Broken("its terms are cut short");
  }
  bool legal = true;
  for (int32_t d = 0; d < num_documents(); ++d) {
    int64_t term = -1;
    for (int32_t e = offsets_[d]; e < offsets_[d + 1]; ++e) {
      term += int64_t{unpacked[e]} + 1;
      unpacked[e] = static_cast<uint32_t>(term);
    }
    // It only grows, and no sum of so few numbers of 32 bits overflows.
    legal &= term < num_terms;
  }
  if (!legal) return Broken("it has terms that the store does not have");

  if (!are_counts_) {
    if (bytes.size() != 4 * entries) return Broken("its weights are missing");
    for (size_t e = 0; e < entries; ++e) {
      weights[e] = ReadFloat(bytes.data() + 4 * e);
      legal &= weights[e] > 0 && weights[e] < HUGE_VALF;
    }
    return legal ? absl::OkStatus() : Broken("a weight is not a weight");
  }
  std::vector<uint32_t> counts(entries);
  if (!ReadPackedNumbers(&bytes, absl::MakeSpan(counts)) || !bytes.empty()) {
    return Broken("its counts are cut short");
  }
  uint32_t all_bits = 0;
  for (size_t e = 0; e < entries; ++e) {
    all_bits |= counts[e];
    weights[e] = static_cast<float>(static_cast<int32_t>(counts[e]) + 1);
  }
  return all_bits < (1u << 24) ? absl::OkStatus()
                               : Broken("a count is not a count");
}

}  // namespace warpclust
