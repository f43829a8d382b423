// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_session.h"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "tools/stream/block_pace.h"

namespace warpclust {
namespace {

constexpr int64_t kJournalBytes = int64_t{1} << 26;

uint32_t Checksum(uint32_t before, absl::string_view bytes) {
  // For a null pointer, crc32_z starts anew.
  if (bytes.empty()) return before;
  return static_cast<uint32_t>(crc32_z(
      before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// An error of a journal that could be read: it was not this program's.
absl::Status InJournal(const absl::Status& status) {
  return absl::DataLossError(absl::StrCat(
      "the journal does not go on from the state: ", status.message()));
}

// The output of the run before, which is not that of this one, gets the `lines`
// that a kill kept from it. If it is no longer what it was, it is somebody
// else's, and left alone.
void CompleteFormerOutput(const OnlineSnapshot& snapshot,
                          absl::string_view lines) {
  if (access(snapshot.output_path.c_str(), W_OK) != 0) return;
  absl::StatusOr<AppendedFile> file = AppendedFile::Open(snapshot.output_path);
  if (!file.ok()) return;
  file->EndWith(snapshot.output_bytes, lines, /*may_cut=*/false).IgnoreError();
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
    const std::vector<std::pair<std::string, std::string>>& deciding_options) {
  const bool fresh = !snapshot.has_value();
  if (!fresh) snapshot_ = *std::move(snapshot);
  snapshot_.options = deciding_options;
  std::string lines;
  RETURN_IF_ERROR(Replay(&lines));
  dropped_bytes_ = store_->dropped_bytes();
  const bool tracked = snapshot_.output_bytes != OnlineSnapshot::kNoOutput;
  const bool goes_on = options_.resume && !fresh;
  if (file_.has_value() && tracked &&
      (goes_on || snapshot_.output_path == file_->path())) {
    RETURN_IF_ERROR(OrderFile(lines));
  } else if (tracked && !lines.empty()) {
    CompleteFormerOutput(snapshot_, lines);
  }
  if (goes_on && file_.has_value() == tracked) return absl::OkStatus();
  if (!goes_on) {
    snapshot_.input_documents = 0;
    snapshot_.input_checksum = 0;
  }
  // What the state says of input or output is so no longer.
  return Save();
}

absl::Status OnlineSession::OrderFile(absl::string_view lines) {
  // Taken away after a run that ended well: a new one begins.
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
      ": somebody else wrote to it, or the machine stopped; another --output "
      "leaves it alone, --resume with the input of the run before cuts it "
      "back"));
}

absl::Status OnlineSession::Replay(std::string* lines) {
  OnlineJournal::Record record;
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, store_->Read(&record));
    if (!more) return absl::OkStatus();
    if (record.documents_before != pipeline_->clusterer().num_documents()) {
      return InJournal(absl::DataLossError(absl::StrCat(
          "expected a block after ", pipeline_->clusterer().num_documents(),
          " documents, found one after ", record.documents_before)));
    }
    absl::StatusOr<DocumentStream> stream =
        DocumentStream::FromString(record.lines, "the journal", record.format);
    if (!stream.ok()) return InJournal(stream.status());
    DocumentStream::Limits limits;
    limits.documents = record.documents;
    limits.fill = true;
    absl::StatusOr<DocumentBlock> block =
        stream->Read(limits, [] { return false; });
    if (!block.ok()) return InJournal(block.status());
    if (block->size() != record.documents) {
      return InJournal(absl::DataLossError(
          absl::StrCat("expected a block of ", record.documents,
                       " documents, found ", block->size())));
    }
    const PhaseTimer timer(&seconds_.compute);
    const absl::StatusOr<OnlinePipeline::Prepared> prepared =
        pipeline_->Prepare(&*block);
    if (!prepared.ok()) return InJournal(prepared.status());
    RETURN_IF_ERROR(pipeline_->Decide(*prepared, lines, nullptr));
    CountInput(record.lines, record.documents);
    replayed_ += record.documents;
  }
}

void OnlineSession::CountInput(const std::string& lines, int64_t documents) {
  snapshot_.input_documents += documents;
  snapshot_.input_checksum = Checksum(snapshot_.input_checksum, lines);
}

absl::Status OnlineSession::Skip(DocumentStream* input,
                                 const std::function<bool()>& stop) {
  const PhaseTimer timer(&seconds_.read);
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
                       " documents that were taken in before, found ", skipped_,
                       "; without --resume the input is new documents"));
    }
    skipped_ += block.size();
    checksum = Checksum(checksum, block.lines);
  }
  if (checksum != snapshot_.input_checksum) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--resume: expected the ", snapshot_.input_documents,
        " documents that were taken in before, found others; without --resume "
        "the input is new documents"));
  }
  return absl::OkStatus();
}

absl::Status OnlineSession::Take(DocumentStream* input,
                                 const std::function<bool()>& stop,
                                 const std::function<void()>& taken) {
  if (options_.resume && store_ != nullptr) {
    RETURN_IF_ERROR(Skip(input, stop));
  }
  DocumentStream::Limits limits = options_.limits;
  BlockPace pace(options_.least_documents, limits.documents);
  while (!stop()) {
    absl::StatusOr<DocumentBlock> block;
    {
      const PhaseTimer timer(&seconds_.read);
      limits.documents = pace.documents();
      block = input->Read(limits, stop);
    }
    if (!block.ok()) return block.status();
    if (block->size() == 0) break;
    const int64_t documents = block->size();
    const double before = seconds_.compute;
    RETURN_IF_ERROR(TakeBlock(*std::move(block), input->format()));
    pace.Took(documents, seconds_.compute - before);
    taken();
  }
  return absl::OkStatus();
}

absl::Status OnlineSession::TakeBlock(DocumentBlock block, InputFormat format) {
  const int64_t documents = block.size();
  absl::StatusOr<OnlinePipeline::Prepared> prepared;
  {
    const PhaseTimer timer(&seconds_.read);
    prepared = pipeline_->Prepare(&block);
  }
  if (!prepared.ok()) return prepared.status();
  for (const int64_t time : prepared->times) {
    any_time_ = any_time_ || time != DocumentBlock::kNoTime;
  }
  if (store_ != nullptr) {
    const PhaseTimer timer(&seconds_.write);
    OnlineJournal::Record record;
    record.format = format;
    record.documents_before = pipeline_->clusterer().num_documents();
    record.documents = documents;
    record.lines = std::move(block.lines);
    RETURN_IF_ERROR(store_->Append(record));
    CountInput(record.lines, documents);
  }
  std::string lines;
  absl::Status decided;
  {
    const PhaseTimer timer(&seconds_.compute);
    decided = pipeline_->Decide(*prepared, &lines,
                                options_.members ? &clusters_ : nullptr);
  }
  const PhaseTimer timer(&seconds_.write);
  if (options_.members) {
    for (std::string& id : prepared->ids) ids_.push_back(std::move(id));
    ids_.resize(clusters_.size());
  }
  if (options_.lines) {
    RETURN_IF_ERROR(Write(lines));
  }
  if (!decided.ok()) return decided;
  taken_ += documents;
  if (store_ == nullptr) return absl::OkStatus();
  const int64_t limit = options_.journal_limit > 0
                            ? options_.journal_limit
                            : std::max(kJournalBytes, store_->snapshot_bytes());
  return store_->journal_bytes() > limit ? Save() : absl::OkStatus();
}

absl::Status OnlineSession::Write(absl::string_view lines) {
  if (file_.has_value()) return file_->Append(lines);
  writer_->Write(lines);
  writer_->Flush();
  // What keeps it from being written is said when it is closed.
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
  absl::Status status = pipeline_->Fill(&snapshot_);
  if (!status.ok()) return status;
  status = store_->Save(&snapshot_);
  // Nobody needs them until the next time.
  snapshot_.clusters = OnlineState();
  snapshot_.vocabulary = Vocabulary();
  ++saves_;
  return status;
}

absl::Status OnlineSession::Finish() {
  if (store_ == nullptr) return absl::OkStatus();
  const PhaseTimer timer(&seconds_.write);
  return Save();
}

}  // namespace warpclust
