// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/codec/document_block_codec.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"
#include "base/numbers/little_endian.h"
#include "graph/pcc_store/codec/stream_vbyte.h"

namespace warpclust {
namespace {

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
  const size_t begin = bytes->size();
  bytes->resize(begin + 4 * weights.size());
  for (size_t i = 0; i < weights.size(); ++i) {
    uint32_t bits;
    std::memcpy(&bits, &weights[i], sizeof(bits));
    StoreLittle32(bits, &(*bytes)[begin + 4 * i]);
  }
}

// The head of a block.
void AppendHead(DocumentBlockKind kind, absl::Span<const int32_t> vertices,
                int64_t entries, std::string* bytes) {
  AppendStreamVByte(
      {static_cast<uint32_t>(kind), static_cast<uint32_t>(vertices.size()),
       static_cast<uint32_t>(entries)},
      bytes);
  AppendAscending(vertices, bytes);
}

float ReadFloat(const char* at) {
  const uint32_t bits = LoadLittle32(at);
  float weight;
  std::memcpy(&weight, &bits, sizeof(weight));
  return weight;
}

// Turns numbers, which are counts less one, into counts. Returns all bits that
// occur in them. A count is of no meaning if its number is not below 2^24.
uint32_t ToCounts(absl::Span<const uint32_t> numbers, float* counts) {
  uint32_t bits = 0;
#pragma omp simd reduction(| : bits)
  for (size_t e = 0; e < numbers.size(); ++e) {
    bits |= numbers[e];
    counts[e] = static_cast<float>(static_cast<int32_t>(numbers[e] + 1));
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
  AppendHead(counts ? DocumentBlockKind::kCounts : DocumentBlockKind::kFloats,
             vertices, end - begin, &bytes);

  std::vector<uint32_t> numbers;
  for (int32_t r = first_row; r < first_row + rows; ++r) {
    numbers.push_back(static_cast<uint32_t>(documents.TermsOf(r).size()));
  }
  AppendStreamVByte(numbers, &bytes);
  for (int32_t r = first_row; r < first_row + rows; ++r) {
    AppendAscending(documents.TermsOf(r), &bytes);
  }
  if (!counts) {
    AppendFloats(weights, &bytes);
    return bytes;
  }
  numbers.clear();
  for (float weight : weights) {
    numbers.push_back(static_cast<uint32_t>(weight) - 1);
  }
  AppendStreamVByte(numbers, &bytes);
  return bytes;
}

std::string EncodeDocumentBlock(absl::Span<const int32_t> vertices,
                                const DenseDocuments& documents,
                                int32_t first_row) {
  const absl::Span<const float> values =
      documents
          .Rows(first_row, first_row + static_cast<int32_t>(vertices.size()))
          .values;
  std::string bytes;
  AppendHead(DocumentBlockKind::kDense, vertices,
             static_cast<int64_t>(values.size()), &bytes);
  AppendFloats(values, &bytes);
  return bytes;
}

absl::StatusOr<DocumentBlockReader> DocumentBlockReader::Open(
    absl::string_view bytes) {
  uint32_t head[3];
  if (!ReadStreamVByte(&bytes, head)) return Broken("it has no head");
  const uint32_t rows = head[1];
  DocumentBlockReader reader;
  reader.kind_ = static_cast<DocumentBlockKind>(head[0]);
  const bool dense = reader.is_dense();
  if (head[0] > static_cast<uint32_t>(DocumentBlockKind::kDense) ||
      (dense ? 1 : 2) * MinStreamVByteSize(rows) > bytes.size() ||
      MinStreamVByteSize(head[2]) > bytes.size()) {
    return Broken("its head has impossible counts");
  }
  reader.vertices_.resize(rows);
  std::vector<uint32_t> lengths(rows);
  if (!ReadAscending(&bytes, INT32_MAX, absl::MakeSpan(reader.vertices_)) ||
      (!dense && !ReadStreamVByte(&bytes, absl::MakeSpan(lengths)))) {
    return Broken("its rows are cut short");
  }
  if (dense) {
    if (bytes.size() != 4 * uint64_t{head[2]} || head[2] > INT32_MAX) {
      return Broken("its values are missing");
    }
    lengths.assign(rows, rows == 0 ? 0 : head[2] / rows);
  }
  reader.offsets_.reserve(size_t{rows} + 1);
  int64_t offset = 0;
  for (const uint32_t length : lengths) {
    offset += length;
    if (offset > head[2]) return Broken("its rows do not fit");
    reader.offsets_.push_back(static_cast<int32_t>(offset));
  }
  if (offset != head[2]) return Broken("its rows do not fill it");
  reader.entries_ = bytes;
  return reader;
}

absl::Status DocumentBlockReader::Decode(int32_t num_terms,
                                         absl::Span<int32_t> terms,
                                         absl::Span<float> weights) const {
  if (is_dense()) return Broken("it has dense rows, not term vectors");
  absl::string_view bytes = entries_;
  for (int32_t d = 0; d < num_documents(); ++d) {
    if (!ReadAscending(
            &bytes, num_terms,
            terms.subspan(offsets_[d], offsets_[d + 1] - offsets_[d]))) {
      return Broken("its terms are damaged, or the store does not have them");
    }
  }

  const size_t entries = static_cast<size_t>(num_entries());
  if (!are_counts()) {
    if (bytes.size() != 4 * entries) return Broken("its weights are missing");
    for (size_t e = 0; e < entries; ++e) {
      weights[e] = ReadFloat(bytes.data() + 4 * e);
      if (!(weights[e] > 0 && weights[e] < HUGE_VALF)) {
        return Broken("a weight is not positive and finite");
      }
    }
    return absl::OkStatus();
  }
  const std::unique_ptr<uint32_t[]> numbers(new uint32_t[entries]);
  const absl::Span<uint32_t> counts = absl::MakeSpan(numbers.get(), entries);
  if (!ReadStreamVByte(&bytes, counts) || !bytes.empty()) {
    return Broken("its counts are cut short");
  }
  if (ToCounts(counts, weights.data()) >= uint32_t{1} << 24) {
    return Broken("a count is above 2^24");
  }
  return absl::OkStatus();
}

absl::Status DocumentBlockReader::DecodeRow(int32_t document,
                                            absl::Span<float> values) const {
  const size_t length = offsets_[document + 1] - offsets_[document];
  if (!is_dense() || length != values.size()) {
    return Broken(absl::StrCat("it has ", is_dense() ? "" : "no ",
                               "dense rows, of ", length, " values, not of ",
                               values.size()));
  }
  const char* const bytes = entries_.data() + 4 * int64_t{offsets_[document]};
  bool all_finite = true;
#pragma omp simd reduction(&& : all_finite)
  for (size_t k = 0; k < length; ++k) {
    const uint32_t bits = LoadLittle32(bytes + 4 * k);
    std::memcpy(&values[k], &bits, sizeof(bits));
    all_finite = all_finite && (bits & 0x7f800000) != 0x7f800000;
  }
  return all_finite ? absl::OkStatus() : Broken("a value is not finite");
}

}  // namespace warpclust
