# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""The structures of warpclust.h by ctypes, field by field; native_test.py compares them."""

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_uint64, c_void_p

Progress = ctypes.CFUNCTYPE(c_int32, c_double, c_void_p)
uint8s = POINTER(ctypes.c_uint8)
int32s = POINTER(c_int32)
int64s = POINTER(c_int64)
floats = POINTER(ctypes.c_float)
doubles = POINTER(c_double)


def _structure(name, **fields):
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


run_t = _structure(
    "run",
    device=c_char_p,
    num_threads=c_int32,
    progress=Progress,
    progress_data=c_void_p,
    num_gpus=c_int32,
)
documents_t = _structure(
    "documents",
    num_documents=c_int32,
    num_terms=c_int32,
    offsets=int64s,
    terms=int32s,
    weights=floats,
)
dense_documents_t = _structure(
    "dense_documents",
    num_documents=c_int32,
    num_dimensions=c_int32,
    values=floats,
    on_gpu=c_int32,
)
graph_t = _structure(
    "graph",
    num_vertices=c_int32,
    offsets=int64s,
    neighbors=int32s,
    weights=floats,
    storage=c_void_p,
)
cover_t = _structure("cover", num_clusters=c_int32, offsets=int64s, members=int32s)
star_cover_t = _structure(
    "star_cover",
    cover=cover_t,
    centers=int32s,
    num_satellites=int32s,
    linked_offsets=int64s,
    linked=int32s,
    num_items=c_int32,
    num_edges=c_int64,
    ids=c_void_p,
    id_offsets=int64s,
    storage=c_void_p,
)
beta_choice_t = _structure(
    "beta_choice",
    beta=c_char_p,
    best=c_int32,
    num_documents=c_int32,
    expected_fbcubed=c_double,
    storage=c_void_p,
)
dclustr_options_t = _structure(
    "dclustr_options", beta=c_char_p, weighting=c_char_p, mode=c_char_p
)
names_t = _structure("names", num_names=c_int32, names=POINTER(c_char_p))
dclustr_update_t = _structure(
    "dclustr_update",
    added=c_int32,
    removed=c_int32,
    new_edges=c_int64,
    removed_edges=c_int64,
    documents=c_int32,
    edges=c_int64,
    components=c_int32,
    idf_drift=c_double,
)
online_options_t = _structure(
    "online_options",
    threshold=c_char_p,
    terms=c_int32,
    expire_after=c_int64,
    merge_every=c_int64,
    merge_threshold=c_char_p,
    truncated_mean=c_int32,
    method=c_char_p,
    batch=c_int32,
    epsilon=c_char_p,
)
online_state_t = _structure(
    "online_state",
    num_clusters=c_int32,
    offsets=int64s,
    terms=int32s,
    sums=int64s,
    sizes=int64s,
    last_times=int64s,
    num_documents=c_int64,
    clock=c_int64,
    num_terms=c_int32,
    storage=c_void_p,
)
signed_edges_t = _structure(
    "signed_edges",
    num_vertices=c_int32,
    num_edges=c_int64,
    u=int32s,
    v=int32s,
    weights=int64s,
    units_per_one=c_int64,
)
correlation_options_t = _structure(
    "correlation_options",
    method=c_char_p,
    seed=c_uint64,
    time_limit=c_double,
    iterations=c_int64,
    no_improvement=c_int64,
    alpha=c_double,
    neighborhood=c_int32,
    ils_iterations=c_int64,
    perturbation_max=c_int64,
)
correlation_result_t = _structure(
    "correlation_result",
    labels=int32s,
    num_clusters=c_int32,
    imbalance=c_int64,
    proven_optimal=c_int32,
    starts=c_int64,
    stopped=c_int32,
    storage=c_void_p,
)
points_t = _structure("points", num_points=c_int32, num_dimensions=c_int32, values=doubles)
peaks_t = _structure(
    "peaks",
    count=c_int32,
    density_min=c_int32,
    delta_min=c_double,
    gamma_min=c_double,
    significance=c_int32,
)
density_peaks_options_t = _structure(
    "density_peaks_options",
    metric=c_char_p,
    cutoff_distance=c_double,
    cutoff_quantile=c_double,
    seed=c_uint64,
    peaks=peaks_t,
    halo=c_int32,
    index=c_char_p,
    density=c_char_p,
    neighbors=c_int32,
)
density_peaks_result_t = _structure(
    "density_peaks_result",
    num_points=c_int32,
    num_clusters=c_int32,
    cutoff_distance=c_double,
    neighbors=c_int32,
    cutoff_sampled=c_int32,
    cutoff_replaced=c_int32,
    densities=int32s,
    dependent_points=int32s,
    dependent_distances=doubles,
    labels=int32s,
    noise=uint8s,
    halo=uint8s,
    peaks=int32s,
    saddles=int32s,
    sigmas=doubles,
    least_sigma=c_double,
    num_candidates=c_int32,
    storage=c_void_p,
)
density_peaks_range_t = _structure(
    "density_peaks_range",
    first=c_double,
    last=c_double,
    num_values=c_int32,
    keep_labels=c_int32,
)
density_peaks_sweep_result_t = _structure(
    "density_peaks_sweep_result",
    num_values=c_int32,
    num_points=c_int32,
    cutoff_quantiles=doubles,
    cutoff_distances=doubles,
    neighbors=int32s,
    num_clusters=int32s,
    largest=int32s,
    noise=int32s,
    num_candidates=int32s,
    least_sigmas=doubles,
    weakest_sigmas=doubles,
    agreements=doubles,
    stable=uint8s,
    labels=int32s,
    storage=c_void_p,
)
incremental_density_peaks_options_t = _structure(
    "incremental_density_peaks_options",
    metric=c_char_p,
    cutoff_distance=c_double,
    update=c_char_p,
    index=c_char_p,
)
measures_t = _structure(
    "measures",
    num_measures=c_int32,
    names=POINTER(c_char_p),
    values=doubles,
    storage=c_void_p,
)
