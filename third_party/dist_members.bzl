# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""What //:dist and //:deb have."""

DIST_TOOLS = [
    "//tools:correlation_cluster",
    "//tools:dclustr",
    "//tools:density_peaks",
    "//tools:determinism_report",
    "//tools:evaluate",
    "//tools:generate",
    "//tools:oclustr",
    "//tools:online_cluster",
    "//tools:similarity_graph",
    "//tools:vectorize",
]

DIST_LIBRARIES = [
    "//algorithms/correlation",
    "//algorithms/dclustr",
    "//algorithms/density_peaks",
    "//algorithms/density_peaks/incremental:incremental_density_peaks",
    "//algorithms/oclustr",
    "//algorithms/oclustr:oclustr_documents",
    "//algorithms/online:online_clusterer",
    "//eval:compare_covers",
    "//graph/cosine:cosine_graph",
    "//graph/cosine:cosine_probe",
    "//graph/io:cover_io",
    "//graph/io:edge_list_reader",
    "//graph/io:edge_list_writer",
    "//graph/io:id_map",
    "//graph/io:signed_edge_list",
    "//sparse/io:json_lines",
    "//sparse/io:svmlight",
    "//sparse/text:term_counter",
    "//sparse/text:vectorizer",
    "//sparse/weighting",
    "//vptree/box_tree",
    "//vptree/io:csv_points",
    "//vptree/io:npy_points",
    "//vptree/vp_tree",
]

DIST_EXAMPLES = [
    "//examples:encyclopedia.jsonl",
    "//examples:encyclopedia_clusters.tsv",
    "//examples:encyclopedia_truth.tsv",
    "//examples:headlines.jsonl",
    "//examples:headlines_truth.tsv",
    "//examples:points.csv",
    "//examples:points_truth.tsv",
    "//examples:tribes.txt",
]

DIST_DOCS = [
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
]
