// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TextSink: where a tool's output text goes, so that writers need not know
// whether that is a file, standard output or a string.
//
// Thread-safety: as the implementation says; none here is safe to share.

#ifndef WARPCLUST_TOOLS_CLI_TEXT_SINK_H_
#define WARPCLUST_TOOLS_CLI_TEXT_SINK_H_

#include <string>

#include "absl/strings/string_view.h"
#include "base/io/text_writer.h"

namespace warpclust {

class TextSink {
 public:
  virtual ~TextSink() = default;
  // Takes a copy of `text`. Errors are kept and reported by the owner's last
  // call (TextWriter::Close), so that inner loops stay free of checks.
  virtual void Append(absl::string_view text) = 0;
};

// Collects in memory.
class StringSink : public TextSink {
 public:
  void Append(absl::string_view text) override {
    text_.append(text.data(), text.size());
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Hands on to a TextWriter, which must outlive it.
class TextWriterSink : public TextSink {
 public:
  explicit TextWriterSink(TextWriter* writer) : writer_(writer) {}
  void Append(absl::string_view text) override { writer_->Write(text); }

 private:
  TextWriter* const writer_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_TEXT_SINK_H_
