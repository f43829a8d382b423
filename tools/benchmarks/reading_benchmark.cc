// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Rates of reading, per format, compression and number of threads:
//
//   reading_benchmark --data=FOLDER_OR_FILES --threads=1,2,16
//
// --data: files named .jsonl.gz (also written as CSV of documents, read with
// all that oclustr does before it computes, as "vectors", and read in blocks as
// online_cluster does, as "stream"), .svm.gz, .csv.gz (also written as NPY),
// .txt.gz (signed edge lists) and .edges.gz; of folders, one known collection
// per format. Generated files stand in for formats without data. Every file is
// read plain, gzip'ed and as zstd, from the page cache. "bytes" takes the bytes
// alone, as `zcat | wc -c` does.
//
// bytes_per_second are of the plain file, "compressed" of the file that is
// read, both by wall-clock time. CPU is that of all threads. Freeing what was
// read is not timed: it takes one thread, and tools free it later or never.

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/line_reader.h"
#include "base/io/testing/gzip.h"
#include "base/io/testing/zstd.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "benchmark/benchmark.h"
#include "graph/io/edge_list_reader.h"
#include "graph/io/signed_edge_list.h"
#include "sparse/io/json_lines.h"
#include "sparse/io/svmlight.h"
#include "sparse/io/text_documents.h"
#include "sparse/text/vectorizer.h"
#include "sparse/weighting/weighting.h"
#include "tools/input/csv_documents.h"
#include "tools/input/input_format.h"
#include "tools/input/stream/document_stream.h"
#include "vptree/io/csv_points.h"
#include "vptree/io/npy_points.h"
#include "vptree/points/point_matrix.h"

ABSL_FLAG(std::vector<std::string>, threads,
          (std::vector<std::string>{"1", "2", "0"}), "thread counts; 0: all");
ABSL_FLAG(int, megabytes, 32, "size of generated files");

namespace warpclust {
namespace {

namespace fs = std::filesystem;

// What was read, of any type.
using Held = absl::StatusOr<std::shared_ptr<void>>;

template <typename T>
Held Hold(absl::StatusOr<T> read) {
  RETURN_IF_ERROR(read.status());
  return std::make_shared<T>(*std::move(read));
}

using Reader = std::function<Held(const std::string& path, int threads)>;

Held ReadBytes(const std::string& path, int) {
  ASSIGN_OR_RETURN(ByteReader bytes, ByteReader::Open(path));
  std::vector<char> buffer(1 << 17);
  for (;;) {
    ASSIGN_OR_RETURN(const int64_t count,
                     bytes.Read(buffer.data(), buffer.size()));
    if (count == 0) return nullptr;
    benchmark::DoNotOptimize(buffer.data());
  }
}

Held ReadJson(const std::string& path, int threads) {
  return Hold(ReadJsonLines(path, {}, nullptr, threads));
}

Held ReadVectors(const std::string& path, int threads) {
  ASSIGN_OR_RETURN(TextDocuments documents,
                   ReadJsonLines(path, {}, nullptr, threads));
  absl::StatusOr<VectorizedTexts> vectors =
      VectorizeAndFree(&documents.texts, {}, nullptr, threads);
  RETURN_IF_ERROR(vectors.status());
  benchmark::DoNotOptimize(DocumentFrequencies(vectors->documents, threads));
  return Hold(std::move(vectors));
}

Held ReadStream(const std::string& path, int threads) {
  ASSIGN_OR_RETURN(
      DocumentStream stream,
      DocumentStream::Open(path, InputFormat::kJsonLines,
                           {.keep_lines = false, .num_threads = threads}));
  for (;;) {
    ASSIGN_OR_RETURN(const DocumentBlock block,
                     stream.Read({.documents = 16384}, [] { return false; }));
    if (block.size() == 0) return nullptr;
  }
}

Held ReadTextsOfCsv(const std::string& path, int threads) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return Hold(ReadCsvDocuments(lines, {}, {}, /*titles=*/false, threads));
}

Held ReadSvm(const std::string& path, int threads) {
  return Hold(ReadSvmLight(path, threads));
}

Held ReadEdges(const std::string& path, int threads) {
  EdgeListOptions options;
  options.num_threads = threads;
  return Hold(ReadEdgeList(path, options));
}

Held ReadSigned(const std::string& path, int threads) {
  SignedEdgeListOptions options;
  options.skip_loops = true;
  options.num_threads = threads;
  return Hold(ReadSignedEdgeList(path, options));
}

Held ReadCsv(const std::string& path, int threads) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  CsvPointsOptions options;
  options.num_threads = threads;
  return Hold(ReadCsvPoints(lines, options));
}

Held ReadNpy(const std::string& path, int threads) {
  return Hold(ReadNpyPoints(path, threads));
}

struct Format {
  absl::string_view suffix;
  // The collection to take of a folder.
  absl::string_view known;
  Reader read;
  // A line with pseudo-random content.
  std::string (*line)(int64_t i, std::mt19937_64& random);
};

std::string JsonLine(int64_t i, std::mt19937_64& random) {
  std::string line = absl::StrCat("{\"id\": \"", i, "\", \"text\": \"");
  for (int w = 0; w < 70; ++w) {
    absl::StrAppend(&line, w == 0 ? "" : " ", "word", random() % 5000);
  }
  return line + "\"}\n";
}

std::string SvmLine(int64_t, std::mt19937_64& random) {
  std::string line = "0";
  int64_t index = 0;
  for (int w = 0; w < 70; ++w) {
    index += 1 + random() % 500;
    absl::StrAppend(&line, " ", index, ":", 1 + random() % 3);
  }
  return line + "\n";
}

std::string CsvLine(int64_t, std::mt19937_64& random) {
  const auto coordinate = [&] {
    return absl::StrCat(random() % 180, ".", 100'000 + random() % 900'000);
  };
  return absl::StrCat(coordinate(), ",", coordinate(), ",", coordinate(), "\n");
}

// Different edges between 100,000 vertices.
std::string EdgeLine(int64_t i, std::mt19937_64& random) {
  const int64_t u = i % 100'000;
  const int64_t v = (u + 1 + i / 100'000) % 100'000;
  return absl::StrCat(u, "\t", v, "\t0.", 1 + random() % 1'000'000, "\n");
}

std::string SignedLine(int64_t i, std::mt19937_64& random) {
  const int64_t u = i % 100'000;
  const int64_t v = (u + 1 + i / 100'000) % 100'000;
  return absl::StrCat(u, "\t", v, random() % 4 == 0 ? "\t-1\n" : "\t1\n");
}

const Format kFormats[] = {
    {".jsonl.gz", "reuters21578.jsonl.gz", ReadJson, JsonLine},
    {".svm.gz", "aclimdb100k_tf.svm.gz", ReadSvm, SvmLine},
    {".csv.gz", "geolife1m.csv.gz", ReadCsv, CsvLine},
    {".txt.gz", "epinions_full.txt.gz", ReadSigned, SignedLine},
    {".edges.gz", "graph.edges.gz", ReadEdges, EdgeLine}};

// A folder for the files, which the end of the program removes.
class Folder {
 public:
  Folder()
      : path_(fs::temp_directory_path() /
              absl::StrCat("reading_benchmark.", getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }

  absl::StatusOr<std::string> Write(const std::string& name,
                                    const std::string& content) const {
    const std::string path = path_ / name;
    std::ofstream file(path, std::ios::binary);
    file << content << std::flush;
    return file.good() ? absl::StatusOr<std::string>(path)
                       : absl::UnavailableError(
                             absl::StrCat(path, ": cannot be written"));
  }

 private:
  fs::path path_;
};

std::string Npy(const PointMatrix& points) {
  std::string header =
      absl::StrCat("{'descr': '<f8', 'fortran_order': False, 'shape': (",
                   points.num_points, ", ", points.num_dimensions, "), }");
  header.resize(117, ' ');
  header += '\n';
  std::string content("\x93NUMPY\x01\x00\x76\x00", 10);
  content += header;
  content.append(reinterpret_cast<const char*>(points.values.data()),
                 points.values.size() * sizeof(double));
  return content;
}

std::string Csv(const TextDocuments& documents) {
  std::string content = "id,text\n";
  for (size_t i = 0; i < documents.texts.size(); ++i) {
    const std::string text =
        absl::StrReplaceAll(documents.texts[i], {{"\"", "\"\""}});
    absl::StrAppend(&content, i, ",\"", text, "\"\n");
  }
  return content;
}

// Registers the reading of `text`, written plain and compressed.
absl::Status Register(const std::string& name, const std::string& text,
                      const Reader& read) {
  static const Folder folder;
  ASSIGN_OR_RETURN(const std::vector<int> thread_counts,
                   ParseThreadCounts(absl::GetFlag(FLAGS_threads)));
  for (const auto& [kind, content] :
       {std::pair("plain", text), std::pair("gzip", Gzip(text, 1)),
        std::pair("zstd", Zstd(text))}) {
    ASSIGN_OR_RETURN(const std::string path,
                     folder.Write(absl::StrCat(name, ".", kind), content));
    const auto add = [&, size = content.size(), text_size = text.size()](
                         const std::string& what, const Reader& reader,
                         int threads) {
      benchmark::RegisterBenchmark(
          what.c_str(),
          [=](benchmark::State& state) {
            for (auto _ : state) {
              Held read = reader(path, threads);
              if (!read.ok()) {
                state.SkipWithError(read.status().ToString().c_str());
                break;
              }
              state.PauseTiming();
              read->reset();
              state.ResumeTiming();
            }
            state.SetBytesProcessed(state.iterations() * text_size);
            state.counters["compressed"] = benchmark::Counter(
                static_cast<double>(size),
                benchmark::Counter::kIsIterationInvariantRate,
                benchmark::Counter::kIs1024);
          })
          ->Unit(benchmark::kMillisecond)
          ->MeasureProcessCPUTime()
          ->UseRealTime();
    };
    add(absl::StrCat(name, "/", kind, "/bytes"), ReadBytes, 1);
    for (const int threads : thread_counts) {
      add(absl::StrCat(name, "/", kind, "/threads:", threads), read, threads);
    }
  }
  return absl::OkStatus();
}

absl::Status RegisterFile(const std::string& name, const std::string& text,
                          const Format& format) {
  RETURN_IF_ERROR(Register(name, text, format.read));
  LineReader lines = LineReader::FromString(text);
  if (format.suffix == ".jsonl.gz") {
    RETURN_IF_ERROR(
        Register(absl::StrCat(name, ".vectors"), text, ReadVectors));
    RETURN_IF_ERROR(Register(absl::StrCat(name, ".stream"), text, ReadStream));
    ASSIGN_OR_RETURN(const TextDocuments documents, ReadJsonLines(lines));
    return Register(absl::StrCat(name, ".csv"), Csv(documents), ReadTextsOfCsv);
  }
  if (format.suffix != ".csv.gz") return absl::OkStatus();
  ASSIGN_OR_RETURN(const PointMatrix points, ReadCsvPoints(lines));
  return Register(absl::StrCat(name, ".npy"), Npy(points), ReadNpy);
}

}  // namespace

absl::Status RegisterBenchmarks() {
  for (const Format& format : kFormats) {
    // Files that --data names come for every suffix.
    std::vector<std::string> files = BenchmarkData(format.known);
    std::erase_if(files, [&](const std::string& path) {
      return !absl::EndsWith(path, format.suffix);
    });
    for (const std::string& path : files) {
      ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path));
      RETURN_IF_ERROR(
          RegisterFile(fs::path(path).stem().string(), text, format));
    }
    if (!files.empty()) continue;
    std::mt19937_64 random(1);
    std::string text;
    const size_t size = static_cast<size_t>(absl::GetFlag(FLAGS_megabytes))
                        << 20;
    for (int64_t i = 0; text.size() < size; ++i) text += format.line(i, random);
    RETURN_IF_ERROR(RegisterFile(
        absl::StrCat("generated",
                     format.suffix.substr(0, format.suffix.size() - 3)),
        text, format));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
