// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/edge_list_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/strings/charconv.h"
#include "absl/strings/str_cat.h"
#include "base/io/text_blocks.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "base/text/utf8.h"

namespace warpclust {
namespace {

// Entries of the graph that a thread formats at a time.
constexpr int64_t kEntriesOfBlock = 1 << 16;

bool IsReadableName(absl::string_view name) {
  return !name.empty() && name[0] != '#' && name[0] != '%' &&
         !HasControlCharacter(name);
}

absl::Status CheckNames(const CsrGraph& graph,
                        absl::Span<const std::string> ids) {
  if (ids.empty()) return absl::OkStatus();
  if (static_cast<int64_t>(ids.size()) != graph.num_vertices()) {
    return absl::InvalidArgumentError(
        absl::StrCat("edge list: expected as many names as vertices, ",
                     graph.num_vertices(), ", found ", ids.size()));
  }
  for (const std::string& id : ids) {
    if (!IsReadableName(id)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "edge list: expected names without control characters that do not "
          "start with # or %, found '",
          id, "'"));
    }
  }
  return absl::OkStatus();
}

// The edges of a vertex with larger ones, where they are written.
struct UpperRow {
  int32_t u;
  absl::Span<const int32_t> neighbors;
  absl::Span<const float> weights;
};

UpperRow UpperRowOf(const CsrGraph& graph, int32_t u) {
  const absl::Span<const int32_t> row = graph.NeighborsOf(u);
  const size_t first =
      std::upper_bound(row.begin(), row.end(), u) - row.begin();
  return {u, row.subspan(first), graph.WeightsOf(u).subspan(first)};
}

// Appends the lines of `row`. format(k, out) writes the weight of its edge k
// and returns the end.
template <class Format>
void AppendRow(const UpperRow& row, absl::Span<const std::string> names,
               Format format, std::string* text) {
  char number[40];
  number[0] = '\t';
  for (size_t k = 0; k < row.neighbors.size(); ++k) {
    text->append(names[row.u]);
    text->push_back('\t');
    text->append(names[row.neighbors[k]]);
    char* const end = format(k, number + 1);
    *end = '\n';
    text->append(number, end + 1 - number);
  }
}

// Rows with weights in double; one per thread.
class ExactRows {
 public:
  absl::Status Append(const UpperRow& row, absl::Span<const std::string> names,
                      ExactWeights exact, int digits, std::string* text) {
    if (row.neighbors.empty()) return absl::OkStatus();
    weights_.resize(row.neighbors.size());
    exact(row.u, row.neighbors, &scratch_, absl::MakeSpan(weights_));
    for (size_t k = 0; k < weights_.size(); ++k) {
      if (static_cast<float>(weights_[k]) == row.weights[k]) continue;
      return absl::FailedPreconditionError(absl::StrCat(
          "edge list: expected a weight that rounds to ", row.weights[k],
          " for the edge of '", names[row.u], "' and '",
          names[row.neighbors[k]], "', as in the graph, found ", weights_[k]));
    }
    AppendRow(
        row, names,
        [&](size_t k, char* out) {
          return internal::FormatExactWeight(weights_[k], digits, out);
        },
        text);
    return absl::OkStatus();
  }

 private:
  std::vector<double> weights_;
  std::vector<double> scratch_;
};

// Writes `value` in [10^-3, 1) with nine digits after its leading zeros,
// rounded half to even as printf does it, and sets `read` to the double next to
// what the text says. Null for other values, and for those that round up to a
// power of ten.
//
// `read` as float is what the text is read as, although it is rounded twice.
// The text is n / 10^p with p <= 11. Numbers halfway between two floats of
// [2^-j / 2, 2^-j) are m / 2^(25 + j) with an odd m. n · 2^(25 + j - p) is even
// and m · 5^p odd, so text and halfway number differ by 1 / (5^p · 2^(25 + j))
// or more, and `read` from the text by 2^-(54 + j) or less, which is smaller.
char* FormatNineDigits(double value, char* out, double* read) {
  if (!(value >= 1e-3 && value < 1.0)) return nullptr;
  // value = mantissa / 2^shift; 128 bits hold mantissa · 10^11 < 2^90.
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  constexpr uint64_t kLeadingBit = uint64_t{1} << 52;
  const uint64_t mantissa = (bits & (kLeadingBit - 1)) | kLeadingBit;
  const int shift = 1075 - static_cast<int>(bits >> 52);
  // The double next to each of these powers of ten is larger than it.
  const int zeros = value >= 0.1 ? 0 : value >= 0.01 ? 1 : 2;
  constexpr uint64_t kScales[] = {1000000000, 10000000000, 100000000000};
  const unsigned __int128 product =
      static_cast<unsigned __int128>(mantissa) * kScales[zeros];
  // shift < 63, so the remainder has 64 bits.
  auto digits = static_cast<uint64_t>(product >> shift);
  const uint64_t rest =
      static_cast<uint64_t>(product) & ((uint64_t{1} << shift) - 1);
  const uint64_t half = uint64_t{1} << (shift - 1);
  digits += rest > half || (rest == half && (digits & 1) != 0);
  if (digits >= 1000000000) return nullptr;
  *read = static_cast<double>(digits) / static_cast<double>(kScales[zeros]);
  *out++ = '0';
  *out++ = '.';
  for (int i = 0; i < zeros; ++i) *out++ = '0';
  for (int i = 8; i >= 0; --i, digits /= 10) {
    out[i] = static_cast<char>('0' + digits % 10);
  }
  char* end = out + 9;
  while (end[-1] == '0') --end;
  return end;
}

// As printf's %.*g.
char* FormatDigits(double value, int digits, char* out) {
  if (value == 1.0) {
    *out = '1';
    return out + 1;
  }
  return std::to_chars(out, out + 32, value, std::chars_format::general, digits)
      .ptr;
}

// The text of a list. append_row(row, names, slot, text) appends the lines of a
// row; a slot is one of WriteTextBlocks.
template <class AppendRowTo>
absl::Status WriteRows(const CsrGraph& graph, absl::Span<const std::string> ids,
                       WriteText write, int num_threads,
                       AppendRowTo append_row) {
  RETURN_IF_ERROR(internal::CheckGraphArrays(graph));
  RETURN_IF_ERROR(CheckNames(graph, ids));
  std::vector<std::string> numbers;
  if (ids.empty()) {
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      numbers.push_back(absl::StrCat(v));
    }
    ids = numbers;
  }

  std::string header;
  for (const std::string& id : ids) {
    absl::StrAppend(&header, "#vertex\t", id, "\n");
    if (header.size() >= (1 << 20)) {
      write(header);
      header.clear();
    }
  }
  write(header);

  const std::vector<int64_t> blocks = RowBlocks(graph.offsets, kEntriesOfBlock);
  return WriteTextBlocks(
      static_cast<int64_t>(blocks.size()) - 1, num_threads,
      [&](int64_t block, int slot, std::string* text) {
        for (int64_t u = blocks[block]; u < blocks[block + 1]; ++u) {
          RETURN_IF_ERROR(append_row(UpperRowOf(graph, static_cast<int32_t>(u)),
                                     ids, slot, text));
        }
        return absl::OkStatus();
      },
      write);
}

// Whether the text [out, end), read as `read`, makes `weight` reach a likely
// threshold that it is below: a decimal of at most four places, and farther
// away than roundings of the weight explain.
bool ReachesThreshold(double weight, const char* out, const char* end,
                      double read) {
  return end - out <= 6 && weight < 1 && read - weight > 1e-13 * read;
}

}  // namespace

namespace internal {

char* FormatWeight(float weight, char* out) {
  double ignored;
  char* const end = FormatNineDigits(weight, out, &ignored);
  return end != nullptr ? end : FormatDigits(weight, 9, out);
}

char* FormatExactWeight(double weight, int digits, char* out) {
  const auto rounded = static_cast<float>(weight);
  if (digits == 9) {
    double read;
    char* const end = FormatNineDigits(weight, out, &read);
    if (end != nullptr && static_cast<float>(read) == rounded &&
        !ReachesThreshold(weight, out, end, read)) {
      return end;
    }
  }
  for (; digits <= 17; ++digits) {
    char* const end = FormatDigits(weight, digits, out);
    float read;
    absl::from_chars(out, end, read);
    double exact;
    absl::from_chars(out, end, exact);
    if (read == rounded && !ReachesThreshold(weight, out, end, exact)) {
      return end;
    }
  }
  // Exactly halfway between two floats, and the text is not: the double before
  // or after it is read as the right one.
  return FormatDigits(std::nextafter(weight, rounded), 17, out);
}

}  // namespace internal

absl::Status WriteEdgeList(const CsrGraph& graph,
                           absl::Span<const std::string> ids, WriteText write,
                           int num_threads) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  return WriteRows(graph, ids, write, num_threads,
                   [](const UpperRow& row, absl::Span<const std::string> names,
                      int /*slot*/, std::string* text) {
                     AppendRow(
                         row, names,
                         [&row](size_t k, char* out) {
                           return internal::FormatWeight(row.weights[k], out);
                         },
                         text);
                     return absl::OkStatus();
                   });
}

absl::Status WriteEdgeList(const CsrGraph& graph,
                           absl::Span<const std::string> ids,
                           ExactWeights exact, WriteText write,
                           const ExactWeightOptions& options) {
  RETURN_IF_ERROR(ValidateNumThreads(options.num_threads));
  if (options.digits < 9 || options.digits > 17) {
    return absl::InvalidArgumentError(
        absl::StrCat("digits: expected 9 to 17, found ", options.digits));
  }
  std::vector<ExactRows> rows(ResolveThreads(options.num_threads));
  return WriteRows(graph, ids, write, options.num_threads,
                   [&](const UpperRow& row, absl::Span<const std::string> names,
                       int slot, std::string* text) {
                     return rows[slot].Append(row, names, exact, options.digits,
                                              text);
                   });
}

}  // namespace warpclust
