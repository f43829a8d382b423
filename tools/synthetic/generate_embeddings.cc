// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/generate_embeddings.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/io/npy/npy_header.h"
#include "base/machine/threads.h"
#include "sparse/dense/io/dense_json_lines.h"
#include "sparse/dense/random_embeddings.h"

namespace warpclust {
namespace {

static_assert(std::endian::native == std::endian::little,
              "elements are written as they are in memory");

constexpr int64_t kBlock = 256;  // Documents that a thread makes at a time.

// Documents [begin, end).
std::string Block(const RandomEmbeddings& embeddings, bool npy,
                  int32_t dimensions, int64_t begin, int64_t end) {
  std::string text;
  std::vector<float> row(dimensions);
  for (int64_t i = begin; i < end; ++i) {
    embeddings.Fill(i, absl::MakeSpan(row));
    if (npy) {
      text.append(reinterpret_cast<const char*>(row.data()),
                  row.size() * sizeof(float));
      continue;
    }
    AppendDenseJson(absl::StrCat(i), absl::nullopt, row, &text);
    text += '\n';
  }
  return text;
}

}  // namespace

void GenerateEmbeddings(const GenerateEmbeddingsOptions& options,
                        const TextSink& out, const TextSink& truth,
                        int num_threads, const DoneCallback& done) {
  const int64_t n = options.num_documents;
  RandomEmbeddingsOptions random;
  random.dimensions = options.dimensions;
  random.directions = options.directions > 0 ? options.directions
                                             : std::max<int64_t>(1, n / 20);
  random.near_duplicates = options.near_duplicates;
  random.seed = options.seed;
  const RandomEmbeddings embeddings(random);
  if (options.npy) out(NpyStart("<f4", {n, options.dimensions}));
  const int threads = ResolveThreads(num_threads);
  std::vector<std::string> blocks(int64_t{4} * threads);
  const auto num_blocks = static_cast<int64_t>(blocks.size());
  for (int64_t first = 0; first < n; first += num_blocks * kBlock) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t b = 0; b < num_blocks; ++b) {
      const int64_t begin = std::min(n, first + b * kBlock);
      blocks[b] = Block(embeddings, options.npy, options.dimensions, begin,
                        std::min(n, begin + kBlock));
    }
    for (const std::string& block : blocks) out(block);
    if (done != nullptr) done(std::min(n, first + num_blocks * kBlock));
  }
  if (truth == nullptr) return;
  for (int64_t i = 0; i < n; ++i) {
    truth(absl::StrCat(i, "\tdirection", embeddings.DirectionOf(i), "\n"));
  }
}

}  // namespace warpclust
