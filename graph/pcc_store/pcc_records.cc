// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/pcc_records.h"

#include "graph/pcc_store/lmdb/pcc_tables.h"

namespace warpclust {
namespace internal {

absl::StatusOr<absl::optional<absl::string_view>> PccRecords::Get(
    int table, absl::string_view key) {
  Name name(table, std::string(key));
  const auto change = changes_.find(name);
  if (change != changes_.end()) {
    if (!change->second.has_value()) {
      return absl::optional<absl::string_view>();
    }
    return absl::optional<absl::string_view>(*change->second);
  }
  auto value = transaction_->Get(table, key);
  if (value.ok() && value->has_value() &&
      seen_.insert(std::move(name)).second) {
    bytes_read_ += static_cast<int64_t>((*value)->size());
  }
  return value;
}

absl::StatusOr<absl::optional<absl::string_view>> PccRecords::GetRaw(
    absl::string_view key, bool* fresh) {
  const auto change = changes_.find(Name(kRows, std::string(key)));
  *fresh = change != changes_.end();
  if (*fresh) {
    if (!change->second.has_value()) {
      return absl::optional<absl::string_view>();
    }
    return absl::optional<absl::string_view>(*change->second);
  }
  auto value = transaction_->GetRaw(kRows, key);
  if (!flushed_ || !value.ok() || !value->has_value()) return value;
  std::string& copy = copies_[std::string(key)];
  copy = std::string(**value);
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
    absl::Status status;
    if (!value.has_value()) {
      status = transaction_->Delete(table, key);
    } else if (table == kRows) {
      status = transaction_->PutRaw(table, key, {*value});
    } else {
      status = transaction_->Put(table, key, *value);
    }
    if (!status.ok()) return status;
    value.reset();  // Memory: the transaction has it now.
  }
  if (!changes_.empty()) flushed_ = true;
  changes_.clear();
  copies_.clear();
  changed_bytes_ = 0;
  return absl::OkStatus();
}

}  // namespace internal
}  // namespace warpclust
