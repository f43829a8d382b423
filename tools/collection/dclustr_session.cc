// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/collection/dclustr_session.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "algorithms/dclustr/cover/cover_update.h"
#include "base/io/byte_reader.h"
#include "base/status/status_macros.h"
#include "sparse/io/id_lists.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/vocabulary.h"
#include "sparse/weighting/weighting.h"
#include "tools/cli/cli.h"
#include "tools/input/text_flags.h"

namespace warpclust {
namespace {

using Content = StoreReader::Content;

// The properties that the tool keeps in a store.
constexpr absl::string_view kContent = "content";
constexpr absl::string_view kAnalyzer = "analyzer";
constexpr absl::string_view kNextNumber = "next_number";

bool StoreIsThere(const std::string& directory) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::path(directory) / "data.mdb",
                                 error);
}

// Removes a store that was created for a change that failed.
void RemoveStore(const std::string& directory) {
  std::error_code ignored;
  for (const char* name : DClustRCollection::kFiles) {
    std::filesystem::remove(std::filesystem::path(directory) / name, ignored);
  }
  // Only if nothing else is in it.
  std::filesystem::remove(directory, ignored);
}

// A flag that fixes a property of the store: as given, and as stored.
struct FixedFlag {
  absl::string_view name;
  std::string given;
  std::string stored;
};

absl::Status CheckAgreement(const FlagSet& flags,
                            absl::Span<const FixedFlag> fixed) {
  for (const auto& [name, given, stored] : fixed) {
    if (!flags.WasGiven(name) || given == stored) continue;
    return UsageError(absl::StrCat("--", name, ": expected ", stored,
                                   ", with which the store was created, found ",
                                   given));
  }
  return absl::OkStatus();
}

absl::Status CheckReweight(const DClustROptions& options,
                           const DClustRStoreOptions& store) {
  return options.reweight && store.weighting == Weighting::kTf
             ? UsageError(
                   "--reweight: the store was created with tf, which never "
                   "changes")
             : absl::OkStatus();
}

absl::Status CheckStoreFlags(const DClustROptions& options,
                             const FlagSet& flags,
                             const DClustRStoreOptions& stored) {
  return CheckAgreement(
      flags,
      {{"beta", FormatDecimal(options.beta), FormatDecimal(stored.beta)},
       {"weighting", options.weighting,
        std::string(WeightingName(stored.weighting))},
       {"mode", options.mode, std::string(DClustRModeName(stored.mode))}});
}

absl::Status CheckAnalyzerFlags(const TextOptions& text, const FlagSet& flags,
                                const AnalyzerOptions& stored) {
  const auto on = [](bool value) { return value ? "true" : "false"; };
  RETURN_IF_ERROR(CheckAgreement(
      flags, {{"stop_words", on(text.stop_words), on(stored.stop_words)},
              {"stem", on(text.stem), on(!stored.stemmer.empty())}}));
  if (stored.stemmer.empty() && flags.WasGiven("language")) {
    return UsageError("--language: the store was created without a stemmer");
  }
  return CheckAgreement(flags, {{"language", text.language, stored.stemmer}});
}

// The content of the store. `analyzer` is that of the flags.
absl::StatusOr<StoreReader::Knowledge> ReadKnowledge(
    const DClustROptions& options, const FlagSet& flags,
    const AnalyzerOptions& analyzer, DClustRCollection* collection) {
  StoreReader::Knowledge knowledge;
  knowledge.analyzer = analyzer;
  ASSIGN_OR_RETURN(std::string content, collection->Property(kContent));
  if (content.empty()) return knowledge;
  ASSIGN_OR_RETURN(std::string number, collection->Property(kNextNumber));
  for (const Content known :
       {Content::kTexts, Content::kVectors, Content::kEmbeddings}) {
    if (content == StoreReader::ContentName(known)) knowledge.content = known;
  }
  if (knowledge.content == Content::kUnknown ||
      !absl::SimpleAtoi(number, &knowledge.next_number)) {
    return absl::DataLossError(
        absl::StrCat(options.store,
                     ": expected a store that dclustr wrote, found content \"",
                     content, "\", next number \"", number, "\""));
  }
  if (knowledge.content != Content::kTexts) {
    RETURN_IF_ERROR(CheckNoTextFlags(flags, "the store is of"));
  }
  if (knowledge.content == Content::kEmbeddings) {
    RETURN_IF_ERROR(CheckNoTermFlags(flags, "the store is of"));
    ASSIGN_OR_RETURN(const DClustRUpdate present, collection->Describe());
    knowledge.dimensions = present.dimensions;
  }
  if (knowledge.content != Content::kTexts) return knowledge;
  ASSIGN_OR_RETURN(std::string text, collection->Property(kAnalyzer));
  absl::StatusOr<AnalyzerOptions> stored = ParseAnalyzer(text);
  if (!stored.ok()) {
    return absl::DataLossError(
        absl::StrCat(options.store, ": ", stored.status().message()));
  }
  RETURN_IF_ERROR(CheckAnalyzerFlags(options.text, flags, *stored));
  knowledge.analyzer = *std::move(stored);
  // Only new texts need it.
  if (!options.add.empty() || !options.modify.empty()) {
    ASSIGN_OR_RETURN(knowledge.terms, collection->Terms());
  }
  return knowledge;
}

// An error of the library, with the file and the line of its document.
absl::Status NamingFiles(const absl::Status& status,
                         const DClustROptions& options,
                         const DClustRSession::Change& change, bool is_dense) {
  absl::string_view message = status.message();
  if (status.code() != absl::StatusCode::kInvalidArgument) return status;
  const int64_t place = PlaceInBatch(status);
  if (place < 0) {
    if (!absl::ConsumePrefix(&message, "add: ")) return status;
    const bool both = !options.add.empty() && !options.modify.empty();
    return absl::InvalidArgumentError(absl::StrCat(
        options.add, both ? " or " : "", options.modify, ": ", message));
  }
  // Negative for an id to remove.
  int64_t document = place;
  if (absl::ConsumePrefix(&message, "remove: ")) {
    document -= static_cast<int64_t>(change.removed_lines.size());
  } else {
    absl::ConsumePrefix(&message, "add: ");
  }
  const std::string& file = document < 0                     ? options.remove
                            : !options.ids.empty()           ? options.ids
                            : document < change.num_modified ? options.modify
                                                             : options.add;
  const int64_t line =
      document < 0 ? change.removed_lines[place] : change.added.lines[document];
  std::string where;
  if (line > 0) {
    where = absl::StrCat(":", line);
  } else if (is_dense) {
    where = absl::StrCat(
        ": row ",
        document - (document < change.num_modified ? 0 : change.num_modified));
  }
  return absl::InvalidArgumentError(
      absl::StrCat(InputName(file), where, ": ", message));
}

}  // namespace

absl::StatusOr<DClustRSession> DClustRSession::Open(
    const DClustROptions& options, const FlagSet& flags) {
  ASSIGN_OR_RETURN(DClustRStoreOptions created, CreationOptions(options));
  ASSIGN_OR_RETURN(const AnalyzerOptions analyzer, TextAnalyzer(options.text));
  const bool read_only =
      !options.changes_documents() && !options.reweight && !options.compact;
  const bool was_there = StoreIsThere(options.store);
  absl::StatusOr<DClustRCollection> collection =
      DClustRCollection::Open(options.store, read_only);
  // Also if a run was killed while it created the store.
  if (absl::IsNotFound(collection.status())) {
    if (options.add.empty()) {
      return absl::NotFoundError(absl::StrCat(
          options.store,
          ": expected a store, found none; --add=PATH creates one"));
    }
    RETURN_IF_ERROR(FlagError(created.Validate()));
    RETURN_IF_ERROR(CheckReweight(options, created));
    StoreReader::Knowledge knowledge;
    knowledge.analyzer = analyzer;
    DClustRSession session(options, created, absl::nullopt,
                           StoreReader(std::move(knowledge)));
    session.vectors_fit_ = CheckNoTextFlags(flags, "the input is");
    session.embeddings_fit_ = CheckNoTermFlags(flags, "the input is");
    session.is_new_ = !was_there;
    return session;
  }
  if (absl::IsFailedPrecondition(collection.status())) {
    // A store of another version will not become readable later.
    return absl::InvalidArgumentError(collection.status().message());
  }
  if (!collection.ok()) return collection.status();
  const DClustRStoreOptions stored = collection->options();
  RETURN_IF_ERROR(CheckStoreFlags(options, flags, stored));
  ASSIGN_OR_RETURN(StoreReader::Knowledge knowledge,
                   ReadKnowledge(options, flags, analyzer, &*collection));
  RETURN_IF_ERROR(CheckReweight(options, stored));
  if (!read_only) {
    // Left by a killed --compact. Nobody else compacts: this process has the
    // lock.
    std::error_code ignored;
    std::filesystem::remove_all(
        std::filesystem::path(options.store) / "compact.tmp", ignored);
  }
  return DClustRSession(options, stored, *std::move(collection),
                        StoreReader(std::move(knowledge)));
}

absl::StatusOr<DClustRSession::Change> DClustRSession::ReadChange(
    bool ids_for_table, const FormatNote& note, WorkShare* work,
    int num_threads) {
  Change change;
  StoreReader::File file;
  file.input_format = options_.input_format;
  file.note = note;
  file.work = work;
  file.num_threads = num_threads;
  file.csv = options_.csv;
  file.ids_path = options_.ids;
  file.json = options_.json;
  file.dense = options_.dense;
  file.ids_for_table = ids_for_table;
  if (!options_.remove.empty()) {
    ASSIGN_OR_RETURN(IdList list, ReadIdList(options_.remove));
    change.removed = std::move(list.ids);
    change.removed_lines = std::move(list.lines);
  }
  if (!options_.modify.empty()) {
    file.path = options_.modify;
    file.ids_required = true;
    RETURN_IF_ERROR(reader_.Append(file, &change.added));
    change.removed.insert(change.removed.end(), change.added.ids.begin(),
                          change.added.ids.end());
    change.num_modified = static_cast<int64_t>(change.added.ids.size());
  }
  if (!options_.add.empty()) {
    file.path = options_.add;
    file.ids_required = false;
    RETURN_IF_ERROR(reader_.Append(file, &change.added));
  }
  const Content content = reader_.knowledge().content;
  if (content == Content::kVectors || content == Content::kEmbeddings) {
    RETURN_IF_ERROR(vectors_fit_);
  }
  if (content == Content::kEmbeddings) RETURN_IF_ERROR(embeddings_fit_);
  return change;
}

absl::StatusOr<DClustRUpdate> DClustRSession::Update(
    Change change, const DClustRRunOptions& run) {
  if (!collection_.has_value()) {
    ASSIGN_OR_RETURN(collection_,
                     DClustRCollection::Create(options_.store, store_options_));
  }
  const StoreReader::Knowledge& knowledge = reader_.knowledge();
  if (knowledge.content != Content::kUnknown) {
    const bool texts = knowledge.content == Content::kTexts;
    collection_->SetProperty(kContent,
                             StoreReader::ContentName(knowledge.content));
    collection_->SetProperty(kNextNumber, absl::StrCat(knowledge.next_number));
    if (texts) {
      collection_->SetProperty(kAnalyzer, FormatAnalyzer(knowledge.analyzer));
      // Once: these are the terms of all files of the run.
      if (!change.added.ids.empty() && !terms_are_set_) {
        terms_are_set_ = true;
        collection_->SetTerms(std::move(reader_.mutable_knowledge()->terms));
      }
    }
  }
  DClustRBatch batch;
  batch.added = std::move(change.added.counts);
  batch.added_rows = std::move(change.added.rows);
  batch.added_ids = std::move(change.added.ids);
  batch.removed_ids = std::move(change.removed);
  absl::StatusOr<DClustRUpdate> update = collection_->Update(batch, run);
  if (!update.ok() && is_new_) {
    collection_.reset();
    RemoveStore(options_.store);
  }
  is_new_ = false;
  if (!update.ok()) {
    return NamingFiles(update.status(), options_, change,
                       knowledge.content == Content::kEmbeddings);
  }
  return update;
}

}  // namespace warpclust
