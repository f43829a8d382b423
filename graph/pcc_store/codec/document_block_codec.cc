// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/codec/document_block_codec.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>

#include "absl/strings/str_cat.h"
#include "base/numbers/little_endian.h"
#include "graph/pcc_store/codec/packed_numbers.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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
    AppendLittle32(bits, bytes);
  }
}

float ReadFloat(const char* at) {
  const uint32_t bits = LoadLittle32(at);
  float weight;
  std::memcpy(&weight, &bits, sizeof(weight));
  return weight;
}

// Differences less one, of a row, become terms. Returns all bits that occur in
// either. If the highest is not among them, no sum has wrapped: each is of two
// numbers below 2^31, and 1, and was found to be below 2^31.
uint32_t AddUpTerms(uint32_t* numbers, int32_t size) {
  uint32_t bits = 0;
  uint32_t term = ~uint32_t{0};
  int32_t e = 0;
#if defined(__SSE2__)
  __m128i all = _mm_setzero_si128();
  __m128i before = _mm_set1_epi32(-1);
  for (; e + 4 <= size; e += 4) {
    __m128i* const at = reinterpret_cast<__m128i*>(numbers + e);
    __m128i sum = _mm_loadu_si128(at);
    all = _mm_or_si128(all, sum);
    sum = _mm_add_epi32(sum, _mm_set1_epi32(1));
    sum = _mm_add_epi32(sum, _mm_slli_si128(sum, 4));
    sum = _mm_add_epi32(sum, _mm_slli_si128(sum, 8));
    sum = _mm_add_epi32(sum, before);
    before = _mm_shuffle_epi32(sum, 0xff);
    all = _mm_or_si128(all, sum);
    _mm_storeu_si128(at, sum);
  }
  all = _mm_or_si128(all, _mm_srli_si128(all, 8));
  all = _mm_or_si128(all, _mm_srli_si128(all, 4));
  bits = static_cast<uint32_t>(_mm_cvtsi128_si32(all));
  term = static_cast<uint32_t>(_mm_cvtsi128_si32(before));
#endif
  for (; e < size; ++e) {
    bits |= numbers[e];
    term += numbers[e] + 1;
    bits |= term;
    numbers[e] = term;
  }
  return bits;
}

// The counts of numbers that are one less. Returns all bits of these.
uint32_t ToCounts(const uint32_t* numbers, int32_t size, float* counts) {
  uint32_t bits = 0;
  int32_t e = 0;
#if defined(__SSE2__)
  __m128i all = _mm_setzero_si128();
  for (; e + 4 <= size; e += 4) {
    const __m128i number =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers + e));
    all = _mm_or_si128(all, number);
    _mm_storeu_ps(counts + e,
                  _mm_cvtepi32_ps(_mm_add_epi32(number, _mm_set1_epi32(1))));
  }
  all = _mm_or_si128(all, _mm_srli_si128(all, 8));
  all = _mm_or_si128(all, _mm_srli_si128(all, 4));
  bits = static_cast<uint32_t>(_mm_cvtsi128_si32(all));
#endif
  for (; e < size; ++e) {
    bits |= numbers[e];
    // Of no meaning if it is not below 2^24, and the block is then refused.
    counts[e] = static_cast<float>(numbers[e] + 1);
  }
  return bits;
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
    const int32_t begin = offsets_[d];
    const int32_t end = offsets_[d + 1];
    const uint32_t bits = AddUpTerms(unpacked + begin, end - begin);
    // Without a wrap they only grow.
    legal &=
        bits < uint32_t{1} << 31 &&
        (end == begin || unpacked[end - 1] < static_cast<uint32_t>(num_terms));
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
  const std::unique_ptr<uint32_t[]> numbers(new uint32_t[entries]);
  if (!ReadPackedNumbers(&bytes, absl::MakeSpan(numbers.get(), entries)) ||
      !bytes.empty()) {
    return Broken("its counts are cut short");
  }
  return ToCounts(numbers.get(), num_entries(), weights) < (1u << 24)
             ? absl::OkStatus()
             : Broken("a count is not a count");
}

}  // namespace warpclust
