// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Text in HTML and SVG pages.

#ifndef WARPCLUST_BASE_TEXT_HTML_TEXT_H_
#define WARPCLUST_BASE_TEXT_HTML_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace warpclust {

// Text between tags and in quoted attributes: & < > " ' are escaped.
std::string EscapeHtml(absl::string_view text);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TEXT_HTML_TEXT_H_
