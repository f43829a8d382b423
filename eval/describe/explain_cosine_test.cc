// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/describe/explain_cosine.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "graph/cosine/exact_cosines.h"
#include "graph/io/edge_list_writer.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// The value of a decimal times 10^30, to add decimals exactly.
__int128 Exact(absl::string_view text) {
  __int128 value = 0;
  int places = 0;
  bool after_point = false;
  size_t i = 0;
  for (; i < text.size() && text[i] != 'e'; ++i) {
    if (text[i] == '.') {
      after_point = true;
    } else {
      value = value * 10 + (text[i] - '0');
      places += after_point ? 1 : 0;
    }
  }
  int exponent = 0;
  if (i < text.size()) {
    EXPECT_TRUE(absl::SimpleAtoi(text.substr(i + 1), &exponent));
  }
  for (int k = 30 - places + exponent; k > 0; --k) value *= 10;
  return value;
}

TEST(CosineExplainerTest, SharesAddUpToTheText) {
  int64_t compared = 0;
  for (uint64_t seed = 0; seed < 24; ++seed) {
    RandomDocumentsOptions shape;
    shape.seed = seed;
    shape.num_documents = 40;
    shape.integer_weights = seed % 2 == 0;
    shape.mean_terms = 2 + static_cast<double>(seed % 5) * 8;
    shape.largest_weight = seed % 3 == 0 ? 100000 : 9;
    shape.empty_fraction = 0.1;
    const DocumentMatrix documents = RandomDocuments(shape);
    const ExactCosines exact(documents);
    std::vector<double> scratch;
    for (const int digits : {9, 17}) {
      const CosineExplainer explain(documents, digits);
      for (int32_t a = 0; a < documents.num_documents(); ++a) {
        for (int32_t b = 0; b < documents.num_documents(); ++b) {
          SCOPED_TRACE(testing::Message() << seed << " " << a << " " << b);
          const CosineExplanation why = explain(a, b);
          if (why.shares.empty()) {
            EXPECT_EQ(why.cosine, 0);
            EXPECT_EQ(why.text, "0");
            continue;
          }
          ++compared;
          double cosine = 0;
          exact(a, {b}, &scratch, absl::MakeSpan(&cosine, 1));
          EXPECT_EQ(why.cosine, cosine);
          char text[32];
          EXPECT_EQ(why.text, std::string(text, internal::FormatExactWeight(
                                                    cosine, digits, text)));
          __int128 sum = 0;
          double values = 0;
          for (size_t k = 0; k < why.shares.size(); ++k) {
            const CosineShare& share = why.shares[k];
            sum += Exact(share.text);
            values += share.value;
            double printed = 0;
            ASSERT_TRUE(absl::SimpleAtod(share.text, &printed)) << share.text;
            EXPECT_NEAR(printed, share.value, 1.6e-9);
            if (k > 0) {
              EXPECT_LE(share.value, why.shares[k - 1].value);
            }
          }
          EXPECT_TRUE(sum == Exact(why.text)) << why.text;
          EXPECT_NEAR(values, cosine, 1e-12);
        }
      }
    }
  }
  EXPECT_GT(compared, 10000);
}

TEST(CosineExplainerTest, Example) {
  DocumentMatrix documents;
  documents.num_terms = 3;
  documents.offsets = {0, 2, 4, 5};
  documents.terms = {0, 1, 0, 1, 2};
  documents.weights = {3, 1, 1, 3, 7};
  const CosineExplainer explain(documents);
  const CosineExplanation why = explain(0, 1);
  EXPECT_EQ(why.text, "0.6");
  ASSERT_EQ(why.shares.size(), 2u);
  EXPECT_EQ(why.shares[0].column, 0);
  EXPECT_EQ(why.shares[0].text, "0.300000000");
  EXPECT_EQ(why.shares[1].text, "0.300000000");
  EXPECT_EQ(explain(2, 2).text, "1");
  EXPECT_EQ(explain(2, 2).shares[0].text, "1.000000000");
  EXPECT_TRUE(explain(0, 2).shares.empty());
}

}  // namespace
}  // namespace warpclust
