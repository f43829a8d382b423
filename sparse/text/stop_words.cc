// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/stop_words.h"

#include <iterator>

#include "absl/container/flat_hash_set.h"

namespace warpclust {
namespace {

// Ascending, without repeats: the test holds it to that.
constexpr absl::string_view kWords[] = {
    "about",       "above",      "across",     "after",      "afterwards",
    "again",       "against",    "ago",        "ahead",      "ain",
    "all",         "almost",     "along",      "alongside",  "already",
    "also",        "although",   "altogether", "always",     "am",
    "amid",        "among",      "amongst",    "an",         "and",
    "another",     "any",        "anybody",    "anyhow",     "anyone",
    "anything",    "anyway",     "anywhere",   "apart",      "are",
    "aren",        "around",     "as",         "aside",      "at",
    "away",        "back",       "be",         "became",     "because",
    "become",      "becomes",    "becoming",   "been",       "before",
    "beforehand",  "behind",     "being",      "below",      "beneath",
    "beside",      "besides",    "between",    "beyond",     "both",
    "but",         "by",         "can",        "cannot",     "certain",
    "concerning",  "could",      "couldn",     "dare",       "despite",
    "did",         "didn",       "do",         "does",       "doesn",
    "doing",       "don",        "done",       "down",       "during",
    "each",        "eg",         "eight",      "either",     "eleven",
    "else",        "elsewhere",  "enough",     "etc",        "even",
    "ever",        "every",      "everybody",  "everyday",   "everyone",
    "everything",  "everywhere", "except",     "excluding",  "far",
    "few",         "fewer",      "fifteen",    "fifty",      "first",
    "five",        "following",  "for",        "former",     "formerly",
    "forty",       "four",       "from",       "further",    "furthermore",
    "get",         "gets",       "getting",    "give",       "go",
    "goes",        "going",      "gone",       "got",        "had",
    "hadn",        "half",       "hardly",     "has",        "hasn",
    "have",        "haven",      "having",     "he",         "hence",
    "her",         "here",       "hereafter",  "hereby",     "herein",
    "hereupon",    "hers",       "herself",    "him",        "himself",
    "his",         "hither",     "how",        "however",    "hundred",
    "ie",          "if",         "in",         "indeed",     "inside",
    "instead",     "into",       "is",         "isn",        "it",
    "its",         "itself",     "just",       "keep",       "last",
    "lastly",      "later",      "latter",     "latterly",   "least",
    "less",        "lest",       "let",        "like",       "likewise",
    "little",      "ll",         "made",       "mainly",     "make",
    "many",        "may",        "maybe",      "me",         "meanwhile",
    "merely",      "might",      "mine",       "more",       "moreover",
    "most",        "mostly",     "much",       "must",       "mustn",
    "my",          "myself",     "namely",     "near",       "nearly",
    "need",        "needn",      "neither",    "never",      "nevertheless",
    "next",        "nine",       "no",         "nobody",     "none",
    "nonetheless", "noone",      "nor",        "not",        "nothing",
    "now",         "nowhere",    "of",         "off",        "often",
    "on",          "once",       "one",        "ones",       "only",
    "onto",        "opposite",   "or",         "other",      "others",
    "otherwise",   "ought",      "our",        "ours",       "ourselves",
    "out",         "outside",    "over",       "own",        "past",
    "per",         "perhaps",    "please",     "provided",   "put",
    "quite",       "rather",     "re",         "really",     "regarding",
    "round",       "said",       "same",       "say",        "says",
    "second",      "see",        "seem",       "seemed",     "seeming",
    "seems",       "seldom",     "seven",      "several",    "shall",
    "shan",        "she",        "should",     "shouldn",    "since",
    "six",         "sixty",      "so",         "some",       "somebody",
    "somehow",     "someone",    "something",  "sometime",   "sometimes",
    "somewhat",    "somewhere",  "soon",       "still",      "such",
    "take",        "ten",        "than",       "that",       "the",
    "their",       "theirs",     "them",       "themselves", "then",
    "thence",      "there",      "thereafter", "thereby",    "therefore",
    "therein",     "thereupon",  "these",      "they",       "third",
    "thirty",      "this",       "those",      "though",     "three",
    "through",     "throughout", "thru",       "thus",       "till",
    "to",          "together",   "too",        "toward",     "towards",
    "twelve",      "twenty",     "twice",      "two",        "under",
    "underneath",  "unless",     "unlike",     "until",      "up",
    "upon",        "us",         "usually",    "various",    "ve",
    "versus",      "very",       "via",        "vs",         "was",
    "wasn",        "we",         "well",       "were",       "weren",
    "what",        "whatever",   "when",       "whence",     "whenever",
    "where",       "whereas",    "whereby",    "wherein",    "whereupon",
    "wherever",    "whether",    "which",      "whichever",  "while",
    "whither",     "who",        "whoever",    "whom",       "whomever",
    "whose",       "why",        "will",       "with",       "within",
    "without",     "won",        "would",      "wouldn",     "yes",
    "yet",         "you",        "your",       "yours",      "yourself",
    "yourselves"};

}  // namespace

bool IsEnglishStopWord(absl::string_view word) {
  static const auto* const words = new absl::flat_hash_set<absl::string_view>(
      std::begin(kWords), std::end(kWords));
  return words->contains(word);
}

absl::Span<const absl::string_view> EnglishStopWords() { return kWords; }

}  // namespace warpclust
