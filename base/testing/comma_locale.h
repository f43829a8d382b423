// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CommaLocale: for tests that text does not depend on the program's locale. The
// locale is the process's, so use one at a time.

#ifndef WARPCLUST_BASE_TESTING_COMMA_LOCALE_H_
#define WARPCLUST_BASE_TESTING_COMMA_LOCALE_H_

#include <clocale>

namespace warpclust {

// While it lives, printf writes a decimal comma, if the machine has a locale
// with one.
class CommaLocale {
 public:
  CommaLocale() {
    for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fr_FR",
                             "it_IT.UTF-8", "es_ES.UTF-8"}) {
      if (std::setlocale(LC_NUMERIC, name) != nullptr) {
        found_ = true;
        return;
      }
    }
  }
  ~CommaLocale() { std::setlocale(LC_NUMERIC, "C"); }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;

  bool found() const { return found_; }

 private:
  bool found_ = false;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TESTING_COMMA_LOCALE_H_
