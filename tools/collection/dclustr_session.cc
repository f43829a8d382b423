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
#include "algorithms/dclustr/cover/cover_update.h"
#include "base/io/byte_reader.h"
#include "base/status/status_macros.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/vocabulary.h"
#include "sparse/weighting/weighting.h"
#include "tools/input/read_ids.h"
#include "tools/input/text_flags.h"

namespace warpclust {
namespace {

// The properties that the tool keeps in a store.
constexpr absl::string_view kContent = "content";
constexpr absl::string_view kAnalyzer = "analyzer";
constexpr absl::string_view kNextNumber = "next_number";

bool StoreIsThere(const std::string& directory) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::path(directory) / "data.mdb",
                                 error);
}

// Takes a store away that was created for a change that failed.
void RemoveStore(const std::string& directory) {
  std::error_code ignored;
  for (const char* name : {"data.mdb", "lock.mdb", "writer.lock"}) {
    std::filesystem::remove(std::filesystem::path(directory) / name, ignored);
  }
  // Only if nothing else is in it.
  std::filesystem::remove(directory, ignored);
}

absl::StatusOr<DClustRStoreOptions> StoreOptions(
    const DClustROptions& options) {
  DClustRStoreOptions result;
  result.beta = options.beta;
  absl::StatusOr<Weighting> weighting = ParseWeighting(options.weighting);
  if (!weighting.ok()) return UsageError(weighting.status().message());
  result.weighting = *weighting;
  absl::StatusOr<DClustRMode> mode = ParseDClustRMode(options.mode);
  if (!mode.ok()) return UsageError(mode.status().message());
  result.mode = *mode;
  return result;
}

AnalyzerOptions Analyzers(const DClustROptions& options) {
  AnalyzerOptions result;
  result.stop_words = options.stop_words;
  result.stemmer = options.stem ? options.language : "";
  return result;
}

// A flag that is given must say what the store was created with.
absl::Status CheckAgreement(const FlagSet& flags, absl::string_view flag,
                            absl::string_view given, absl::string_view stored) {
  if (!flags.WasGiven(flag) || given == stored) return absl::OkStatus();
  return UsageError(absl::StrCat("--", flag, ": expected ", stored,
                                 ", with which the store was created, found ",
                                 given));
}

absl::Status TfNeverChanges() {
  return UsageError(
      "--reweight: the store was created with tf, which never changes");
}

absl::Status CheckStoreFlags(const DClustROptions& options,
                             const FlagSet& flags,
                             const DClustRStoreOptions& stored) {
  RETURN_IF_ERROR(CheckAgreement(flags, "beta", FormatDecimal(options.beta),
                                 FormatDecimal(stored.beta)));
  RETURN_IF_ERROR(CheckAgreement(flags, "weighting", options.weighting,
                                 WeightingName(stored.weighting)));
  return CheckAgreement(flags, "mode", options.mode,
                        DClustRModeName(stored.mode));
}

absl::Status CheckAnalyzerFlags(const DClustROptions& options,
                                const FlagSet& flags,
                                const AnalyzerOptions& stored) {
  RETURN_IF_ERROR(CheckAgreement(flags, "stop_words",
                                 options.stop_words ? "true" : "false",
                                 stored.stop_words ? "true" : "false"));
  RETURN_IF_ERROR(CheckAgreement(flags, "stem", options.stem ? "true" : "false",
                                 stored.stemmer.empty() ? "false" : "true"));
  if (stored.stemmer.empty() && flags.WasGiven("language")) {
    return UsageError(
        "--language is the stemmer's, and the store was created without one");
  }
  return CheckAgreement(flags, "language", options.language, stored.stemmer);
}

absl::StatusOr<StoreReader::Knowledge> ReadKnowledge(
    const DClustROptions& options, const FlagSet& flags,
    DClustRCollection* collection) {
  StoreReader::Knowledge knowledge;
  knowledge.analyzer = Analyzers(options);
  ASSIGN_OR_RETURN(std::string content, collection->Property(kContent));
  if (content.empty()) return knowledge;
  ASSIGN_OR_RETURN(std::string number, collection->Property(kNextNumber));
  if ((content != "texts" && content != "vectors") ||
      !absl::SimpleAtoi(number, &knowledge.next_number)) {
    return absl::DataLossError(
        absl::StrCat(options.store,
                     ": expected a store that dclustr wrote, found content \"",
                     content, "\", next number \"", number, "\""));
  }
  if (content == "vectors") {
    RETURN_IF_ERROR(CheckNoTextFlags(flags, "the store is of"));
    knowledge.content = StoreReader::Content::kVectors;
    return knowledge;
  }
  knowledge.content = StoreReader::Content::kTexts;
  ASSIGN_OR_RETURN(std::string text, collection->Property(kAnalyzer));
  absl::StatusOr<AnalyzerOptions> analyzer = ParseAnalyzer(text);
  if (!analyzer.ok()) {
    return absl::DataLossError(
        absl::StrCat(options.store, ": ", analyzer.status().message()));
  }
  RETURN_IF_ERROR(CheckAnalyzerFlags(options, flags, *analyzer));
  knowledge.analyzer = *std::move(analyzer);
  // Only texts to come need it.
  if (!options.add.empty() || !options.modify.empty()) {
    ASSIGN_OR_RETURN(Vocabulary terms, collection->Terms());
    knowledge.terms = std::move(terms);
  }
  return knowledge;
}

// An error of the library, which says what it was to do, in the files' names
// and with the line of the id that it is about.
absl::Status NamingFiles(const absl::Status& status,
                         const DClustROptions& options,
                         const DClustRSession::Change& change) {
  absl::string_view message = status.message();
  if (status.code() != absl::StatusCode::kInvalidArgument) return status;
  const int64_t place = PlaceInBatch(status);
  if (place < 0) {
    if (!absl::ConsumePrefix(&message, "add: ")) return status;
    const bool both = !options.add.empty() && !options.modify.empty();
    return absl::InvalidArgumentError(absl::StrCat(
        options.add, both ? " or " : "", options.modify, ": ", message));
  }
  // Of the documents in a file of their own, or of the ids that only go.
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
  return absl::InvalidArgumentError(absl::StrCat(
      InputName(file), line > 0 ? absl::StrCat(":", line) : "", ": ", message));
}

}  // namespace

absl::StatusOr<DClustRSession> DClustRSession::Open(
    const DClustROptions& options, const FlagSet& flags) {
  ASSIGN_OR_RETURN(DClustRStoreOptions created, StoreOptions(options));
  // Before anything is read: a wrong language is a wrong flag.
  absl::StatusOr<Analyzer> analyzer = Analyzer::Create(Analyzers(options));
  if (!analyzer.ok()) {
    return UsageError(
        absl::StrCat("--language: ", analyzer.status().message()));
  }
  const bool read_only =
      !options.changes_documents() && !options.reweight && !options.compact;
  absl::StatusOr<DClustRCollection> collection = absl::NotFoundError("");
  const bool was_there = StoreIsThere(options.store);
  if (was_there) {
    collection = DClustRCollection::Open(options.store, read_only);
  }
  // Also what is left by a run that was killed while it created it.
  if (absl::IsNotFound(collection.status())) {
    if (options.add.empty()) {
      return absl::NotFoundError(absl::StrCat(
          options.store,
          ": expected a store, found none; --add=PATH creates one"));
    }
    // Before anything is read, too.
    absl::Status status = created.Validate();
    if (!status.ok()) {
      return UsageError(absl::StrCat("--", status.message()));
    }
    StoreReader::Knowledge knowledge;
    knowledge.analyzer = Analyzers(options);
    if (options.reweight && created.weighting == Weighting::kTf) {
      return TfNeverChanges();
    }
    DClustRSession session(options, created, absl::nullopt,
                           StoreReader(std::move(knowledge)));
    session.vectors_fit_ = CheckNoTextFlags(flags, "the input is");
    session.is_new_ = !was_there;
    return session;
  }
  if (absl::IsFailedPrecondition(collection.status())) {
    // Of another version: nothing that comes back later.
    return absl::InvalidArgumentError(collection.status().message());
  }
  if (!collection.ok()) return collection.status();
  RETURN_IF_ERROR(CheckStoreFlags(options, flags, collection->options()));
  ASSIGN_OR_RETURN(StoreReader::Knowledge knowledge,
                   ReadKnowledge(options, flags, &*collection));
  const DClustRStoreOptions stored = collection->options();
  if (options.reweight && stored.weighting == Weighting::kTf) {
    return TfNeverChanges();
  }
  if (!read_only) {
    // What a killed --compact left. Nobody else compacts: the lock is ours.
    std::error_code ignored;
    std::filesystem::remove_all(
        std::filesystem::path(options.store) / "compact.tmp", ignored);
  }
  return DClustRSession(options, stored, *std::move(collection),
                        StoreReader(std::move(knowledge)));
}

absl::StatusOr<DClustRSession::Change> DClustRSession::ReadChange(
    bool ids_for_table) {
  Change change;
  StoreReader::File file;
  file.input_format = options_.input_format;
  file.ids_path = options_.ids;
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
  return reader_.knowledge().content == StoreReader::Content::kVectors &&
                 !vectors_fit_.ok()
             ? absl::StatusOr<Change>(vectors_fit_)
             : change;
}

absl::StatusOr<DClustRUpdate> DClustRSession::Update(
    Change change, const DClustRRunOptions& run) {
  if (!collection_.has_value()) {
    ASSIGN_OR_RETURN(DClustRCollection created,
                     DClustRCollection::Create(options_.store, store_options_));
    collection_ = std::move(created);
  }
  const StoreReader::Knowledge& knowledge = reader_.knowledge();
  if (knowledge.content != StoreReader::Content::kUnknown) {
    const bool texts = knowledge.content == StoreReader::Content::kTexts;
    collection_->SetProperty(kContent, texts ? "texts" : "vectors");
    collection_->SetProperty(kNextNumber, absl::StrCat(knowledge.next_number));
    if (texts) {
      collection_->SetProperty(kAnalyzer, FormatAnalyzer(knowledge.analyzer));
      // Once is enough: they are those of all that was read.
      if (!change.added.ids.empty() && !terms_are_set_) {
        terms_are_set_ = true;
        collection_->SetTerms(std::move(reader_.mutable_knowledge()->terms));
      }
    }
  }
  DClustRBatch batch;
  batch.added = std::move(change.added.counts);
  batch.added_ids = std::move(change.added.ids);
  batch.removed_ids = std::move(change.removed);
  absl::StatusOr<DClustRUpdate> update = collection_->Update(batch, run);
  if (!update.ok() && is_new_) {
    collection_.reset();
    RemoveStore(options_.store);
  }
  is_new_ = false;
  if (!update.ok()) {
    return NamingFiles(update.status(), options_, change);
  }
  return update;
}

}  // namespace warpclust
