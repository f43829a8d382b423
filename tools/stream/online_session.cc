// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_session.h"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "sparse/text/first_words.h"
#include "tools/stream/block_pace.h"
#include "tools/stream/one_ahead.h"

namespace warpclust {
namespace {

constexpr int64_t kSaveAfterBytes = int64_t{1} << 26;

uint32_t Checksum(uint32_t before, absl::string_view bytes) {
  // For a null pointer, crc32_z starts anew.
  if (bytes.empty()) return before;
  return static_cast<uint32_t>(crc32_z(
      before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

template <typename Work>
auto Timed(double* seconds, const char* name, const Work& work) {
  const PhaseTimer timer(seconds, name);
  return work();
}

// Completes the output of the run before with `lines` where it is not the
// output of this run. A file that has changed since that run is left alone.
void CompleteFormerOutput(const OnlineSnapshot& snapshot,
                          absl::string_view lines) {
  if (access(snapshot.output_path.c_str(), W_OK) != 0) return;
  absl::StatusOr<AppendedFile> file = AppendedFile::Open(snapshot.output_path);
  if (!file.ok()) return;
  file->EndWith(snapshot.output_bytes, lines, /*may_cut=*/false).IgnoreError();
}

// What the input says of titles, which it takes; none for vectors.
std::vector<std::string> TitlesOf(DocumentBlock* block) {
  std::vector<std::string> titles = std::move(block->titles);
  titles.resize(block->texts.size());
  for (size_t d = 0; d < titles.size(); ++d) {
    titles[d] = DocumentTitle(titles[d], block->texts[d]);
  }
  return titles;
}

}  // namespace

OnlineSession::OnlineSession(const OnlineSessionOptions& options,
                             OnlinePipeline* pipeline, OnlineStore* store,
                             absl::optional<AppendedFile> file,
                             TextWriter* writer)
    : options_(options),
      pipeline_(pipeline),
      store_(store),
      file_(std::move(file)),
      writer_(writer) {}

absl::Status OnlineSession::Start(
    absl::optional<OnlineSnapshot> snapshot,
    const OnlineSnapshot::Options& deciding_options) {
  const bool fresh = !snapshot.has_value();
  if (!fresh) snapshot_ = *std::move(snapshot);
  snapshot_.options = deciding_options;
  std::string lines;
  RETURN_IF_ERROR(Replay(&lines));
  const bool tracked = snapshot_.output_bytes != OnlineSnapshot::kNoOutput;
  const bool same_input = options_.resume && !fresh;
  if (file_.has_value() && tracked &&
      (same_input || snapshot_.output_path == file_->path())) {
    RETURN_IF_ERROR(CompleteFile(lines));
  } else if (tracked && !lines.empty()) {
    CompleteFormerOutput(snapshot_, lines);
  }
  if (same_input && file_.has_value() == tracked) return absl::OkStatus();
  if (!same_input) {
    snapshot_.input_documents = 0;
    snapshot_.input_checksum = 0;
    snapshot_.input_skipped_lines = 0;
  }
  // The saved positions are not those of this input or output.
  return Save();
}

absl::Status OnlineSession::CompleteFile(absl::string_view lines) {
  // Removed after a run that ended well: a new one begins.
  if (!options_.resume && lines.empty() && file_->size() == 0) {
    return absl::OkStatus();
  }
  const absl::Status status =
      file_->EndWith(snapshot_.output_bytes, lines, options_.resume);
  if (status.code() != absl::StatusCode::kDataLoss || options_.resume) {
    return status;
  }
  return absl::DataLossError(absl::StrCat(
      status.message(),
      "; another program wrote to it, or the state is an older copy; use "
      "another --output, or --resume with the input of the last run, which "
      "cuts the file back"));
}

absl::Status OnlineSession::Replay(std::string* lines) {
  return store_->ForEachBlock([&](const OnlineBlock& block) {
    const absl::Status status = ReplayBlock(block, lines);
    // These were read and decided before: an error says that the store is not
    // what this program wrote.
    if (!absl::IsInvalidArgument(status)) return status;
    return absl::DataLossError(absl::StrCat(
        store_->directory(),
        ": expected documents that continue the saved state, found: ",
        status.message()));
  });
}

absl::Status OnlineSession::ReplayBlock(const OnlineBlock& block,
                                        std::string* lines) {
  const int64_t before = pipeline_->clusterer().num_documents();
  if (block.documents_before != before) {
    return absl::InvalidArgumentError(
        absl::StrCat("a block after ", block.documents_before,
                     " documents, in a state of ", before));
  }
  ASSIGN_OR_RETURN(
      DocumentStream stream,
      DocumentStream::FromString(block.lines, "the state", block.format));
  DocumentStream::Limits limits;
  limits.documents = block.documents;
  limits.fill = true;
  ASSIGN_OR_RETURN(DocumentBlock documents,
                   stream.Read(limits, [] { return false; }));
  if (documents.size() != block.documents) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a block of ", documents.size(), " documents, not ", block.documents));
  }
  const PhaseTimer timer(&seconds_.compute, "compute");
  ASSIGN_OR_RETURN(const OnlinePipeline::Prepared prepared,
                   pipeline_->Prepare(&documents));
  OnlinePipeline::Decided decided;
  const absl::Status status = pipeline_->Decide(prepared, &decided);
  lines->append(OnlinePipeline::Lines(prepared.ids, decided));
  RETURN_IF_ERROR(status);
  CountInput(block.lines, block.documents);
  replayed_ += block.documents;
  return absl::OkStatus();
}

void OnlineSession::CountInput(absl::string_view lines, int64_t documents) {
  snapshot_.input_documents += documents;
  snapshot_.input_checksum = Checksum(snapshot_.input_checksum, lines);
}

absl::Status OnlineSession::Skip(DocumentStream* input,
                                 const std::function<bool()>& stop) {
  const PhaseTimer timer(&seconds_.read, "read");
  // Bad lines before the last document taken were skipped, or it would not have
  // been taken.
  const bool skips_bad_lines = input->skips_bad_lines();
  input->set_skip_bad_lines(true);
  uint32_t checksum = 0;
  while (skipped_ < snapshot_.input_documents) {
    DocumentStream::Limits limits;
    limits.documents =
        std::min(limits.documents, snapshot_.input_documents - skipped_);
    ASSIGN_OR_RETURN(const DocumentBlock block, input->Read(limits, stop));
    if (block.size() == 0) {
      if (stop()) return absl::OkStatus();
      return absl::InvalidArgumentError(
          absl::StrCat("--resume: expected the ", snapshot_.input_documents,
                       " documents that earlier runs took, found ", skipped_,
                       "; without --resume the input is taken as new"));
    }
    skipped_ += block.size();
    checksum = Checksum(checksum, block.lines);
  }
  if (checksum != snapshot_.input_checksum) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--resume: expected the ", snapshot_.input_documents,
        " documents that earlier runs took, found others; without --resume the "
        "input is taken as new"));
  }
  RETURN_IF_ERROR(SkipBadLines(input, stop));
  skipped_lines_before_ = input->skipped().count;
  input->ForgetSkipped();
  input->set_skip_bad_lines(skips_bad_lines);
  return absl::OkStatus();
}

absl::Status OnlineSession::SkipBadLines(DocumentStream* input,
                                         const std::function<bool()>& stop) {
  DocumentStream::Limits limits;
  limits.documents = 1;
  limits.skipped_lines = snapshot_.input_skipped_lines;
  if (input->skipped().count >= limits.skipped_lines) return absl::OkStatus();
  ASSIGN_OR_RETURN(const DocumentBlock block, input->Read(limits, stop));
  if (stop() || input->skipped().count >= limits.skipped_lines) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--resume: expected the ", limits.skipped_lines,
      " bad lines that earlier runs skipped, found ", input->skipped().count,
      "; without --resume the input is taken as new"));
}

absl::Status OnlineSession::Take(DocumentStream* input,
                                 const std::function<bool()>& stop,
                                 const std::function<void()>& taken) {
  if (options_.resume && store_ != nullptr) {
    const absl::Status status = Skip(input, stop);
    skipped_lines_ = input->skipped();
    RETURN_IF_ERROR(status);
  }
  const absl::Status status = TakeBlocks(input, stop, taken);
  const PhaseTimer timer(&seconds_.write, "write");
  const absl::Status written = EndWriting();
  return status.ok() ? written : status;
}

absl::Status OnlineSession::TakeBlocks(DocumentStream* input,
                                       const std::function<bool()>& stop,
                                       const std::function<void()>& taken) {
  DocumentStream::Limits limits = options_.limits;
  if (options_.read_ahead && !limits.fill) {
    // Two or three blocks at a time take no more memory than one did.
    const int64_t blocks = store_ == nullptr ? 4 : 2;
    limits.documents =
        std::max(options_.least_documents, limits.documents / blocks);
    limits.bytes /= blocks;
  }
  BlockPace pace(options_.least_documents, limits.documents);
  std::atomic<int64_t> documents{pace.documents()};
  std::atomic<bool> done{false};
  const auto stops = [&] { return done || write_failed_ || stop(); };
  OneAhead<ReadBlock> read(options_.read_ahead, [&](ReadBlock* next) {
    DocumentStream::Limits next_limits = limits;
    next_limits.documents = documents;
    absl::StatusOr<DocumentBlock> block = input->Read(next_limits, stops);
    next->status = block.status();
    if (block.ok()) next->block = *std::move(block);
    next->documents = next->block.size();
    next->skipped = input->skipped();
    return next->documents > 0;
  });
  OneAhead<ReadBlock> prepared(options_.read_ahead && store_ == nullptr,
                               [&](ReadBlock* next) {
                                 if (!read.Take(next)) return false;
                                 if (options_.describer != nullptr) {
                                   next->titles = TitlesOf(&next->block);
                                 }
                                 absl::StatusOr<OnlinePipeline::Prepared> made =
                                     pipeline_->Prepare(&next->block);
                                 next->status = made.status();
                                 if (made.ok())
                                   next->prepared = *std::move(made);
                                 return next->status.ok();
                               });
  // Before the threads are waited for.
  const absl::Cleanup end = [&] { done = true; };
  while (!stop() && !write_failed_) {
    ReadBlock next;
    Timed(&seconds_.read, "read", [&] { return prepared.Take(&next); });
    skipped_lines_ = next.skipped;
    snapshot_.input_skipped_lines = skipped_lines_before_ + next.skipped.count;
    RETURN_IF_ERROR(next.status);
    const int64_t size = next.documents;
    if (size == 0) break;
    const double before = seconds_.compute;
    RETURN_IF_ERROR(TakeBlock(std::move(next), input->format()));
    pace.Took(size, seconds_.compute - before);
    documents = pace.documents();
    taken();
  }
  return absl::OkStatus();
}

absl::Status OnlineSession::TakeBlock(ReadBlock read, InputFormat format) {
  const int64_t documents = read.documents;
  OnlinePipeline::Prepared& prepared = read.prepared;
  times_in_milliseconds_ += read.block.times_in_milliseconds;
  for (const int64_t time : prepared.times) {
    any_time_ = any_time_ || time != DocumentBlock::kNoTime;
  }
  if (store_ != nullptr) {
    const PhaseTimer timer(&seconds_.write, "write");
    RETURN_IF_ERROR(
        store_->Append({format, pipeline_->clusterer().num_documents(),
                        documents, read.block.lines}));
    CountInput(read.block.lines, documents);
  }
  OnlinePipeline::Decided decided;
  const absl::Status status = Timed(&seconds_.compute, "compute", [&] {
    return pipeline_->Decide(prepared, &decided);
  });
  const PhaseTimer timer(&seconds_.write, "write");
  const std::vector<int32_t>& clusters = decided.clusters;
  if (options_.describer != nullptr) {
    const std::vector<std::string>& titles = read.titles;
    for (size_t d = 0; d < clusters.size(); ++d) {
      options_.describer->Add(
          clusters[d], prepared.times[d], prepared.documents,
          static_cast<int32_t>(d), prepared.ids[d],
          d < titles.size() && !titles[d].empty() ? titles[d]
                                                  : prepared.ids[d]);
    }
  }
  if (options_.members) {
    clusters_.insert(clusters_.end(), clusters.begin(), clusters.end());
    ids_.insert(ids_.end(), prepared.ids.begin(),
                prepared.ids.begin() + static_cast<int64_t>(clusters.size()));
  }
  // Also after an error: of the documents that were decided before it.
  if (options_.lines) {
    RETURN_IF_ERROR(BeginWriting(std::move(prepared.ids), std::move(decided)));
  }
  RETURN_IF_ERROR(status);
  taken_ += documents;
  if (store_ == nullptr) return absl::OkStatus();
  const int64_t limit =
      options_.save_after_bytes > 0
          ? options_.save_after_bytes
          : std::max(kSaveAfterBytes, store_->snapshot_bytes());
  return store_->block_bytes() > limit ? Save() : absl::OkStatus();
}

absl::Status OnlineSession::BeginWriting(std::vector<std::string> ids,
                                         OnlinePipeline::Decided decided) {
  RETURN_IF_ERROR(EndWriting());
  auto write = [this, ids = std::move(ids), decided = std::move(decided)] {
    absl::Status written = Write(OnlinePipeline::Lines(ids, decided));
    if (!written.ok()) write_failed_ = true;
    return written;
  };
  // What is saved with the state is complete.
  if (!options_.read_ahead || store_ != nullptr) return write();
  writing_ = std::async(std::launch::async, std::move(write));
  return absl::OkStatus();
}

absl::Status OnlineSession::EndWriting() {
  return writing_.valid() ? writing_.get() : absl::OkStatus();
}

absl::Status OnlineSession::Write(absl::string_view lines) {
  if (file_.has_value()) return file_->Append(lines);
  writer_->Write(lines);
  writer_->Flush();
  // Close says why it cannot be written.
  return writer_->ok() ? absl::OkStatus() : writer_->Close();
}

absl::Status OnlineSession::Save() {
  snapshot_.output_bytes = OnlineSnapshot::kNoOutput;
  snapshot_.output_path.clear();
  if (file_.has_value()) {
    RETURN_IF_ERROR(file_->Sync());
    snapshot_.output_bytes = file_->size();
    snapshot_.output_path = file_->path();
  }
  RETURN_IF_ERROR(pipeline_->Fill(&snapshot_));
  RETURN_IF_ERROR(store_->Save(snapshot_));
  // Not needed until the next save.
  snapshot_.clusters = OnlineState();
  snapshot_.vocabulary = Vocabulary();
  ++saves_;
  return absl::OkStatus();
}

absl::Status OnlineSession::Finish() {
  if (store_ == nullptr) return absl::OkStatus();
  const PhaseTimer timer(&seconds_.write, "write");
  return Save();
}

}  // namespace warpclust
