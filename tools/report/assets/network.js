// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// The page of correlation_cluster: its clusters by size and cost, the edges that
// contradict them, and how each vertex is bound to its cluster.

const MAX_DISCS = 1000;

const page = (() => {
  const meta = takeJson('meta');
  const {total} = meta;
  // By cluster.
  const size = takeArray('size', Int32Array);
  const negativeInside = takeArray('negative-inside', Float64Array);
  const positiveOutside = takeArray('positive-outside', Float64Array);
  // By vertex that the page holds: sums of the weights of its edges.
  const names = takeJson('names');
  const clusterOf = takeArray('cluster', Int32Array);
  const ownPositive = takeArray('own-positive', Float32Array);
  const ownNegative = takeArray('own-negative', Float32Array);
  const allPositive = takeArray('all-positive', Float32Array);
  const allNegative = takeArray('all-negative', Float32Array);
  const rival = takeArray('rival', Int32Array);
  const rivalPositive = takeArray('rival-positive', Float32Array);
  const rivalNegative = takeArray('rival-negative', Float32Array);
  // How far the clusters of the other partitions agree; empty if there are none.
  const stability = takeArray('stability', Float64Array);
  const clusterStability = takeArray('cluster-stability', Float64Array);
  const stabilityColumn = (values) => (values.length === 0 ? []
    : [{name: 'stable', key: (i) => values[i], cell: (i) => percent(values[i])}]);
  const percent = (share) => `${(100 * share).toFixed(0)} %`;
  // The heaviest edges that contradict the clusters, between held vertices.
  const edgeU = takeArray('edge-u', Int32Array);
  const edgeV = takeArray('edge-v', Int32Array);
  const edgeWeight = takeArray('edge-weight', Float64Array);

  const costOf = (c) => negativeInside[c] + positiveOutside[c];
  const vertexCost = (v) => ownNegative[v] + allPositive[v] - ownPositive[v];

  // By cluster: the held members, and the one that is bound most to the others.
  const members = range(size.length).map(() => []);
  clusterOf.forEach((c, v) => members[c].push(v));
  const leader = members.map((list) => list.reduce(
    (best, v) => (best < 0 || ownPositive[v] > ownPositive[best] ? v : best), -1));
  // Colors by size, so that the largest clusters differ most.
  const colorOf = new Int32Array(size.length);
  const bySize = range(size.length).sort((a, b) => size[b] - size[a] || a - b);
  bySize.forEach((c, k) => { colorOf[c] = k; });

  // A cluster is named after its leader.
  const nameOf = (c) => (leader[c] < 0 ? '' : names[leader[c]]);
  const chooseCluster = (c) => choose({cluster: c});
  const chooseVertex = (v) => choose({vertex: v, cluster: clusterOf[v]});
  const clusterLink = (c) => {
    const label = element('span');
    label.append(swatchOf(colorOf[c]), String(c));
    if (leader[c] >= 0) label.append(', around ', fileText(nameOf(c)));
    return linkButton(label, () => chooseCluster(c));
  };
  const vertexLink = (v) => linkButton(names[v], () => chooseVertex(v));
  const edgeText = (e) => (edgeWeight[e] < 0 ? 'enemies inside' : 'friends apart');

  const clusters = new SearchList('clusters', {
    nouns: ['cluster', 'clusters'],
    count: size.length,
    columns: [
      {
        name: 'cluster', text: true, rising: true, key: (c) => c,
        cell: (c) => {
          const cell = element('span', undefined, 'number');
          cell.append(swatchOf(colorOf[c]), String(c));
          return cell;
        },
      },
      {name: 'around', text: true, wide: true, rising: true, key: nameOf, cell: (c) => nameCell([fileText(nameOf(c))])},
      {name: 'size', key: (c) => size[c], cell: (c) => formatNumber(size[c])},
      {name: '− inside', key: (c) => negativeInside[c], cell: (c) => formatNumber(negativeInside[c])},
      {name: '+ outside', key: (c) => positiveOutside[c], cell: (c) => formatNumber(positiveOutside[c])},
      ...stabilityColumn(clusterStability),
    ],
    sortedBy: 2,
    textOf: (c) => `${c} ${members[c].map((v) => names[v]).join(' ')}`,
    choose: chooseCluster,
  });
  const edges = new SearchList('edges', {
    nouns: ['edge', 'edges'],
    count: edgeU.length,
    columns: [
      {
        name: 'edge', text: true, wide: true, rising: true, key: (e) => names[edgeU[e]],
        cell: (e) => nameCell([fileText(names[edgeU[e]]), ' – ', fileText(names[edgeV[e]])], edgeWeight[e] < 0
          ? `enemies inside cluster ${clusterOf[edgeU[e]]}`
          : `friends apart: clusters ${clusterOf[edgeU[e]]} and ${clusterOf[edgeV[e]]}`),
      },
      {name: 'weight', key: (e) => Math.abs(edgeWeight[e]), cell: (e) => formatNumber(edgeWeight[e])},
    ],
    sortedBy: 1,
    textOf: (e) => `${names[edgeU[e]]} ${names[edgeV[e]]} ${edgeText(e)} ${clusterOf[edgeU[e]]} ${clusterOf[edgeV[e]]}`,
    choose: (e) => choose({edge: e, cluster: clusterOf[edgeU[e]]}),
  });
  const vertices = new SearchList('vertices', {
    nouns: ['vertex', 'vertices'],
    count: names.length,
    columns: [
      {name: 'vertex', text: true, wide: true, rising: true, key: (v) => names[v], cell: (v) => nameCell([fileText(names[v])])},
      {name: 'cluster', rising: true, key: (v) => clusterOf[v], cell: (v) => String(clusterOf[v])},
      {name: 'edges', key: (v) => allPositive[v] + allNegative[v], cell: (v) => formatNumber(allPositive[v] + allNegative[v])},
      {name: 'cost', key: vertexCost, cell: (v) => formatNumber(vertexCost(v))},
      ...stabilityColumn(stability),
    ],
    sortedBy: 3,
    textOf: (v) => names[v],
    choose: chooseVertex,
  });
  const tabs = new Tabs({'tab-clusters': 'clusters', 'tab-edges': 'edges', 'tab-vertices': 'vertices'});

  const costs = new DiscChart('cost-plot', {
    xLabel: 'size', yLabel: 'cost',
    discs: bySize.slice(0, MAX_DISCS).map((c) => ({
      index: c, x: size[c], y: costOf(c), color: cssColor(clusterColor(colorOf[c])), name: nameOf(c)})),
    summary: `${counted(size.length, ['cluster', 'clusters'])} by size and cost. The list has the same values.`,
    describe: ({index: c}) => [`cluster ${c}, around ${nameOf(c)}`, counted(size[c], ['vertex', 'vertices']),
      `negative inside ${formatNumber(negativeInside[c])}`, `positive outside ${formatNumber(positiveOutside[c])}`],
    choose: chooseCluster,
  });
  const {improvements, bounds} = meta;
  const trace = new StepChart('trace-plot', {
    xLabel: 'seconds', yLabel: 'I(P)', steps: improvements, lower: bounds, end: meta.seconds,
    summary: improvements.length === 0 ? 'No partition was searched for.'
      : `I(P) falls from ${formatNumber(improvements[0][1])} to ` +
        `${formatNumber(improvements[improvements.length - 1][1])} in ${formatNumber(meta.seconds)} seconds.` +
        (bounds.length === 0 ? '' : ` The lower bound rises to ${formatNumber(bounds[bounds.length - 1][1])}.`),
    describe: ([seconds, value]) => [`I(P) ${formatNumber(value)}`, `after ${formatNumber(Number(seconds.toPrecision(3)))} s`],
  });

  // The held edges that contradict the clusters, by `keep`.
  const edgesWhere = (keep) => range(edgeU.length).filter(keep);
  const edgeItems = (chosen, of) => chosen.map((e) => {
    const ends = of === undefined ? [vertexLink(edgeU[e]), ' – ', vertexLink(edgeV[e])]
      : [vertexLink(edgeU[e] === of ? edgeV[e] : edgeU[e])];
    return [ends, `${edgeText(e)}, ${formatNumber(edgeWeight[e])}`];
  });

  const showCluster = (c) => {
    const inCluster = (v) => clusterOf[v] === c;
    const against = edgesWhere((e) => inCluster(edgeU[e]) || inCluster(edgeV[e]));
    const pulls = new Map();
    for (const e of against) {
      if (edgeWeight[e] < 0) continue;
      const other = inCluster(edgeU[e]) ? clusterOf[edgeV[e]] : clusterOf[edgeU[e]];
      pulls.set(other, (pulls.get(other) || 0) + edgeWeight[e]);
    }
    const title = element('h2');
    title.append(swatchOf(colorOf[c]), `Cluster ${c}`);
    if (leader[c] >= 0) title.append(', around ', fileText(nameOf(c)));
    showDetails(title,
      definitions([
        ['size', counted(size[c], ['vertex', 'vertices'])],
        ['negative inside', formatNumber(negativeInside[c])],
        ['positive to other clusters', formatNumber(positiveOutside[c])],
        ...(clusterStability.length === 0 ? [] : [['stable', `${percent(clusterStability[c])}, mean of its members`]]),
      ]),
      ...detailList('Drawn to', Array.from(pulls).sort((a, b) => b[1] - a[1] || a[0] - b[0])
        .map(([other, weight]) => [clusterLink(other), `positive ${formatNumber(weight)}`])),
      ...detailList('Members, costly ones first', members[c].slice()
        .sort((a, b) => vertexCost(b) - vertexCost(a) || a - b)
        .map((v) => [vertexLink(v), `cost ${formatNumber(vertexCost(v))}`]), size[c]),
      ...detailList('Edges against it', edgeItems(against)));
  };

  const showVertex = (v) => {
    const c = clusterOf[v];
    const title = element('h2');
    title.append(fileText(names[v]));
    const moves = [[element('span', 'alone, in a new cluster'), ownPositive[v] - ownNegative[v]]];
    if (rival[v] >= 0) {
      moves.unshift([clusterLink(rival[v]), ownPositive[v] - ownNegative[v] - (rivalPositive[v] - rivalNegative[v])]);
    }
    const signed = (change) => (change > 0 ? '+' : '') + formatNumber(change);
    const reasons = [
      ['cluster', clusterLink(c)],
      ['to its cluster', `positive ${formatNumber(ownPositive[v])}, negative ${formatNumber(ownNegative[v])}`],
      ['to all others', `positive ${formatNumber(allPositive[v] - ownPositive[v])}, ` +
        `negative ${formatNumber(allNegative[v] - ownNegative[v])}`],
      ['cost here', `${formatNumber(vertexCost(v))}: negative inside and positive outside`],
    ];
    if (stability.length > 0) {
      reasons.push(['stable', `${percent(stability[v])}: so far its cluster is the same in other good partitions`]);
    }
    showDetails(title, definitions(reasons),
      ...detailList('Elsewhere, I(P) would change by', moves.map(([where, change]) => [where, signed(change)])),
      ...detailList('Edges against it', edgeItems(edgesWhere((e) => edgeU[e] === v || edgeV[e] === v), v)));
  };

  const showEdge = (e) => {
    const title = element('h2');
    title.append(fileText(names[edgeU[e]]), ' – ', fileText(names[edgeV[e]]));
    showDetails(title,
      element('p', edgeWeight[e] < 0
        ? 'A negative edge inside a cluster: its ends repel each other but are together.'
        : 'A positive edge between two clusters: its ends attract each other but are apart.'),
      definitions([
        ['weight', formatNumber(edgeWeight[e])],
        ['from', vertexLink(edgeU[e])], ['in', clusterLink(clusterOf[edgeU[e]])],
        ['to', vertexLink(edgeV[e])], ['in', clusterLink(clusterOf[edgeV[e]])],
      ]));
  };

  const state = {cluster: -1, vertex: -1, edge: -1};
  function choose({cluster = -1, vertex = -1, edge = -1}) {
    Object.assign(state, {cluster, vertex, edge});
    clusters.setChosen(cluster);
    vertices.setChosen(vertex);
    edges.setChosen(edge);
    costs.setChosen(cluster);
    if (edge >= 0) showEdge(edge);
    else if (vertex >= 0) showVertex(vertex);
    else if (cluster >= 0) showCluster(cluster);
    else showOverview();
  }

  function showOverview() {
    const share = meta.weight > 0 ? 100 * meta.imbalance / meta.weight : 0;
    showDetails(element('h2', 'What contradicts the clusters'),
      element('p', `I(P) = ${groupDigits(meta.imbalanceText)}: ${share.toPrecision(3)} % of the weight of all edges. ` +
        'It is the weight of the negative edges inside clusters and of the positive edges between them.'),
      element('p', meta.optimal ? 'This is optimal: no partition costs less.'
        : meta.boundText === null ? 'The search is heuristic: a better partition may exist. I(P) itself is exact.'
          : `No partition costs less than ${groupDigits(meta.boundText)}: this is proved.`),
      ...(meta.alternatives.length === 0 ? []
        : [element('p', 'Other partitions that were found cost ' +
          `${meta.alternatives.map(groupDigits).join(', ')}. “Stable” says how far they have the same clusters.`)]),
      element('p', 'Choose a cluster, an edge or a vertex to see what binds it and what contradicts it.'),
      ...detailList('Clusters of largest cost', range(size.length).filter((c) => costOf(c) > 0)
        .sort((a, b) => costOf(b) - costOf(a) || a - b).slice(0, 8)
        .map((c) => [clusterLink(c), `cost ${formatNumber(costOf(c))}`])),
      ...detailList('Edges that hurt most', edgeItems(range(Math.min(8, edgeU.length)))));
  }

  byId('log-time').addEventListener('change', (event) => {
    trace.logX = event.target.checked;
    trace.draw();
  });
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') choose({});
  });
  showFacts('facts', [
    ['vertices', formatNumber(total.vertices)], ['edges', formatNumber(total.edges)],
    ['positive weight', groupDigits(meta.positiveText)],
    ['negative weight', groupDigits(meta.negativeText)],
  ]);
  showFacts('outcome', [['clusters', formatNumber(size.length)], ['I(P)', groupDigits(meta.imbalanceText)]]);
  const held = [];
  if (names.length < total.vertices) {
    held.push(`Lists ${formatNumber(names.length)} of ${formatNumber(total.vertices)} vertices, those of largest cost.`);
  }
  if (size.length > MAX_DISCS) held.push(`Draws the ${formatNumber(MAX_DISCS)} largest clusters.`);
  if (edgeU.length < total.against) {
    held.push(`Lists ${formatNumber(edgeU.length)} of ${formatNumber(total.against)} edges against the clusters, the heaviest.`);
  }
  byId('held').textContent = held.join(' ') || 'Lists all vertices, and all edges that contradict the clusters.';
  if (bounds.length > 0) byId('trace-hint').textContent = 'dashed: the lower bound';
  showCommand(meta.command);
  choose({});

  return {meta, state, choose, clusters, edges, vertices, tabs, costs, trace, names, size};
})();
