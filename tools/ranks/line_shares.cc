// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/ranks/line_shares.h"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

absl::StatusOr<int64_t> CountLinesOfFile(const std::string& path) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  LineBlock block;
  while (lines.NextBlock(&block)) continue;
  RETURN_IF_ERROR(lines.status());
  return lines.line_number();
}

// The number of lines of each file, counted by all ranks together.
absl::StatusOr<std::vector<int64_t>> CountAllLines(
    Communicator& ranks, const std::vector<std::string>& files) {
  std::vector<int64_t> counts(files.size());
  absl::Status status;
  for (size_t f = ranks.rank(); f < files.size(); f += ranks.size()) {
    absl::StatusOr<int64_t> count = CountLinesOfFile(files[f]);
    if (!count.ok()) {
      status = count.status();
      break;
    }
    counts[f] = *count;
  }
  RETURN_IF_ERROR(ranks.Agree(status));
  RETURN_IF_ERROR(ranks.AllReduce(Reduction::kSum, absl::MakeSpan(counts)));
  return counts;
}

// Cuts `block` to the lines [begin, end) of its file, numbered from 0; false if
// it has none of them.
bool CutBlock(int64_t begin, int64_t end, LineBlock* block) {
  int64_t line = block->first_line - 1;
  const char* first = block->bytes.data();
  const char* const last = first + block->bytes.size();
  const auto skip = [&](const char* at, int64_t to) {
    for (; line < to && at != last; ++line) {
      at = std::find(at, last, '\n');
      if (at != last) ++at;
    }
    return at;
  };
  first = skip(first, begin);
  block->first_line = line + 1;
  const char* const stop = skip(first, end);
  block->bytes = absl::string_view(first, stop - first);
  return !block->bytes.empty();
}

absl::Status UseLines(const std::string& path, int64_t begin, int64_t end,
                      int64_t block_bytes,
                      absl::FunctionRef<absl::Status(LineBlock)> use) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  lines.SetBlockBytes(block_bytes);
  LineBlock block;
  while (lines.line_number() < end && lines.NextBlock(&block)) {
    if (CutBlock(begin, end, &block)) RETURN_IF_ERROR(use(std::move(block)));
  }
  return lines.status();
}

}  // namespace

bool IsFilePattern(absl::string_view path) {
  struct stat info;
  return path.find_first_of("*?[") != absl::string_view::npos &&
         stat(std::string(path).c_str(), &info) != 0;
}

absl::StatusOr<std::vector<std::string>> FilesOf(absl::string_view path) {
  if (!IsFilePattern(path)) return std::vector<std::string>{std::string(path)};
  glob_t found;
  std::vector<std::string> files;
  if (glob(std::string(path).c_str(), 0, nullptr, &found) == 0) {
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  if (files.empty()) {
    return absl::NotFoundError(absl::StrCat(path, ": no such files"));
  }
  // Not by the locale's rules.
  std::sort(files.begin(), files.end());
  return files;
}

absl::Status ForEachOwnBlock(Communicator& ranks,
                             const std::vector<std::string>& files,
                             int64_t block_bytes,
                             absl::FunctionRef<absl::Status(LineBlock)> use) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> counts,
                   CountAllLines(ranks, files));
  int64_t total = 0;
  for (const int64_t count : counts) total += count;
  const auto begin_of = [&](int64_t rank) {
    return total / ranks.size() * rank + std::min(rank, total % ranks.size());
  };
  const int64_t begin = begin_of(ranks.rank());
  const int64_t end = begin_of(ranks.rank() + 1);
  absl::Status status;
  int64_t first = 0;
  for (size_t f = 0; f < files.size() && status.ok(); ++f) {
    if (first < end && first + counts[f] > begin && begin < end) {
      status = UseLines(files[f], std::max<int64_t>(0, begin - first),
                        std::min(counts[f], end - first), block_bytes, use);
    }
    first += counts[f];
  }
  return ranks.Agree(status);
}

}  // namespace warpclust
