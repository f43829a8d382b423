// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/pcc_records.h"

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"

namespace warpclust {
namespace internal {

absl::StatusOr<absl::optional<absl::string_view>> PccRecords::Get(
    int table, absl::string_view key) {
  Name name(table, std::string(key));
  const auto change = changes_.find(name);
  if (change != changes_.end()) {
    return absl::optional<absl::string_view>(change->second);
  }
  ASSIGN_OR_RETURN(const absl::optional<absl::string_view> value,
                   transaction_->Get(table, key));
  if (value.has_value() && seen_.insert(std::move(name)).second) {
    bytes_read_ += static_cast<int64_t>(value->size());
  }
  return value;
}

absl::StatusOr<absl::optional<absl::string_view>> PccRecords::GetRaw(
    absl::string_view key, bool* fresh) {
  const auto change = changes_.find(Name(kRows, std::string(key)));
  *fresh = change != changes_.end();
  if (*fresh) return absl::optional<absl::string_view>(change->second);
  ASSIGN_OR_RETURN(const absl::optional<absl::string_view> value,
                   transaction_->GetRaw(kRows, key));
  if (!flushed_ || !value.has_value()) return value;
  std::string& copy = copies_[std::string(key)];
  copy = std::string(*value);
  return absl::optional<absl::string_view>(copy);
}

void PccRecords::Put(int table, absl::string_view key, std::string value) {
  changed_bytes_ += static_cast<int64_t>(value.size());
  changes_[Name(table, std::string(key))] = std::move(value);
}

void PccRecords::Delete(int table, absl::string_view key) {
  changes_[Name(table, std::string(key))] = absl::nullopt;
}

absl::Status PccRecords::Flush() {
  for (auto& [name, value] : changes_) {
    const auto& [table, key] = name;
    RETURN_IF_ERROR(!value.has_value() ? transaction_->Delete(table, key)
                    : table == kRows
                        ? transaction_->PutRaw(table, key, {*value})
                        : transaction_->Put(table, key, *value));
    value.reset();  // Frees memory: the transaction has it now.
  }
  if (!changes_.empty()) flushed_ = true;
  changes_.clear();
  copies_.clear();
  changed_bytes_ = 0;
  return absl::OkStatus();
}

absl::Status DamagedStore(absl::string_view expected, absl::string_view found) {
  return absl::DataLossError(
      absl::StrCat("damaged store: expected ", expected, ", found ", found));
}

}  // namespace internal
}  // namespace warpclust
