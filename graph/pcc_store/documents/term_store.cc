// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/documents/term_store.h"

#include <algorithm>
#include <cstddef>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/codec/stored_lists.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"

namespace warpclust {
namespace {

constexpr int32_t kChunk = 1024;

// The first half of a key; the second is the number of the chunk.
constexpr uint32_t kNamesPrefix = 0;  // 1 and 2 are TermStore::Kind
constexpr uint32_t kPropertyPrefix = 3;

absl::Status Broken(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("the store's terms are broken: ", what));
}

// Calls `use` with the chunks of a kind, in order.
absl::Status ForEachChunk(
    const LmdbTransaction& transaction, uint32_t prefix,
    absl::FunctionRef<absl::Status(absl::string_view)> use) {
  uint32_t chunk = 0;
  return transaction.ForEach(
      kTerms, LmdbKey(prefix, 0),
      [&](absl::string_view key,
          absl::string_view value) -> absl::StatusOr<bool> {
        if (key.substr(0, 4) != LmdbKey(prefix)) return false;
        if (key != LmdbKey(prefix, chunk++))
          return Broken("a chunk is missing");
        RETURN_IF_ERROR(use(value));
        return true;
      });
}

// Stores a chunk if it is another one than stored.
absl::Status PutIfNew(LmdbTransaction* transaction, absl::string_view key,
                      absl::string_view value) {
  ASSIGN_OR_RETURN(absl::optional<absl::string_view> old,
                   transaction->Get(kTerms, key));
  if (old == value) return absl::OkStatus();
  return transaction->Put(kTerms, key, value);
}

absl::StatusOr<std::string> PropertyKey(absl::string_view name) {
  if (name.empty() || name.size() > TermStore::kMaxPropertyName) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a property's name of 1 to ", TermStore::kMaxPropertyName,
        " bytes, found ", name.size()));
  }
  return absl::StrCat(LmdbKey(kPropertyPrefix), name);
}

}  // namespace

absl::StatusOr<Vocabulary> TermStore::Terms() const {
  Vocabulary terms;
  RETURN_IF_ERROR(
      ForEachChunk(*transaction_, kNamesPrefix, [&](absl::string_view chunk) {
        std::vector<absl::string_view> names;
        if (!ReadTextList(&chunk, &names) || !chunk.empty()) {
          return Broken("a chunk of names is cut short");
        }
        for (absl::string_view name : names) {
          const int32_t next = terms.size();
          if (terms.Add(name) != next) {
            return Broken(absl::StrCat("\"", name, "\" is there twice"));
          }
        }
        return absl::OkStatus();
      }));
  return terms;
}

absl::Status TermStore::SetTerms(const Vocabulary& terms) {
  int32_t stored = 0;
  std::vector<absl::string_view> names;  // Of the last chunk in the end.
  RETURN_IF_ERROR(
      ForEachChunk(*transaction_, kNamesPrefix, [&](absl::string_view chunk) {
        if (!ReadTextList(&chunk, &names) || names.size() > kChunk) {
          return Broken("a chunk of names is cut short");
        }
        if (stored % kChunk != 0) {
          return Broken("a chunk of names that is not the last is not full");
        }
        stored += static_cast<int32_t>(names.size());
        return absl::OkStatus();
      }));
  if (terms.size() < stored) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected at least the ", stored,
                     " terms of the store, found ", terms.size()));
  }
  // From the last chunk on: it may have room.
  const int32_t first_chunk = stored == 0 ? 0 : (stored - 1) / kChunk;
  for (size_t i = 0; i < names.size(); ++i) {
    const int32_t term = first_chunk * kChunk + static_cast<int32_t>(i);
    if (terms.Term(term) != names[i]) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected the term \"", names[i], "\" at ", term,
                       ", found \"", terms.Term(term), "\""));
    }
  }
  if (terms.size() == stored) return absl::OkStatus();
  for (int64_t chunk = first_chunk; chunk * kChunk < terms.size(); ++chunk) {
    names.clear();
    const int64_t end = std::min<int64_t>(terms.size(), (chunk + 1) * kChunk);
    for (int64_t t = chunk * kChunk; t < end; ++t) {
      names.push_back(terms.Term(static_cast<int32_t>(t)));
    }
    std::string bytes;
    AppendTextList(names, &bytes);
    RETURN_IF_ERROR(transaction_->Put(
        kTerms, LmdbKey(kNamesPrefix, static_cast<uint32_t>(chunk)), bytes));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int32_t>> TermStore::Frequencies(Kind kind) const {
  std::vector<int32_t> frequencies;
  RETURN_IF_ERROR(ForEachChunk(
      *transaction_, static_cast<uint32_t>(kind), [&](absl::string_view chunk) {
        std::vector<uint32_t> numbers;
        if (!ReadNumberList(&chunk, &numbers) || !chunk.empty() ||
            numbers.size() > kChunk) {
          return Broken("a chunk of frequencies is cut short");
        }
        frequencies.insert(frequencies.end(), numbers.begin(), numbers.end());
        return absl::OkStatus();
      }));
  return frequencies;
}

absl::Status TermStore::SetFrequencies(Kind kind,
                                       absl::Span<const int32_t> frequencies) {
  const uint32_t prefix = static_cast<uint32_t>(kind);
  uint32_t stored_chunks = 0;
  RETURN_IF_ERROR(ForEachChunk(*transaction_, prefix, [&](absl::string_view) {
    ++stored_chunks;
    return absl::OkStatus();
  }));
  uint32_t chunk = 0;
  for (size_t begin = 0; begin < frequencies.size(); begin += kChunk) {
    const absl::Span<const int32_t> part = frequencies.subspan(begin, kChunk);
    const std::vector<uint32_t> numbers(part.begin(), part.end());
    std::string bytes;
    AppendNumberList(numbers, &bytes);
    RETURN_IF_ERROR(PutIfNew(transaction_, LmdbKey(prefix, chunk++), bytes));
  }
  for (; chunk < stored_chunks; ++chunk) {
    RETURN_IF_ERROR(transaction_->Delete(kTerms, LmdbKey(prefix, chunk)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> TermStore::Property(absl::string_view name) const {
  ASSIGN_OR_RETURN(std::string key, PropertyKey(name));
  ASSIGN_OR_RETURN(absl::optional<absl::string_view> value,
                   transaction_->Get(kTerms, key));
  return value.has_value() ? std::string(*value) : std::string();
}

absl::Status TermStore::SetProperty(absl::string_view name,
                                    absl::string_view value) {
  ASSIGN_OR_RETURN(std::string key, PropertyKey(name));
  return PutIfNew(transaction_, key, value);
}

}  // namespace warpclust
