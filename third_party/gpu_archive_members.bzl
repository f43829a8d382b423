# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""The members of //:gpu_archive. CI checks that every target tagged gpu is here."""

load("//third_party:dist_members.bzl", "DIST_TOOLS")

GPU_ARCHIVE_TESTS = [
    "//algorithms/correlation/annealing/cuda:annealing_cuda_test",
    "//algorithms/correlation/bound/cuda:fractional_engine_cuda_test",
    "//algorithms/correlation:correlation_clustering_cuda_test",
    "//algorithms/correlation/grasp_ils/cuda:starts_cuda_test",
    "//algorithms/correlation/local_search/cuda:best_improvement_cuda_test",
    "//algorithms/correlation/recombination:large_graph_cuda_test",
    "//algorithms/dclustr:dclustr_cuda_test",
    "//algorithms/density_peaks:density_peaks_cuda_test",
    "//algorithms/density_peaks/density/cuda:device_index_cuda_test",
    "//algorithms/density_peaks/density/cuda:pair_keys_cuda_test",
    "//algorithms/density_peaks/distributed/cuda:device_links_cuda_test",
    "//algorithms/density_peaks/distributed/cuda:rank_rows_cuda_test",
    "//algorithms/density_peaks/distributed:density_peaks_on_gpus_cuda_test",
    "//algorithms/density_peaks/distributed:density_peaks_on_ranks_cuda_test",
    "//algorithms/density_peaks/incremental:incremental_density_peaks_cuda_test",
    "//algorithms/density_peaks/peaks/cuda:basins_cuda_test",
    "//algorithms/oclustr:oclustr_cuda_test",
    "//algorithms/oclustr:oclustr_distributed_cuda_test",
    "//algorithms/online:online_ranks_cuda_test",
    "//algorithms/online/batched/cuda:batched_clusterer_cuda_test",
    "//algorithms/online/dense/cuda:byte_search_cuda_test",
    "//algorithms/online/paper/cuda:multiple_document_clusterer_cuda_test",
    "//graph/cosine/cuda:cosine_graph_cuda_test",
    "//graph/cosine/cuda:cosine_probe_cuda_test",
    "//graph/cosine/dense/cuda:begun_dense_join_cuda_test",
    "//graph/cosine/dense/cuda:dense_cosine_graph_cuda_test",
    "//graph/cosine/distributed:cosine_graph_distributed_cuda_test",
    "//graph/benchmarks:library_baselines_cuda_test",
    "//graph/benchmarks:paper_relevance_cuda_test",
    "//graph/benchmarks:paper_similarity_cuda_test",
    "//kernels:primitives_reduce_cuda_test",
    "//kernels:primitives_sort_cuda_test",
    "//kernels:stream_cuda_test",
    "//kernels/device:cuda_status_cuda_test",
    "//kernels/device:device_limits_cuda_test",
    "//kernels/device:gpu_ranks_cuda_test",
    "//kernels/memory:device_buffer_cuda_test",
    "//kernels/memory:early_upload_cuda_test",
    "//kernels/memory:gpu_array_cuda_test",
    "//kernels/memory:pinned_buffer_cuda_test",
    "//kernels/nccl:device_exchange_cuda_test",
    "//kernels/nccl:peer_window_cuda_test",
    "//sparse/term_lists:device_term_lists_cuda_test",
    "//python/c_api:c_api_cuda_test",
    "//vptree/benchmarks:paper_vp_tree_cuda_test",
    "//vptree/brute_force/cuda:brute_force_between_cuda_test",
    "//vptree/brute_force/cuda:brute_force_cuda_test",
    "//vptree/leaf_tree/cuda:leaf_tree_cuda_test",
    "//vptree:nearest_neighbors_cuda_test",
]

GPU_ARCHIVE_BENCHMARKS = [
    "//algorithms/correlation/benchmarks:correlation_benchmark",
    "//algorithms/correlation/benchmarks:published_variants_benchmark",
    "//algorithms/dclustr/benchmarks:dclustr_benchmark",
    "//algorithms/dclustr/benchmarks:dclustr_orders_benchmark",
    "//algorithms/density_peaks/benchmarks:density_peaks_benchmark",
    "//algorithms/density_peaks/benchmarks:incremental_benchmark",
    "//algorithms/density_peaks/benchmarks:index_map_benchmark",
    "//algorithms/oclustr/benchmarks:oclustr_cuda_benchmark",
    "//algorithms/oclustr/benchmarks:oclustr_orders_benchmark",
    "//algorithms/online/benchmarks:dense_online_benchmark",
    "//algorithms/online/benchmarks:online_benchmark",
    "//graph/benchmarks:cosine_graph_cuda_benchmark",
    "//graph/benchmarks:cosine_probe_benchmark",
    "//graph/benchmarks:dense_cosine_cuda_benchmark",
    "//kernels/benchmarks:device_buffer_benchmark",
    "//tools/benchmarks:reading_benchmark",
    "//vptree/benchmarks:brute_force_cuda_benchmark",
    "//vptree/benchmarks:nearest_neighbors_benchmark",
    "//vptree/benchmarks:paper_vp_tree_benchmark",
]

GPU_ARCHIVE_TOOLS = DIST_TOOLS + ["//tools/reproduce"]

GPU_ARCHIVE_SCRIPTS = [
    "//python/tests:gpu_arrays_test.py",
    "//tools/benchmarks:bound_table.py",
    "//tools/benchmarks:device_grid.py",
    "//tools/benchmarks:rank_jobs.py",
]

# The Python package.
GPU_ARCHIVE_DATA = [
    "//python:sources",
    "//python/c_api:libwarpclust.so",
]
