// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/edge_list_writer.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Entries of the graph that a thread formats at a time.
constexpr int64_t kEntriesOfBlock = 1 << 17;

bool IsReadableName(absl::string_view name) {
  return !name.empty() && name[0] != '#' && name[0] != '%' &&
         std::none_of(name.begin(), name.end(), absl::ascii_iscntrl);
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

void AppendRow(const CsrGraph& graph, absl::Span<const std::string> names,
               int32_t u, std::string* text) {
  const absl::Span<const int32_t> row = graph.NeighborsOf(u);
  const absl::Span<const float> weights = graph.WeightsOf(u);
  // Each edge is written at its smaller end.
  size_t i = std::upper_bound(row.begin(), row.end(), u) - row.begin();
  char number[24];
  for (; i < row.size(); ++i) {
    text->append(names[u]);
    text->push_back('\t');
    text->append(names[row[i]]);
    number[0] = '\t';
    char* const end = internal::FormatWeight(weights[i], number + 1);
    *end = '\n';
    text->append(number, end + 1 - number);
  }
}

// The bounds of blocks of rows with about kEntriesOfBlock entries each.
std::vector<int32_t> RowBlocks(const CsrGraph& graph) {
  std::vector<int32_t> blocks = {0};
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    if (graph.offsets[v + 1] - graph.offsets[blocks.back()] >=
        kEntriesOfBlock) {
      blocks.push_back(v + 1);
    }
  }
  if (blocks.back() < graph.num_vertices()) {
    blocks.push_back(graph.num_vertices());
  }
  return blocks;
}

}  // namespace

namespace internal {

char* FormatWeight(float weight, char* out) {
  // Nine digits after the first nonzero one of a value in [10^-3, 1), rounded
  // half to even as printf does it. With weight = mantissa / 2^shift exactly,
  // mantissa · 10^11 < 2^61 holds the product without rounding.
  const double value = weight;
  if (value >= 1e-3 && value < 1.0) {
    uint32_t bits;
    std::memcpy(&bits, &weight, sizeof(bits));
    const uint64_t mantissa = (bits & 0x7fffffu) | 0x800000u;
    const int shift = 150 - static_cast<int>(bits >> 23);
    // No float lies between a power of ten and the double nearest to it.
    const int zeros = value >= 0.1 ? 0 : value >= 0.01 ? 1 : 2;
    constexpr uint64_t kScales[] = {1000000000, 10000000000, 100000000000};
    const uint64_t product = mantissa * kScales[zeros];
    const uint64_t half = uint64_t{1} << (shift - 1);
    uint64_t digits = product >> shift;
    const uint64_t rest = product & ((uint64_t{1} << shift) - 1);
    digits += rest > half || (rest == half && (digits & 1) != 0);
    if (digits < 1000000000) {
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
    // Rounded up to the next power of ten: rare, left to to_chars.
  }
  if (weight == 1.0f) {
    *out = '1';
    return out + 1;
  }
  return std::to_chars(out, out + 16, weight, std::chars_format::general, 9)
      .ptr;
}

}  // namespace internal

absl::Status WriteEdgeList(const CsrGraph& graph,
                           absl::Span<const std::string> ids, WriteText write,
                           int num_threads) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
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

  const int threads = ResolveThreads(num_threads);
  const std::vector<int32_t> blocks = RowBlocks(graph);
  const int64_t num_blocks = static_cast<int64_t>(blocks.size()) - 1;
  std::vector<std::string> texts(threads);
  for (int64_t first = 0; first < num_blocks; first += threads) {
    const int64_t count = std::min<int64_t>(threads, num_blocks - first);
#pragma omp parallel for num_threads(threads) \
    schedule(dynamic, 1) if (count > 1)
    for (int64_t i = 0; i < count; ++i) {
      texts[i].clear();
      for (int32_t u = blocks[first + i]; u < blocks[first + i + 1]; ++u) {
        AppendRow(graph, ids, u, &texts[i]);
      }
    }
    for (int64_t i = 0; i < count; ++i) write(texts[i]);
  }
  return absl::OkStatus();
}

}  // namespace warpclust
