// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/generate_documents.h"

#include <omp.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "tools/synthetic/words.h"

namespace warpclust {
namespace {

constexpr int32_t kVocabularyOffset = 10;
constexpr int32_t kTopicTerms = 300;
constexpr int32_t kTopicOffset = 3;

// A bijection from ranks to term numbers. As in an alphabetical vocabulary, the
// number of a term says nothing about its frequency.
class RankToTerm {
 public:
  explicit RankToTerm(int32_t size) : size_(size) {
    // Near the golden ratio: neighbors in rank end up far apart.
    factor_ = std::max<int64_t>(1, int64_t{size} * 618034 / 1000000);
    while (std::gcd(factor_, int64_t{size}) != 1) ++factor_;
  }
  int32_t operator()(int32_t rank) const {
    return static_cast<int32_t>((rank + int64_t{1}) * factor_ % size_);
  }

 private:
  int64_t size_;
  int64_t factor_;
};

// The vocabulary rank of the `index`-th term of a topic, uniform over all.
int32_t TopicTerm(uint64_t seed, int32_t topic, int32_t index, int32_t size) {
  uint64_t state = seed ^ (static_cast<uint64_t>(topic) << 32) ^
                   static_cast<uint64_t>(index) ^ 0x9D5C3A7F00000000u;
  const uint64_t bits = Random::SplitMix(&state);
  return static_cast<int32_t>((static_cast<unsigned __int128>(bits) * size) >>
                              64);
}

void AppendInt(int64_t value, std::string* text) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  text->append(digits, end - digits);
}

// The distributions of a collection. Makes any of its documents by number.
class DocumentSource {
 public:
  // The buffers of one thread.
  struct Scratch {
    explicit Scratch(int32_t vocabulary_size) : counts(vocabulary_size, 0) {}
    std::vector<int32_t> counts;  // all zero between documents
    std::vector<int32_t> distinct;
    std::vector<int32_t> drawn;
  };

  explicit DocumentSource(const GenerateDocumentsOptions& options)
      : options_(options),
        num_topics_(options.num_topics > 0
                        ? options.num_topics
                        : static_cast<int32_t>(std::clamp<int64_t>(
                              options.num_documents / 50, 1, 1 << 30))),
        vocabulary_(options.vocabulary_size, kVocabularyOffset),
        topic_terms_(std::min(kTopicTerms, options.vocabulary_size),
                     kTopicOffset),
        term_of_(options.vocabulary_size) {}

  // Appends the line of document `d`; returns its topic.
  int32_t AppendDocument(int64_t d, Scratch* scratch, std::string* line) const {
    Random random(options_.seed, static_cast<uint64_t>(d) + 1);
    const auto topic = static_cast<int32_t>(random.Below(num_topics_));
    Draw(topic, &random, scratch);
    if (options_.format == GenerateDocumentsOptions::Format::kSvmlight) {
      std::sort(scratch->distinct.begin(), scratch->distinct.end());
      AppendInt(topic + 1, line);
      for (int32_t term : scratch->distinct) {
        *line += ' ';
        AppendInt(term + 1, line);
        *line += ':';
        AppendInt(scratch->counts[term], line);
      }
      *line += '\n';
    } else {
      absl::StrAppend(line, "{\"id\":\"", d, "\",\"labels\":[\"topic", topic,
                      "\"],\"text\":\"");
      for (size_t i = 0; i < scratch->drawn.size(); ++i) {
        if (i > 0) *line += ' ';
        AppendPseudoWord(scratch->drawn[i], line);
      }
      *line += "\"}\n";
    }
    for (int32_t term : scratch->distinct) scratch->counts[term] = 0;
    scratch->distinct.clear();
    scratch->drawn.clear();
    return topic;
  }

 private:
  void Draw(int32_t topic, Random* random, Scratch* scratch) const {
    const int32_t mean = options_.terms_per_document;
    const int32_t least = std::max(1, mean - mean / 2);
    const auto wanted = static_cast<size_t>(
        least + static_cast<int32_t>(random->Below(2 * (mean - least) + 1)));
    while (scratch->distinct.size() < wanted) {
      const bool of_topic =
          random->Below(options_.topic_share.denominator) <
          static_cast<uint64_t>(options_.topic_share.numerator);
      // A topic may have fewer terms than a document needs: after some misses,
      // terms come from the vocabulary.
      const int32_t rank =
          of_topic && scratch->drawn.size() <= 8 * wanted
              ? TopicTerm(options_.seed, topic, topic_terms_.Sample(random),
                          options_.vocabulary_size)
              : vocabulary_.Sample(random);
      const int32_t term = term_of_(rank);
      if (scratch->counts[term]++ == 0) scratch->distinct.push_back(term);
      scratch->drawn.push_back(term);
    }
  }

  const GenerateDocumentsOptions options_;
  const int32_t num_topics_;
  const ZipfSampler vocabulary_;
  const ZipfSampler topic_terms_;
  const RankToTerm term_of_;
};

}  // namespace

absl::Status GenerateDocumentsOptions::Validate() const {
  if (vocabulary_size / 4 < terms_per_document) {
    return absl::InvalidArgumentError(absl::StrCat(
        "vocabulary_size: expected at least ", int64_t{4} * terms_per_document,
        " terms, for documents of ", terms_per_document,
        " distinct ones, found ", vocabulary_size));
  }
  return absl::OkStatus();
}

absl::Status GenerateDocuments(const GenerateDocumentsOptions& options,
                               const TextSink& documents, const TextSink& truth,
                               int num_threads, const DoneCallback& done) {
  RETURN_IF_ERROR(options.Validate());
  const DocumentSource source(options);
  const int threads = ResolveThreads(num_threads);
  // Blocks of documents are made side by side and written in order; many blocks
  // at a time keep the threads from waiting for each other.
  constexpr int64_t kBlock = 256;
  constexpr int kBlocksPerThread = 16;
  const int64_t wave = kBlock * kBlocksPerThread * threads;
  std::vector<std::string> lines(kBlocksPerThread * threads),
      labels(kBlocksPerThread * threads);
  std::vector<DocumentSource::Scratch> scratch(
      threads, DocumentSource::Scratch(options.vocabulary_size));
  for (int64_t begin = 0; begin < options.num_documents; begin += wave) {
    const auto blocks = static_cast<int>(
        (std::min(wave, options.num_documents - begin) + kBlock - 1) / kBlock);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int b = 0; b < blocks; ++b) {
      lines[b].clear();
      labels[b].clear();
      const int64_t first = begin + b * kBlock;
      const int64_t last = std::min(first + kBlock, options.num_documents);
      for (int64_t d = first; d < last; ++d) {
        const int32_t topic =
            source.AppendDocument(d, &scratch[omp_get_thread_num()], &lines[b]);
        if (truth != nullptr) {
          absl::StrAppend(&labels[b], d, "\ttopic", topic, "\n");
        }
      }
    }
    for (int b = 0; b < blocks; ++b) {
      documents(lines[b]);
      if (truth != nullptr) truth(labels[b]);
    }
    if (done != nullptr) done(std::min(begin + wave, options.num_documents));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
