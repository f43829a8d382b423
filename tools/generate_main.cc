// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// generate: seeded synthetic data of each kind that the other tools read.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/io/text_writer.h"
#include "base/status/status_macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/synthetic/generate_documents.h"
#include "tools/synthetic/generate_embeddings.h"
#include "tools/synthetic/generate_points.h"
#include "tools/synthetic/generate_signed_graph.h"
#include "tools/synthetic/generate_stream.h"
#include "tools/synthetic/generator.h"

namespace warpclust {
namespace {

struct Options {
  std::string kind = "documents";
  int64_t n = 1000;
  std::string truth;
  // Of several kinds; 0: the default of the kind.
  int32_t clusters = 0;
  int32_t vocabulary_size = 0;
  int32_t terms_per_document = 0;
  int32_t dimensions = 0;
  int64_t edges = 0;
  // The flags of one kind each.
  GenerateDocumentsOptions documents;
  GenerateStreamOptions stream;
  GeneratePointsOptions points;
  GenerateEmbeddingsOptions embeddings;
  GenerateSignedGraphOptions signed_graph;
};

// Refuses flags that have no effect on this kind.
absl::Status CheckFlagsOfKind(const std::string& kind, const FlagSet& flags) {
  constexpr struct {
    absl::string_view flag;
    absl::string_view kinds;
  } kFlags[] = {
      {"clusters", "documents stream points signed"},
      {"truth", "documents stream points embeddings signed"},
      {"vocabulary_size", "documents stream"},
      {"terms_per_document", "documents stream"},
      {"topic_share", "documents"},
      {"hours", "stream"},
      {"burst_hours", "stream"},
      {"dimensions", "points embeddings"},
      {"directions", "embeddings"},
      {"near_duplicates", "embeddings"},
      {"deviation", "points"},
      {"noise", "points signed"},
      {"labels", "points"},
      {"density", "signed"},
      {"negative", "signed"},
      {"edges", "signed"},
  };
  for (const auto& [flag, kinds] : kFlags) {
    if (flags.WasGiven(flag) && !absl::StrContains(kinds, kind)) {
      return UsageError(absl::StrCat("--kind=", kind, " has no --", flag));
    }
  }
  return absl::OkStatus();
}

// Sets an option of several kinds unless its flag says 0.
void SetUnlessZero(int32_t value, int32_t* option) {
  if (value != 0) *option = value;
}

absl::Status WriteData(Options options, const TextSink& truth, ToolRun& run) {
  const TextSink out = run.sink();
  // Documents or points; of a graph, edges.
  int64_t total = options.n;
  const auto done = [&run, &total](int64_t count) {
    run.progress.SetCount(count, total);
  };
  const auto seed = static_cast<uint64_t>(run.options.seed);
  if (options.kind == "documents") {
    GenerateDocumentsOptions& o = options.documents;
    o.num_documents = options.n;
    SetUnlessZero(options.vocabulary_size, &o.vocabulary_size);
    SetUnlessZero(options.terms_per_document, &o.terms_per_document);
    o.num_topics = options.clusters;
    o.seed = seed;
    if (run.options.format == "jsonl") {
      o.format = GenerateDocumentsOptions::Format::kJsonLines;
    }
    RETURN_IF_ERROR(FlagError(o.Validate()));
    return GenerateDocuments(o, out, truth, run.threads, done);
  }
  if (options.kind == "stream") {
    GenerateStreamOptions& o = options.stream;
    o.num_documents = options.n;
    SetUnlessZero(options.vocabulary_size, &o.vocabulary_size);
    SetUnlessZero(options.terms_per_document, &o.words_per_document);
    o.num_stories = options.clusters;
    o.seed = seed;
    GenerateStream(o, out, truth, done);
    return absl::OkStatus();
  }
  if (options.kind == "points") {
    run.report.n_noun = {"point", "points"};
    GeneratePointsOptions& o = options.points;
    o.num_points = options.n;
    SetUnlessZero(options.clusters, &o.num_blobs);
    SetUnlessZero(options.dimensions, &o.dimensions);
    o.seed = seed;
    GeneratePoints(o, out, truth, done);
    return absl::OkStatus();
  }
  if (options.kind == "embeddings") {
    GenerateEmbeddingsOptions& o = options.embeddings;
    o.num_documents = options.n;
    SetUnlessZero(options.dimensions, &o.dimensions);
    o.seed = seed;
    o.npy = run.options.format == "npy" ||
            (run.options.format == "auto" &&
             (absl::EndsWith(run.options.output, ".npy") ||
              absl::EndsWith(run.options.output, ".npy.gz")));
    GenerateEmbeddings(o, out, truth, run.threads, done);
    return absl::OkStatus();
  }
  run.report.n_noun = {"vertex", "vertices"};
  if (options.n > std::numeric_limits<int32_t>::max()) {
    return UsageError("--n: a graph has at most 2147483647 vertices");
  }
  if (options.edges > 0) {
    GenerateLargeSignedGraphOptions large;
    large.num_vertices = static_cast<int32_t>(options.n);
    large.num_edges = total = options.edges;
    large.num_clusters = options.clusters;
    large.negative = options.signed_graph.negative;
    large.noise = options.points.noise;
    large.seed = seed;
    run.report.edges = total;
    GenerateLargeSignedGraph(large, out, truth, done);
    return absl::OkStatus();
  }
  GenerateSignedGraphOptions& o = options.signed_graph;
  o.num_vertices = static_cast<int32_t>(options.n);
  o.seed = seed;
  total = o.num_edges();
  run.report.edges = total;
  GenerateSignedGraph(o, out, done);
  return absl::OkStatus();
}

absl::Status Generate(const Options& options, const FlagSet& flags,
                      ToolRun& run) {
  const std::string& format = run.options.format;
  const absl::string_view formats = options.kind == "documents"
                                        ? "svmlight jsonl"
                                    : options.kind == "stream"     ? "jsonl"
                                    : options.kind == "embeddings" ? "npy jsonl"
                                                                   : "";
  if (format != "auto" && !absl::StrContains(formats, format)) {
    return UsageError(
        absl::StrCat("--kind=", options.kind, " has no --format=", format));
  }
  RETURN_IF_ERROR(CheckFlagsOfKind(options.kind, flags));
  if (options.kind == "signed") {
    if (options.edges > 0 && flags.WasGiven("density")) {
      return UsageError("--edges and --density both say how many edges");
    }
    if (options.edges == 0 || options.clusters == 0) {
      RETURN_IF_ERROR(RefuseFlags(flags, {"truth", "noise"},
                                  "is for --edges with --clusters"));
    }
    if (options.edges == 0) {
      RETURN_IF_ERROR(
          RefuseFlags(flags, {"clusters"}, "of a signed graph needs --edges"));
    }
  }
  std::optional<TextWriter> truth_writer;
  TextSink truth;
  if (!options.truth.empty()) {
    ASSIGN_OR_RETURN(truth_writer, ToolRun::OpenOutput(options.truth));
    truth = [&](absl::string_view text) { truth_writer->Write(text); };
  }
  {
    ToolRun::Timer timer(&run, "compute");
    run.report.n = options.n;
    RETURN_IF_ERROR(WriteData(options, truth, run));
  }
  return truth_writer.has_value() ? truth_writer->Close() : absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "generate",
      .summary = "seeded synthetic data",
      .usage = "[--kind=documents|stream|points|...] [--n=N] [flags]",
      .description =
          "Writes data to try the other tools on: documents with planted "
          "topics and the word frequencies of real text; a dated stream of "
          "short documents about stories that come and go; points in Gaussian "
          "blobs; a random signed graph; or embeddings, unit vectors around "
          "random directions, as NPY (--output=NAME.npy) or JSON Lines. The "
          "same flags give the same bytes "
          "on every machine.",
      .examples = {"generate --n=20000 --truth=topics.tsv | oclustr --input=-",
                   "generate --kind=stream --n=5000 --output=stream.jsonl",
                   "generate --kind=points --n=100000 --clusters=20 "
                   "--output=points.csv",
                   "generate --kind=signed --n=400 --density=0.1 "
                   "--negative=0.5",
                   "generate --kind=signed --n=100000 --edges=1000000 "
                   "--clusters=500",
                   "generate --kind=embeddings --n=10000 --output=vectors.npy"},
  });
  warpclust::Options options;
  warpclust::FlagSet& flags = tool.flags();
  using Range = warpclust::FlagSet::Range;
  constexpr int32_t kMaxInt32 = std::numeric_limits<int32_t>::max();
  flags.Group("Data");
  flags.AddChoice("kind", &options.kind,
                  {"documents", "stream", "points", "signed", "embeddings"},
                  "What to generate.");
  flags.AddInt("n", &options.n, 0, int64_t{1} << 40,
               "Number of documents, points or vertices.");
  flags.AddInt("clusters", &options.clusters, 0, kMaxInt32,
               "Number of topics, stories or blobs; 0 for one per 50 "
               "documents, one per 20 documents of a stream, or 15 blobs. "
               "Signed graphs with --edges: 0 for an R-MAT graph.");
  flags.AddWritePath("truth", &options.truth, "PATH",
                     "Also write the true clusters, as id<TAB>cluster.");
  flags.Group("Documents and streams");
  flags.AddInt("vocabulary_size", &options.vocabulary_size, 0, kMaxInt32,
               "Number of different terms; 0 for 100000, in a stream 20000.");
  flags.AddInt("terms_per_document", &options.terms_per_document, 0, kMaxInt32,
               "Mean number of distinct terms, in a stream of words; 0 for 76, "
               "in a stream 10.");
  flags.AddDecimal("topic_share", &options.documents.topic_share,
                   "Share of a document's terms that come from its topic.",
                   Range::kZeroToOne);
  flags.AddInt("hours", &options.stream.duration_hours, 1, 1000000,
               "Duration of a stream in hours.");
  flags.AddInt("burst_hours", &options.stream.burst_hours, 0, 1000000,
               "Hours from the first document of a story to its last.");
  flags.Group("Points");
  flags.AddInt("dimensions", &options.dimensions, 0, 1000000,
               "Number of coordinates of a point or an embedding; 0 for 2, of "
               "an embedding 384.");
  flags.AddDecimal("deviation", &options.points.deviation,
                   "Standard deviation of a blob; centers are in [0, 1000].",
                   Range::kAtLeastZero);
  flags.AddDecimal("noise", &options.points.noise,
                   "Share of points that are uniform noise; of signed edges, "
                   "share of those that contradict the clusters.",
                   Range::kZeroToOne);
  flags.AddBool("labels", &options.points.labels,
                "Add the blob as a last column.");
  flags.Group("Signed graphs");
  flags.AddDecimal("density", &options.signed_graph.density,
                   "Share of all pairs that are edges.", Range::kZeroToOne);
  flags.AddDecimal("negative", &options.signed_graph.negative,
                   "Share of the edges that are negative; with --edges and "
                   "--clusters, of those between clusters.",
                   Range::kZeroToOne);
  flags.AddInt("edges", &options.edges, 0, int64_t{1} << 40,
               "Instead of --density: number of lines, of a large graph with "
               "planted clusters (--clusters) or skewed degrees (R-MAT).");
  flags.Group("Embeddings");
  flags.AddInt(
      "directions", &options.embeddings.directions, 0, int64_t{1} << 40,
      "Number of directions on the sphere; 0 for one per 20 documents. "
      "Cosines are about 0.8 within one, and 0 between two.");
  flags.AddDecimal("near_duplicates", &options.embeddings.near_duplicates,
                   "Share of documents that nearly repeat an earlier one: a "
                   "cosine above 0.99.",
                   Range::kZeroToOne);
  tool.AddOutputFlags({"auto", "svmlight", "jsonl", "npy"});
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Generate(options, flags, run);
  });
}
