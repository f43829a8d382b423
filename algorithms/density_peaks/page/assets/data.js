// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// The arrays of the page, and the orders of the points by rank and by gamma.

// Points from high rank to low: density falling, then id rising. Sorts one
// number per point, exact because density < 2^31 and points < 2^22.
function rankOrder(rho) {
  const n = rho.length;
  let largest = 0;
  for (let i = 0; i < n; ++i) largest = Math.max(largest, rho[i]);
  const keys = new Float64Array(n);
  for (let i = 0; i < n; ++i) keys[i] = (largest - rho[i]) * n + i;
  keys.sort();
  return Int32Array.from(keys, (key) => key % n);
}

// Points by gamma, largest first, ties by rank. Sorts only the values, which is
// fast, then assigns the places of each value in order of rank.
function gammaRanking(gamma, order) {
  const n = gamma.length;
  const sorted = Float64Array.from(gamma, (g) => -g).sort();
  const taken = new Int32Array(n);
  const ranking = new Int32Array(n);
  for (const point of order) {
    let low = 0;
    let high = n;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < -gamma[point]) low = middle + 1; else high = middle;
    }
    ranking[low + taken[low]++] = point;
  }
  return ranking;
}

function loadData() {
  const meta = takeJson('meta');
  const ints = (name) => takeArray(name, Int32Array);
  const data = {
    meta,
    total: meta.total,
    rho: ints('rho'),
    delta: takeArray('delta', Float64Array),
    dependent: ints('dependent'),
    x: takeArray('x', Float32Array),
    y: takeArray('y', Float32Array),
    // Null if the page holds every point: then index = id and weight = 1.
    id: ints('id'),
    weight: ints('weight'),
    first: ints('first'),
    leftOut: null,
  };
  const n = data.n = data.rho.length;
  if (data.id) {
    data.leftOut = {
      gamma: meta.leftOutGamma,
      rho: ints('left-out-rho'),
      delta: takeArray('left-out-delta', Float64Array),
      level: ints('left-out-level'),
      count: ints('left-out-count'),
    };
  }
  data.order = rankOrder(data.rho);
  data.root = data.order[0];
  data.idOf = (i) => (data.id ? data.id[i] : i);
  data.names = takeJson('names');
  data.nameOf = (i) => ((data.names && data.names[i]) || String(data.idOf(i)));

  // The distance of rank 0 leads to no denser point: it is ranked and drawn with
  // the largest distance of the others if that is smaller.
  let largest = -1;
  for (let i = 0; i < n; ++i) {
    if (i !== data.root) largest = Math.max(largest, data.delta[i]);
  }
  data.shownDelta = data.delta;
  if (largest >= 0 && largest < data.delta[data.root]) {
    data.shownDelta = data.delta.slice();
    data.shownDelta[data.root] = largest;
  }
  data.gamma = new Float64Array(n);
  for (let i = 0; i < n; ++i) data.gamma[i] = data.rho[i] * data.shownDelta[i];
  data.ranking = gammaRanking(data.gamma, data.order);
  // As in SelectPeaks, the first point is a peak with any gamma.
  const root = data.order[0];
  data.ranking.copyWithin(1, 0, data.ranking.indexOf(root));
  data.ranking[0] = root;
  return data;
}
