// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GuardTable: insertions into Abseil's hash tables that may run out of memory.
// A table that could not grow, or whose new element could not be made, believes
// otherwise: to use it, or to destroy it while the exception passes, is a crash
// where "not enough memory" was to be said (Abseil of 2022).
//
// Use it around insertions and reservations whose number the input decides.
// Thread-safety: that of the table.

#ifndef WARPCLUST_BASE_MACHINE_TABLE_GUARD_H_
#define WARPCLUST_BASE_MACHINE_TABLE_GUARD_H_

#include <new>

namespace warpclust {

// insert(table). If std::bad_alloc comes out of it, the table is empty and as
// new, and the exception goes on; what it held is not freed, as nobody can say
// any more what that was.
template <class Table, class Insert>
decltype(auto) GuardTable(Table& table, Insert insert) {
  try {
    return insert(table);
  } catch (const std::bad_alloc&) {
    new (&table) Table();
    throw;
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_TABLE_GUARD_H_
