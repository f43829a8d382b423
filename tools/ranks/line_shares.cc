// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/ranks/line_shares.h"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/io/byte_reader.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// What is read at a time to count lines.
constexpr int64_t kChunkBytes = 1 << 18;

// A file, or a part of a plain one.
struct Piece {
  size_t file = 0;
  int64_t begin = 0;  // A byte of the file.
  int64_t end = kWhole;
  // The end of a file that can only be read from its beginning.
  static constexpr int64_t kWhole = -1;
};

// The length of a file whose lines may be read from any byte on; nullopt for
// another one: compressed, with a byte order mark, or no file.
absl::optional<int64_t> PlainBytes(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return absl::nullopt;
  }
  absl::StatusOr<ByteReader> bytes = ByteReader::OpenAt(path, 0);
  if (!bytes.ok()) return absl::nullopt;
  std::array<char, 8> head;
  const absl::StatusOr<int64_t> count =
      ReadUpTo(*bytes, head.data(), head.size());
  if (!count.ok() ||
      StartsWithFileMark(absl::string_view(head.data(), *count))) {
    return absl::nullopt;
  }
  return info.st_size;
}

// The pieces of all files, in order.
std::vector<Piece> CutFiles(const std::vector<std::string>& files,
                            int64_t piece_bytes) {
  std::vector<Piece> pieces;
  for (size_t f = 0; f < files.size(); ++f) {
    const absl::optional<int64_t> length = PlainBytes(files[f]);
    if (!length.has_value()) pieces.push_back({f});
    for (int64_t begin = 0; begin < length.value_or(0); begin += piece_bytes) {
      pieces.push_back({f, begin, std::min(*length, begin + piece_bytes)});
    }
  }
  return pieces;
}

// The number of lines that begin in a piece.
absl::StatusOr<int64_t> CountLines(const std::string& path,
                                   const Piece& piece) {
  if (piece.end == Piece::kWhole) {
    ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
    LineBlock block;
    while (lines.NextBlock(&block)) continue;
    // Damage counts as a line: whoever reads it reports it, unless an earlier
    // line is bad too.
    return lines.line_number();
  }
  // Lines begin with the file and behind line ends.
  int64_t count = piece.begin == 0 ? 1 : 0;
  const int64_t first = std::max<int64_t>(0, piece.begin - 1);
  ASSIGN_OR_RETURN(ByteReader bytes, ByteReader::OpenAt(path, first));
  std::vector<char> chunk(kChunkBytes);
  for (int64_t left = piece.end - 1 - first; left > 0;) {
    const int64_t wanted = std::min(left, kChunkBytes);
    const absl::StatusOr<int64_t> found = ReadUpTo(bytes, chunk.data(), wanted);
    if (!found.ok() || *found < wanted) {
      return absl::UnavailableError(
          absl::StrCat(path, ": expected ", piece.end, " bytes, found fewer"));
    }
    count += std::count(chunk.data(), chunk.data() + wanted, '\n');
    left -= wanted;
  }
  return count;
}

// The same for all pieces, by all ranks together.
absl::StatusOr<std::vector<int64_t>> CountAllLines(
    Communicator& ranks, const std::vector<std::string>& files,
    const std::vector<Piece>& pieces, int num_threads) {
  std::vector<int64_t> counts(pieces.size());
  std::vector<absl::Status> statuses(pieces.size());
  const auto num_pieces = static_cast<int64_t>(pieces.size());
  const int64_t step = ranks.size();
#pragma omp parallel for num_threads(ResolveThreads(num_threads)) \
    schedule(dynamic, 1)
  for (int64_t k = ranks.rank(); k < num_pieces; k += step) {
    const absl::StatusOr<int64_t> count =
        CountLines(files[pieces[k].file], pieces[k]);
    statuses[k] = count.status();
    if (count.ok()) counts[k] = *count;
  }
  absl::Status status;
  for (const absl::Status& of_piece : statuses) status.Update(of_piece);
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

// Where a file may be read from: a byte, and the line that it is in, from 0.
struct Entry {
  int64_t offset = 0;
  int64_t line = 0;
};

using UseBlocks = absl::FunctionRef<absl::Status(absl::Span<LineBlock>)>;

// Uses the lines [begin, end) of a file, reading from `entry` on, up to
// `most_blocks` at a time.
absl::Status UseLines(const std::string& path, const Entry& entry,
                      int64_t begin, int64_t end, int64_t block_bytes,
                      size_t most_blocks, UseBlocks use) {
  absl::StatusOr<LineReader> lines =
      entry.offset == 0
          ? LineReader::Open(path)
          : LineReader::OpenAt(path, entry.offset, entry.line + 1);
  RETURN_IF_ERROR(lines.status());
  lines->SetBlockBytes(block_bytes);
  LineBlock block;
  std::vector<LineBlock> blocks;
  while (lines->line_number() < end && lines->NextBlock(&block)) {
    if (!CutBlock(begin, end, &block)) continue;
    blocks.push_back(std::move(block));
    if (blocks.size() < most_blocks) continue;
    RETURN_IF_ERROR(use(absl::MakeSpan(blocks)));
    blocks.clear();
  }
  // Before an error of what follows them.
  if (!blocks.empty()) RETURN_IF_ERROR(use(absl::MakeSpan(blocks)));
  return lines->status();
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
  return ForOwnBlocks(
      ranks, files, block_bytes, /*num_threads=*/1,
      [&](absl::Span<LineBlock> blocks) { return use(std::move(blocks[0])); });
}

absl::Status ForOwnBlocks(Communicator& ranks,
                          const std::vector<std::string>& files,
                          int64_t block_bytes, int num_threads, UseBlocks use) {
  const std::vector<Piece> pieces = CutFiles(files, 2 * block_bytes);
  ASSIGN_OR_RETURN(const std::vector<int64_t> counts,
                   CountAllLines(ranks, files, pieces, num_threads));
  int64_t total = 0;
  for (const int64_t count : counts) total += count;
  const auto begin_of = [&](int64_t rank) {
    return total / ranks.size() * rank + std::min(rank, total % ranks.size());
  };
  const int64_t begin = begin_of(ranks.rank());
  const int64_t end = begin_of(ranks.rank() + 1);
  absl::Status status;
  int64_t first = 0;  // Of the file.
  for (size_t k = 0; k < pieces.size() && status.ok();) {
    const size_t file = pieces[k].file;
    // The last piece that begins before the own lines.
    Entry entry;
    int64_t num_lines = 0;
    for (; k < pieces.size() && pieces[k].file == file; ++k) {
      if (pieces[k].begin > 0 && first + num_lines <= begin) {
        // The line end before the piece may be the end of its first line.
        entry = {pieces[k].begin - 1, num_lines - 1};
      }
      num_lines += counts[k];
    }
    if (first < end && first + num_lines > begin && begin < end) {
      status = UseLines(files[file], entry, std::max<int64_t>(0, begin - first),
                        std::min(num_lines, end - first), block_bytes,
                        ResolveThreads(num_threads), use);
    }
    first += num_lines;
  }
  return ranks.Agree(status);
}

}  // namespace warpclust
