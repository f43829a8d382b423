// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ExpectSameInBlocks: for tests of readers that parse blocks of lines side by
// side. Compares what `read(lines, num_threads)` returns, result and error as a
// string, with what it returns for one thread, which reads line by line: for
// several block sizes and numbers of threads, with `content` plain, in a file,
// compressed, truncated and damaged.

#ifndef WARPCLUST_BASE_IO_TESTING_READING_IN_BLOCKS_H_
#define WARPCLUST_BASE_IO_TESTING_READING_IN_BLOCKS_H_

#include <cstdint>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <string>

#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "base/io/testing/gzip.h"
#include "base/io/testing/zstd.h"
#include "gtest/gtest.h"

namespace warpclust {

inline void ExpectSameInBlocks(
    const std::string& content,
    const std::function<std::string(LineReader&, int)>& read) {
  const auto compare = [&](const std::function<LineReader()>& open,
                           int64_t block_bytes,
                           std::initializer_list<int> all_threads) {
    // The same blocks for both: they decide how much is inflated at once, and
    // so how much arrives before an error.
    LineReader serially = open();
    serially.SetBlockBytes(block_bytes);
    const std::string expected = read(serially, 1);
    for (const int threads : all_threads) {
      LineReader lines = open();
      lines.SetBlockBytes(block_bytes);
      const std::string found = read(lines, threads);
      ASSERT_TRUE(found == expected)
          << threads << " threads, blocks of " << block_bytes
          << " bytes: expected " << expected.substr(0, 300) << ", found "
          << found.substr(0, 300) << "; input: " << content.substr(0, 1000);
    }
  };
  const auto of_string = [](const std::string& bytes) {
    return [&bytes] { return LineReader::FromString(bytes, "f"); };
  };
  // Threads read parts of a plain file themselves.
  const std::string path = testing::TempDir() + "/in_blocks";
  std::ofstream(path, std::ios::binary) << content;
  const auto of_file = [&path] { return *LineReader::Open(path); };
  for (const int64_t block_bytes : {40, 1000, 1 << 19}) {
    compare(of_string(content), block_bytes, {2, 7, 16});
    compare(of_file, block_bytes, {2, 7, 16});
  }
  for (const std::string& whole : {Gzip(content), Zstd(content)}) {
    std::string damaged = whole;
    damaged[whole.size() * 3 / 4] ^= 16;
    const std::string truncated = whole.substr(0, whole.size() * 3 / 4);
    for (const std::string& bytes : {whole, truncated, damaged}) {
      compare(of_string(bytes), 1000, {3});
    }
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_TESTING_READING_IN_BLOCKS_H_
