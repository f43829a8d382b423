// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as a file, plain and compressed in two members. The lines are
// those of a naive split, and a truncated stream is never a short result. The
// first two bytes choose where the stream is split and cut.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "base/io/testing/gzip.h"
#include "base/io/testing/zstd.h"

namespace {

std::vector<std::string> NaiveLines(absl::string_view text) {
  absl::string_view rest = text;
  std::vector<std::string> lines;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    std::string line(rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    if (end != rest.npos && !line.empty() && line.back() == '\r') {
      line.pop_back();
    }
    lines.push_back(line);
  }
  if (!lines.empty() && absl::StartsWith(lines[0], "\xEF\xBB\xBF")) {
    lines[0].erase(0, 3);
  }
  return lines;
}

absl::Status Read(std::string bytes, std::vector<std::string>* lines) {
  warpclust::LineReader reader =
      warpclust::LineReader::FromString(std::move(bytes));
  absl::string_view line;
  while (reader.Next(&line)) {
    lines->emplace_back(line);
    if (reader.line_number() != static_cast<int64_t>(lines->size())) {
      std::abort();
    }
  }
  if (reader.Next(&line)) std::abort();
  return reader.status();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const absl::string_view text(reinterpret_cast<const char*>(data + 2),
                               size - 2);
  const std::vector<std::string> expected = NaiveLines(text);
  std::vector<std::string> lines;
  const absl::Status plain = Read(std::string(text), &lines);
  if (absl::StartsWith(text, "\xFF\xFE") ||
      absl::StartsWith(text, "\xFE\xFF")) {
    if (!absl::IsInvalidArgument(plain) || !lines.empty()) std::abort();
    return 0;
  }
  if (warpclust::StartsWithFileMark(text) &&
      !absl::StartsWith(text, "\xEF\xBB\xBF")) {
    // Compressed text may begin with a mark of UTF-16, too.
    if (absl::IsInvalidArgument(plain)
            ? !lines.empty()
            : !plain.ok() && !absl::IsDataLoss(plain)) {
      std::abort();
    }
  } else if (!plain.ok() || lines != expected) {
    std::abort();
  }

  const size_t border = data[0] * text.size() / 255;
  const bool zstd = data[1] % 2 != 0;
  const auto compress = [&](absl::string_view bytes) {
    return zstd ? warpclust::Zstd(bytes) : warpclust::Gzip(bytes);
  };
  const std::string first = compress(text.substr(0, border));
  const std::string second = compress(text.substr(border));
  lines.clear();
  const std::string padding(zstd ? 0 : data[1] % 8, '\0');
  if (!Read(first + second + padding, &lines).ok()) std::abort();
  if (lines != expected) std::abort();

  // Cut inside the second member: what comes before stays, and it is an error.
  lines.clear();
  const size_t kept = 1 + data[1] * (second.size() - 2) / 255;
  const absl::Status cut = Read(first + second.substr(0, kept), &lines);
  if (!absl::IsDataLoss(cut)) std::abort();
  if (lines.size() > expected.size()) std::abort();
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] != expected[i]) std::abort();
  }
  return 0;
}
