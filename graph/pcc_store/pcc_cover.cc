// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccStore: centers of the cover. A record is the list of the centers of a PCC,
// then, for each of them, the list of the vertices linked to it.

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/codec/stored_lists.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {
namespace {

using internal::DamagedStore;

using Centers = std::vector<PccStore::Center>;

std::string CoverKey(int32_t component) {
  return LmdbKey(static_cast<uint32_t>(component));
}

}  // namespace

absl::StatusOr<Centers> PccStore::StoredCenters(int32_t component) {
  ASSIGN_OR_RETURN(const absl::optional<absl::string_view> record,
                   records_->Get(kCover, CoverKey(component)));
  Centers centers;
  if (!record.has_value()) return centers;
  absl::string_view bytes = *record;
  std::vector<int32_t> vertices;
  bool right = ReadIdList(&bytes, next_vertex(), &vertices);
  for (const int32_t v : vertices) {
    PccStore::Center center;
    center.vertex = v;
    right = right && ReadIdList(&bytes, next_vertex(), &center.linked);
    if (!right) break;
    centers.push_back(std::move(center));
  }
  if (!right || !bytes.empty()) {
    return DamagedStore(absl::StrCat("centers of PCC ", component),
                        "a damaged list");
  }
  return centers;
}

absl::StatusOr<Centers> PccStore::CentersOf(int32_t component) {
  RETURN_IF_ERROR(CheckComponent(component));
  ASSIGN_OR_RETURN(Centers stored, StoredCenters(component));
  Centers centers;
  for (Center& center : stored) {
    if (dead_.Contains(center.vertex)) continue;
    std::vector<int32_t>& linked = center.linked;
    linked.resize(DropDead(0, linked.size(), linked.data()));
    centers.push_back(std::move(center));
  }
  return centers;
}

void PccStore::PutCenters(int32_t component, const Centers& centers) {
  if (centers.empty()) {
    records_->Delete(kCover, CoverKey(component));
    return;
  }
  std::vector<int32_t> vertices;
  vertices.reserve(centers.size());
  for (const PccStore::Center& center : centers) {
    vertices.push_back(center.vertex);
  }
  std::string bytes;
  AppendIdList(vertices, &bytes);
  for (const PccStore::Center& center : centers) {
    AppendIdList(center.linked, &bytes);
  }
  records_->Put(kCover, CoverKey(component), std::move(bytes));
}

absl::Status PccStore::SetCenters(int32_t component, const Centers& centers) {
  RETURN_IF_ERROR(CheckComponent(component));
  ASSIGN_OR_RETURN(const Centers stored, StoredCenters(component));
  if (stored == centers) return absl::OkStatus();
  for (size_t i = 0; i < centers.size(); ++i) {
    const int32_t v = centers[i].vertex;
    ASSIGN_OR_RETURN(const int32_t owner, ComponentOf(v));
    if (owner != component || (i > 0 && centers[i - 1].vertex >= v)) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected ascending centers of PCC ", component,
                       ", found ", v, " of PCC ", owner));
    }
    RETURN_IF_ERROR(CheckVertices(centers[i].linked));
  }
  PutCenters(component, centers);
  return absl::OkStatus();
}

absl::Status PccStore::MoveCenters(int32_t from, int32_t to) {
  ASSIGN_OR_RETURN(Centers stored, StoredCenters(from));
  Centers moved;
  Centers left;
  for (PccStore::Center& center : stored) {
    ASSIGN_OR_RETURN(const int32_t owner, component_of_.Get(center.vertex));
    // A dead center stays where it is; readers skip it.
    (owner == to ? moved : left).push_back(std::move(center));
  }
  if (moved.empty()) return absl::OkStatus();
  PutCenters(from, left);
  PutCenters(to, moved);
  return absl::OkStatus();
}

}  // namespace warpclust
