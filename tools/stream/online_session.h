// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineSession: an online clustering that can end at any moment and continue.
// It writes documents, decisions and state in an order that no kill can turn
// into a lost or repeated document:
//
//   a block is read and prepared, which finds whatever is wrong with it
//   its lines go to the store, on disk
//   its documents are decided, their lines go to the output
//   now and then, and at the end, the output is synced and the state is saved
//
// The next run decides the blocks since the last save again, with the same
// result. An output that is a file is compared with these decisions and
// completed: it then has exactly the lines of the documents decided. If it has
// more, somebody else wrote to it or the state is older than the output. Only
// --resume cuts it back, because it reads those documents again; otherwise this
// is an error. For an output that is a pipe, the lines of the last block may be
// missing: nobody knows how much of it arrived.
//
// Without a store, all of this is: read, decide, write.
//
// With several threads, the next block is read while one is decided, and
// without a store prepared too, while the one before is written. (With one, the
// saved vocabulary and frequencies must be those of the documents decided, and
// their lines in the output.) A block is still what has arrived
// when the one before is taken, so a document waits for no other.
//
// Thread-safety: one thread at a time.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_SESSION_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_SESSION_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/io/text_writer.h"
#include "eval/describe/stream_descriptions.h"
#include "sparse/io/json_lines.h"
#include "tools/input/stream/document_stream.h"
#include "tools/stream/appended_file.h"
#include "tools/stream/online_pipeline.h"
#include "tools/stream/online_records.h"
#include "tools/stream/online_store.h"

namespace warpclust {

struct OnlineSessionOptions {
  // The most documents and bytes of a block.
  DocumentStream::Limits limits;
  // Blocks do not get smaller than this, however long they take.
  int64_t least_documents = 1;
  // Write lines to the output. Otherwise only `ids` and `clusters` are kept.
  bool lines = true;
  // Keep `ids` and `clusters` of the documents of this run.
  bool members = false;
  // Unless null, takes the documents of this run and outlives the session.
  StreamDescriber* describer = nullptr;
  // The input begins with the documents that earlier runs took from it.
  bool resume = false;
  // Read in other threads while this one decides, and write in another one if
  // no state is kept.
  bool read_ahead = false;
  // The state is saved when the blocks since the last save exceed this; 0: when
  // they exceed 64 MiB and the state itself.
  int64_t save_after_bytes = 0;
};

class OnlineSession {
 public:
  // Seconds of the phases. What is read ahead counts while it is waited for.
  struct Seconds {
    double read = 0;
    double compute = 0;
    double write = 0;
  };

  // `pipeline` and `store` (null: no state is kept) outlive the session. Lines
  // go to `file` if it is given, else to `writer`, which then outlives it too.
  OnlineSession(const OnlineSessionOptions& options, OnlinePipeline* pipeline,
                OnlineStore* store, absl::optional<AppendedFile> file,
                TextWriter* writer);

  // With a store: continues from `snapshot`, which the store had, if anything.
  // Decides its blocks again and completes the output.
  absl::Status Start(absl::optional<OnlineSnapshot> snapshot,
                     const OnlineSnapshot::Options& deciding_options);

  // Takes documents from `input` until it ends or `stop` says so; calls
  // `taken` after each block. At an error, what was taken before it stays.
  // Several threads may call `stop`.
  absl::Status Take(DocumentStream* input, const std::function<bool()>& stop,
                    const std::function<void()>& taken);

  // Saves the state, if there is a store.
  absl::Status Finish();

  // Documents of the input that earlier runs had taken, documents of the store
  // that were decided again, and documents taken in this run.
  int64_t skipped() const { return skipped_; }
  int64_t replayed() const { return replayed_; }
  int64_t taken() const { return taken_; }
  int64_t saves() const { return saves_; }
  // A document came with a time.
  bool any_time() const { return any_time_; }
  // Bad lines before the end of the blocks taken, or before the error.
  const SkippedLines& skipped_lines() const { return skipped_lines_; }
  // Documents whose times are beyond the year 9999, taken for milliseconds.
  int64_t times_in_milliseconds() const { return times_in_milliseconds_; }
  const Seconds& seconds() const { return seconds_; }

  // If OnlineSessionOptions::members.
  const std::vector<std::string>& ids() const { return ids_; }
  const std::vector<int32_t>& clusters() const { return clusters_; }

 private:
  // What was read and prepared, or why not.
  struct ReadBlock {
    absl::Status status;
    int64_t documents = 0;
    DocumentBlock block;
    OnlinePipeline::Prepared prepared;
    // If they are described.
    std::vector<std::string> titles;
    // Of the input so far.
    SkippedLines skipped;
  };

  // Decides the blocks of the store; appends their output to `lines`.
  absl::Status Replay(std::string* lines);
  absl::Status ReplayBlock(const OnlineBlock& block, std::string* lines);
  // Makes the output file end with `lines`.
  absl::Status CompleteFile(absl::string_view lines);
  // Reads past the documents that earlier runs took, and the bad lines that
  // they skipped.
  absl::Status Skip(DocumentStream* input, const std::function<bool()>& stop);
  // Reads past bad lines behind the last of these documents.
  absl::Status SkipBadLines(DocumentStream* input,
                            const std::function<bool()>& stop);
  absl::Status TakeBlocks(DocumentStream* input,
                          const std::function<bool()>& stop,
                          const std::function<void()>& taken);
  absl::Status TakeBlock(ReadBlock read, InputFormat format);
  // Writes the lines of a block, if it may beside the next one. Errors of the
  // block before.
  absl::Status BeginWriting(std::vector<std::string> ids,
                            OnlinePipeline::Decided decided);
  absl::Status EndWriting();
  absl::Status Write(absl::string_view lines);
  absl::Status Save();
  void CountInput(absl::string_view lines, int64_t documents);

  const OnlineSessionOptions options_;
  OnlinePipeline* const pipeline_;
  OnlineStore* const store_;
  absl::optional<AppendedFile> file_;
  TextWriter* const writer_;

  // Options, input and output as they stand; the pipeline fills the rest when
  // it is saved.
  OnlineSnapshot snapshot_;
  int64_t skipped_ = 0;
  // Bad lines that earlier runs skipped in this input.
  int64_t skipped_lines_before_ = 0;
  SkippedLines skipped_lines_;
  int64_t replayed_ = 0;
  int64_t taken_ = 0;
  int64_t saves_ = 0;
  bool any_time_ = false;
  int64_t times_in_milliseconds_ = 0;
  Seconds seconds_;
  std::vector<std::string> ids_;
  std::vector<int32_t> clusters_;
  // Ends the input, of which more may never come.
  std::atomic<bool> write_failed_{false};
  std::future<absl::Status> writing_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_SESSION_H_
