// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Uses a page about a network as a person would, and compares it with sums over
// `testEdges` and `testLabels`.

function inUnits(value) {
  return Math.round(value * testUnits);
}

// The costs of all clusters and of all vertices, and the edges against them.
function countAgain() {
  const inside = page.size.length === 0 ? [] : new Array(page.size.length).fill(0);
  const outside = inside.slice();
  const cost = testNames.map(() => 0);
  const against = [];
  for (const [u, v, weight] of distinctEdges()) {
    const together = testLabels[u] === testLabels[v];
    if (together !== (weight < 0)) continue;
    against.push([u, v, weight]);
    cost[u] += Math.abs(weight);
    cost[v] += Math.abs(weight);
    if (together) {
      inside[testLabels[u]] -= weight;
    } else {
      outside[testLabels[u]] += weight;
      outside[testLabels[v]] += weight;
    }
  }
  return {inside, outside, cost, against};
}

function distinctEdges() {
  const seen = new Map();
  for (const edge of testEdges) seen.set(`${edge[0]} ${edge[1]}`, edge);
  return Array.from(seen.values());
}

function chooseFirst(id) {
  const row = byId(id).querySelector('tbody tr');
  row.click();
  return Number(row.dataset.index);
}

async function runTest() {
  await drawn();
  checkEqual(document.querySelector('h1').textContent, testTitle, 'title');
  const {inside, outside, cost, against} = countAgain();
  const {names, clusters, edges, vertices, meta, size} = page;

  // The header.
  const imbalance = against.reduce((sum, [, , weight]) => sum + Math.abs(weight), 0);
  checkEqual(inUnits(meta.imbalance), imbalance, 'I(P)');
  check(byId('outcome').textContent.includes(groupDigits(meta.imbalanceText)), 'I(P) is shown');
  checkEqual(groupDigits('-1234567.25'), '-1,234,567.25', 'digits');
  checkEqual(meta.total.against, against.length, 'edges against');

  // Vertices: all, or those of largest cost.
  const most = testMost[0];
  const held = testNames.map((_, v) => v).sort((a, b) => cost[b] - cost[a] || a - b).slice(0, most)
    .sort((a, b) => a - b);
  checkEqual(names, held.map((v) => testNames[v]), 'held vertices');
  checkEqual(vertices.found.map((i) => inUnits(vertices.columns[3].key(i))),
    held.map((v) => cost[v]).sort((a, b) => b - a), 'costs of vertices');

  // Stability: the share of common members, against all pairs of vertices.
  const stable = (v) => d3.mean(testOthers, (labels) => {
    const here = testLabels.map((label) => label === testLabels[v]);
    const there = labels.map((label) => label === labels[v]);
    return here.filter((is, u) => is && there[u]).length / here.filter((is, u) => is || there[u]).length;
  });
  checkEqual(vertices.columns.length, testOthers.length > 0 ? 5 : 4, 'column of stability');
  if (testOthers.length > 0) {
    for (let i = 0; i < Math.min(held.length, 50); ++i) {
      check(Math.abs(vertices.columns[4].key(i) - stable(held[i])) < 1e-9, 'stability');
    }
    check(byId('details').textContent.includes('Other partitions'), 'other partitions');
  }
  checkEqual(meta.alternatives.length, testOthers.length, 'alternatives');
  checkEqual(byId('trace-plot').querySelector('.lower').getAttribute('d') !== '', meta.bounds.length > 0, 'bound drawn');
  if (testBound >= 0) {
    check(meta.optimal || byId('details').textContent.includes('this is proved'), 'bound in words');
    checkEqual(inUnits(meta.bounds[meta.bounds.length - 1][1]), testBound, 'last bound');
    checkEqual(byId('trace-hint').textContent, 'dashed: the lower bound', 'hint');
  }

  // Clusters.
  const sizes = size.length === 0 ? [] : new Array(size.length).fill(0);
  for (const label of testLabels) ++sizes[label];
  checkEqual(Array.from(size), sizes, 'sizes');
  checkEqual(Array.from(size, (_, c) => inUnits(clusters.columns[3].key(c))), inside, 'negative inside');
  checkEqual(Array.from(size, (_, c) => inUnits(clusters.columns[4].key(c))), outside, 'positive outside');

  // Edges: the heaviest between held vertices first.
  const isHeld = new Set(held);
  const expected = against.filter(([u, v]) => isHeld.has(u) && isHeld.has(v))
    .sort((a, b) => Math.abs(b[2]) - Math.abs(a[2]) || cost[b[0]] + cost[b[1]] - cost[a[0]] - cost[a[1]] ||
      a[0] - b[0] || a[1] - b[1]).slice(0, testMost[1]);
  byId('tab-edges').click();
  checkEqual(shownRows('edges').map((cells) => cells[0]),
    expected.slice(0, ROWS_SHOWN).map(([u, v]) => `${testNames[u]} – ${testNames[v]}`), 'edges');
  const whole = names.length === testNames.length && expected.length === against.length && size.length <= MAX_DISCS;
  checkEqual(byId('held').textContent.startsWith('Lists all'), whole, 'what the page lists');

  const membersText = (c) => `${c} ${held.filter((v) => testLabels[v] === c).map((v) => testNames[v]).join(' ')}`;
  checkList('clusters', clusters, sizes.map((_, c) => membersText(c)));
  checkList('edges', edges, expected.map((_, e) => edges.textOf(e)));
  checkList('vertices', vertices, names);

  // Details.
  if (expected.length > 0) {
    const e = chooseFirst('edges');
    const [u, v] = expected[e];
    for (const end of [u, v]) check(byId('details').textContent.includes(testNames[end]), 'ends of an edge');
    check(page.costs.chosen === testLabels[u], 'the cluster of an edge is marked');
    byId('tab-vertices').click();
    const at = chooseFirst('vertices');
    const text = byId('details').textContent;
    check(text.startsWith(names[at]), 'name of a vertex');
    checkMoves(held[at], text);
    // A link leads to the cluster.
    const link = Array.from(byId('details').querySelectorAll('.link'))
      .find((button) => button.textContent.startsWith(String(testLabels[held[at]])));
    link.click();
    checkEqual(page.state.cluster, testLabels[held[at]], 'link to a cluster');
    check(byId('details').textContent.startsWith(`Cluster ${page.state.cluster}`), 'details of a cluster');
  }
  for (let c = 0; c < Math.min(size.length, 5); ++c) {
    page.choose({cluster: c});
    checkNoMarkup();
  }
  window.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));
  checkEqual(page.state.cluster, -1, 'Escape leads back');
  check(byId('details').textContent.includes('I(P) ='), 'the overview');

  // Plots.
  byId('log-time').click();
  await drawn();
  byId('log-time').click();
  await drawn();
  checkEqual(byId('cost-plot').querySelectorAll('circle').length, Math.min(size.length, MAX_DISCS), 'discs');
  const disc = byId('cost-plot').querySelector('circle');
  if (disc) {
    disc.dispatchEvent(new MouseEvent('click', {bubbles: true}));
    check(page.state.cluster >= 0 && size[page.state.cluster] === Math.max(...size), 'the largest cluster is clicked');
    disc.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: 300, clientY: 300}));
    check(!byId('tooltip').hidden, 'tooltip');
    disc.dispatchEvent(new PointerEvent('pointerleave', {bubbles: true}));
    check(byId('tooltip').hidden, 'tooltip gone');
  }
  checkEqual(byId('trace-plot').querySelectorAll('circle').length, meta.improvements.length, 'improvements');

  // Tabs by keyboard.
  byId('tab-clusters').focus();
  press(byId('tab-clusters'), 'ArrowRight');
  checkEqual([document.activeElement.id, byId('edges').hidden, byId('clusters').hidden],
    ['tab-edges', false, true], 'arrow keys change tabs');
  checkEqual(byId('command').textContent, `correlation_cluster '--input=it'\\''s <\/script>'`, 'command');
  checkNoMarkup();
  checkAccessible();
}

// What the page says of moving a vertex is what I(P) changes by.
function checkMoves(vertex, text) {
  const costIn = (cluster) => distinctEdges().reduce((sum, [u, v, weight]) => {
    if (u !== vertex && v !== vertex) return sum;
    const together = testLabels[u === vertex ? v : u] === cluster;
    return sum + (together === (weight < 0) ? Math.abs(weight) : 0);
  }, 0);
  const here = costIn(testLabels[vertex]);
  const shown = (change) => (change > 0 ? '+' : '') + formatNumber(change / testUnits);
  check(text.includes(`alone, in a new cluster${shown(costIn(-1) - here)}`), `cost alone: ${text}`);
  let best = Infinity;
  for (let c = 0; c < page.size.length; ++c) {
    if (c !== testLabels[vertex]) best = Math.min(best, costIn(c));
  }
  const moves = Array.from(byId('details').querySelectorAll('li'), (item) => item.lastChild.textContent);
  check(best === Infinity || best === costIn(-1) || moves[0] === shown(best - here), `best move: ${moves[0]}`);
}

testPage(runTest);
