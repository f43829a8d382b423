// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// The page of oclustr, dclustr and online_cluster: what the clusters are about,
// their members and neighbors, and why a document is in its clusters.

const MAX_MAP = 150;
const MAX_TIME_ROWS = 22;
const REASONS = 4;

const page = (() => {
  const meta = takeJson('meta');
  const {total, nouns} = meta;
  const [one, many] = nouns;
  // By listed cluster.
  const clusterTitles = takeJson('cluster-titles');
  const number = takeArray('number', Int32Array);
  const size = takeArray('size', Float64Array);
  const inner = takeArray('inner', Float32Array);
  const center = takeArray('center', Int32Array);
  const numNeighbors = takeArray('neighbors', Int32Array);
  const termStart = takeArray('term-start', Int32Array);
  const term = takeArray('term', Int32Array);
  const neighborStart = takeArray('neighbor-start', Int32Array);
  const neighbor = takeArray('neighbor', Int32Array);
  const shared = takeArray('shared', Int32Array);
  const memberStart = takeArray('member-start', Int32Array);
  // By membership.
  const member = takeArray('member', Int32Array);
  const cosine = takeArray('cosine', Float32Array);
  const why = takeArray('why', Int32Array);
  const percent = takeArray('percent', Uint8Array);
  // By listed document.
  const ids = takeJson('ids');
  const titles = takeJson('titles');
  const words = takeJson('words');
  // Streams.
  const first = takeArray('first', Float64Array);
  const last = takeArray('last', Float64Array);
  const timeStart = takeArray('time-start', Int32Array);
  const time = takeArray('time', Float64Array);
  const timeCount = takeArray('time-count', Int32Array);
  const cosineCounts = takeArray('cosine-counts', Float64Array);

  const clusterCount = number.length;
  const between = (starts, c) => range(starts[c + 1] - starts[c]).map((k) => starts[c] + k);
  const termsOf = (c) => between(termStart, c).map((k) => words[term[k]]);
  const titleOf = (d) => titles[d] || ids[d];
  const nameOf = (c) => clusterTitles[c] || (center[c] >= 0 ? titleOf(center[c]) : `cluster ${number[c]}`);
  // A name for a picture, where long titles have no room.
  const labelOf = (c) => termsOf(c).slice(0, 2).join(', ') || nameOf(c);
  const hasTerms = words.length > 0;
  const hasCosines = cosineCounts.some((count, k) => k > 0 && count > 0);
  const isStream = time !== null && time.length > 0;

  // The memberships of each document.
  const memberships = ids.map(() => []);
  const clusterOf = new Int32Array(member.length);
  for (let c = 0; c < clusterCount; ++c) {
    for (let m = memberStart[c]; m < memberStart[c + 1]; ++m) {
      memberships[member[m]].push(m);
      clusterOf[m] = c;
    }
  }
  const bySize = range(clusterCount).sort((a, b) => size[b] - size[a] || a - b);
  const colorOf = new Int32Array(clusterCount);
  bySize.forEach((c, k) => { colorOf[c] = k; });

  const percentText = (value) => `${Math.round(100 * value)} %`;
  const cosineText = (value) => value.toFixed(3);
  const dateText = (seconds) => {
    const text = new Date(1000 * seconds).toISOString();
    return meta.interval >= 86400 ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
  };
  const chooseCluster = (c) => choose({cluster: c});
  const chooseDocument = (d) => choose({document: d});
  const clusterLink = (c) => {
    const label = element('span');
    label.append(swatchOf(colorOf[c]), `${number[c]} `, fileText(nameOf(c)));
    return linkButton(label, () => chooseCluster(c));
  };
  const documentLink = (d) => linkButton(titleOf(d), () => chooseDocument(d));

  const peakOf = (c) => between(timeStart, c).reduce((best, k) => (best < 0 || timeCount[k] > timeCount[best] ? k : best), -1);

  const clusterColumns = [
    {
      name: 'cluster', text: true, wide: true, rising: true, key: (c) => number[c],
      cell: (c) => nameCell([swatchOf(colorOf[c]), element('span', `${number[c]} `, 'number'), fileText(nameOf(c))],
        termsOf(c).slice(0, 6).join(', ')),
    },
    {name: 'size', key: (c) => size[c], cell: (c) => formatNumber(size[c])},
  ];
  if (isStream) {
    clusterColumns.push({name: 'last', key: (c) => last[c], cell: (c) => (peakOf(c) < 0 ? '–' : dateText(last[c]).slice(0, 10))});
  } else if (hasCosines) {
    clusterColumns.push({name: 'cosine', key: (c) => inner[c], cell: (c) => (size[c] > 1 ? inner[c].toFixed(2) : '–')});
  }
  const clusters = new SearchList('clusters', {
    nouns: ['cluster', 'clusters'],
    count: clusterCount,
    columns: clusterColumns,
    sortedBy: 1,
    textOf: (c) => `${number[c]} ${nameOf(c)} ${termsOf(c).join(' ')}`,
    choose: chooseCluster,
  });
  const bestOf = (d) => memberships[d].reduce((best, m) => (best < 0 || cosine[m] > cosine[best] ? m : best), -1);
  const documents = new SearchList('documents', {
    nouns,
    count: ids.length,
    columns: [
      {
        name: one, text: true, wide: true, rising: true, key: titleOf,
        cell: (d) => nameCell([fileText(titleOf(d))], titles[d] ? ids[d] : ''),
      },
      {
        name: 'clusters', key: (d) => memberships[d].length,
        cell: (d) => {
          const numbers = memberships[d].slice(0, 4).map((m) => number[clusterOf[m]]).join(', ');
          return memberships[d].length > 4 ? `${numbers}, … (${memberships[d].length})` : numbers;
        },
      },
    ],
    textOf: (d) => `${titleOf(d)} ${ids[d]}`,
    choose: chooseDocument,
  });
  const tabs = new Tabs({'tab-clusters': 'clusters', 'tab-documents': 'documents'});
  byId('tab-documents').textContent = many[0].toUpperCase() + many.slice(1);

  const alone = bySize.filter((c) => size[c] === 1).length;
  const hideAlone = () => {
    const hide = byId('hide-alone').checked && alone < clusterCount;
    clusters.setFilter(hide ? (c) => size[c] > 1 : null);
  };
  byId('hide-alone').addEventListener('change', hideAlone);
  byId('hide-alone').closest('div').hidden = alone === 0 || alone === clusterCount;
  hideAlone();

  // The picture: clusters over time, or by overlap.
  const describeCluster = (c) => [nameOf(c), counted(size[c], nouns), termsOf(c).slice(0, 6).join(', ')];
  const makeTimeRows = () => {
    const rows = bySize.filter((c) => timeStart[c + 1] > timeStart[c]).slice(0, MAX_TIME_ROWS)
      .sort((a, b) => first[a] - first[b] || a - b)
      .map((c) => ({
        index: c, name: labelOf(c), color: cssColor(clusterColor(colorOf[c])),
        counts: between(timeStart, c).map((k) => [time[k], timeCount[k]]),
      }));
    byId('picture-title').textContent = 'Largest clusters over time';
    return new TimeRows('picture', {
      rows, from: d3.min(time), to: d3.max(time) + meta.interval, interval: meta.interval,
      summary: `The ${rows.length} largest clusters over time, from ${dateText(d3.min(time))} to ${dateText(d3.max(time))}. ` +
        'The details of a cluster name its first, last and busiest time.',
      describe: (row, at, count) => [nameOf(row.index), dateText(at), counted(count, nouns)],
      choose: chooseCluster,
    });
  };
  const makeMap = () => {
    const shown = bySize.filter((c) => size[c] > 1).slice(0, MAX_MAP);
    const place = new Map(shown.map((c, k) => [c, k]));
    const discs = shown.map((c) => ({
      index: c, name: labelOf(c), color: cssColor(clusterColor(colorOf[c])), radius: 4 * Math.sqrt(size[c]),
      links: between(neighborStart, c).filter((k) => place.has(neighbor[k]))
        .map((k) => [place.get(neighbor[k]), shared[k] / Math.min(size[c], size[neighbor[k]])]),
    }));
    const linked = shown.filter((c) => numNeighbors[c] > 0).length;
    byId('picture-title').textContent = 'Clusters by overlap';
    return new ClusterMap('picture', {
      discs,
      summary: `Map of ${counted(shown.length, ['cluster', 'clusters'])}, of which ${formatNumber(linked)} share ` +
        `${many} with others. The details of a cluster list its neighbors.`,
      describe: ({index: c}) => describeCluster(c),
      choose: chooseCluster,
    });
  };
  const picture = isStream ? makeTimeRows() : makeMap();

  // What is counted: times, cosines.
  const [thresholdName, threshold] = meta.threshold;
  const edges = range(cosineCounts.length + 1).map((k) => k / cosineCounts.length);
  const cosines = new Histogram('cosine-plot', {
    xLabel: meta.centers ? 'cosine with the center' : 'cosine with the cluster', yLabel: 'memberships',
    edges, counts: Array.from(cosineCounts),
    mark: threshold && Number(threshold) <= 1 ? {value: Number(threshold), name: `${thresholdName} = ${threshold}`} : null,
    summary: `Cosines of ${many} with the ${meta.centers ? 'centers' : 'clusters'}, in 50 steps from 0 to 1.`,
    describe: (k) => [`cosine ${edges[k].toFixed(2)} to ${edges[k + 1].toFixed(2)}`,
      counted(cosineCounts[k], ['membership', 'memberships'])],
  });
  const slots = isStream ? range((d3.max(time) - d3.min(time)) / meta.interval + 1) : [];
  const countsOver = (chosen) => {
    const counts = slots.map(() => 0);
    for (const c of chosen) {
      for (const k of between(timeStart, c)) counts[Math.round((time[k] - d3.min(time)) / meta.interval)] += timeCount[k];
    }
    return counts;
  };
  const times = isStream ? new TimeHistogram('time-plot', {
    xLabel: '', yLabel: many,
    edges: slots.concat(slots.length).map((k) => 1000 * (d3.min(time) + k * meta.interval)),
    counts: countsOver(range(clusterCount)),
    summary: `${many} over time.`,
    describe: (k) => [dateText(d3.min(time) + k * meta.interval), counted(times.counts[k], nouns)],
  }) : null;
  const showCounts = (shown) => {
    byId('counts-title').textContent = shown === 'times' ? `${tabName(many)} over time` : 'Cosines';
  };
  const tabName = (text) => text[0].toUpperCase() + text.slice(1);
  byId('counts-tabs').hidden = !isStream;
  if (isStream) {
    new Tabs({'tab-times': 'time-plot', 'tab-cosines': 'cosine-plot'});
    byId('tab-times').addEventListener('click', () => showCounts('times'));
    byId('tab-cosines').addEventListener('click', () => showCounts('cosines'));
  } else {
    byId('time-plot').hidden = true;
  }
  showCounts(isStream ? 'times' : 'cosines');

  // Details.
  const reasonsOf = (m) => {
    if (!why || cosine[m] === 0) return [];
    return range(REASONS).map((k) => REASONS * m + k).filter((k) => why[k] >= 0)
      .map((k) => [words[why[k]], percent[k]]);
  };
  const isCenter = (m) => meta.centers && member[m] === center[clusterOf[m]];
  const boundText = (m) => (isCenter(m) ? 'center' : hasCosines ? cosineText(cosine[m]) : '');
  const terms = (list) => {
    const frame = element('div', undefined, 'terms');
    frame.append(...list.map((word) => {
      const button = linkButton(word, () => {
        byId('tab-clusters').click();
        clusters.input.value = word;
        clusters.search();
      });
      button.className = 'link term';
      button.title = 'Search clusters';
      return button;
    }));
    return frame;
  };

  const showCluster = (c) => {
    const title = element('h2');
    title.append(swatchOf(colorOf[c]), `Cluster ${number[c]}: `, fileText(nameOf(c)));
    const facts = [['size', counted(size[c], nouns)]];
    if (hasCosines && size[c] > 1) facts.push(['inner cosine', cosineText(inner[c])]);
    if (isStream && peakOf(c) >= 0) {
      const peak = peakOf(c);
      const mean = size[c] / Math.max(1, Math.round((last[c] - first[c]) / meta.interval) + 1);
      facts.push(['first', dateText(first[c])], ['last', dateText(last[c])],
        ['busiest', `${dateText(time[peak])}: ${counted(timeCount[peak], nouns)}` +
          (timeCount[peak] >= 3 * mean ? `, ${formatNumber(Number((timeCount[peak] / mean).toPrecision(2)))} times its mean` : '')]);
    }
    const members = between(memberStart, c).sort((a, b) => isCenter(b) - isCenter(a) || cosine[b] - cosine[a] || a - b);
    showDetails(title,
      ...(termsOf(c).length > 0 ? [terms(termsOf(c))] : []),
      definitions(facts),
      ...detailList(`Shares ${many} with`, between(neighborStart, c)
        .map((k) => [clusterLink(neighbor[k]), counted(shared[k], nouns)]), numNeighbors[c]),
      ...detailList(hasCosines ? 'Members, typical ones first' : 'Members',
        members.map((m) => [documentLink(member[m]), boundText(m)]), size[c]));
  };

  const showDocument = (d) => {
    const title = element('h2');
    title.append(fileText(titleOf(d)));
    const reasons = memberships[d].slice().sort((a, b) => cosine[b] - cosine[a] || a - b).map((m) => {
      const c = clusterOf[m];
      const parts = [clusterLink(c)];
      if (isCenter(m)) {
        parts.push(element('span', ' is its center', 'soft'));
      } else if (hasCosines) {
        const line = element('div', undefined, 'soft');
        line.append(`cosine ${cosineText(cosine[m])} with the ${meta.centers ? 'center' : 'cluster'}`);
        // Most clusters are named after their centers.
        if (meta.centers && center[c] >= 0 && nameOf(c) !== titleOf(center[c])) line.append(' ', documentLink(center[c]));
        parts.push(line);
        const because = reasonsOf(m);
        if (because.length > 0) {
          const shares = element('div', undefined, 'soft');
          shares.append('shared: ');
          because.forEach(([word, share], k) => shares.append(k > 0 ? ', ' : '', fileText(word, 'reason'), ` ${share} %`));
          parts.push(shares);
        }
      }
      return [parts, counted(size[c], nouns)];
    });
    showDetails(title, ...(titles[d] ? [element('p', undefined, 'soft')] : []),
      ...detailList(reasons.length === 1 ? 'In one cluster' : `In ${formatNumber(reasons.length)} clusters`, reasons));
    if (titles[d]) byId('details').querySelector('p').append(fileText(ids[d]));
  };

  const showOverview = () => {
    const linked = range(clusterCount).filter((c) => numNeighbors[c] > 0).length;
    const sizes = bySize.map((c) => size[c]);
    const text = [`${counted(total.clusters, ['cluster', 'clusters'])} of ${counted(total.documents, nouns)}. `];
    if (alone > 0) text.push(`${formatNumber(alone)} of them have one ${one} only. `);
    if (!isStream) text.push(`${formatNumber(linked)} share ${many} with others. `);
    if (sizes.length > 0) text.push(`The largest has ${counted(sizes[0], nouns)}.`);
    showDetails(element('h2', 'Clusters at a glance'), element('p', text.join('')),
      element('p', `Choose a cluster to see what it is about, or a ${one} to see its clusters and why it is in them.`),
      ...detailList('Largest clusters', bySize.filter((c) => size[c] > 1).slice(0, 12).map((c) => {
        const under = element('div', termsOf(c).slice(0, 6).join(', '), 'soft');
        under.style.unicodeBidi = 'isolate';
        return [hasTerms ? [clusterLink(c), under] : [clusterLink(c)], counted(size[c], nouns)];
      })));
  };

  const state = {cluster: -1, document: -1};
  function choose({cluster = -1, document: d = -1}) {
    Object.assign(state, {cluster, document: d});
    clusters.setChosen(cluster);
    documents.setChosen(d);
    // A document marks its best cluster.
    picture.setChosen(cluster >= 0 || d < 0 || memberships[d].length === 0 ? cluster : clusterOf[bestOf(d)]);
    if (times) {
      times.setCounts(countsOver(cluster < 0 ? range(clusterCount) : [cluster]));
      byId('counts-hint').textContent = cluster < 0 ? '' : `cluster ${number[cluster]}`;
    }
    if (d >= 0) showDocument(d);
    else if (cluster >= 0) showCluster(cluster);
    else showOverview();
  }
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') choose({});
  });

  showFacts('facts', [[many, formatNumber(total.documents)], ...meta.facts,
    ...(threshold ? [[thresholdName, threshold]] : [])]);
  showFacts('outcome', [['clusters', formatNumber(total.clusters)],
    ...(alone > 0 && clusterCount === total.clusters ? [['of one', formatNumber(alone)]] : [])]);
  const held = [];
  if (clusterCount < total.clusters) {
    held.push(`Lists ${formatNumber(clusterCount)} of ${formatNumber(total.clusters)} clusters, the largest.`);
  }
  if (ids.length < total.documents) {
    held.push(`Lists ${formatNumber(ids.length)} of ${formatNumber(total.documents)} ${many}, ` +
      'among them the most typical ones. Sizes count all.');
  }
  if (!isStream && bySize.filter((c) => size[c] > 1).length > MAX_MAP) {
    held.push(`Draws the ${MAX_MAP} largest clusters.`);
  }
  byId('held').textContent = held.join(' ') || `Lists all clusters and ${many}.`;
  showCommand(meta.command);
  choose({});

  return {meta, state, choose, clusters, documents, tabs, picture, cosines, times, number, size, ids, titles, words,
    memberships, clusterOf, cosine, nameOf, titleOf, termsOf, reasonsOf};
})();
