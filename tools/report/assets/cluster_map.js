// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// ClusterMap: clusters as discs. Clusters that share members attract each other,
// so that overlap is nearness; a line is as wide as the share.

// Places discs {radius, links: [[disc, pull 0...1]]}, the largest first, around
// (0, 0): on a spiral, then moved by pulls, gravity and the push of discs that
// would overlap. The same discs always get the same places.
function placeDiscs(discs, rounds = 300) {
  let used = 0;
  discs.forEach((disc, k) => {
    used += disc.radius ** 2;
    const away = 1.6 * Math.sqrt(used);
    disc.x = away * Math.cos(2.399963 * k);
    disc.y = away * Math.sin(2.399963 * k);
  });
  for (let round = 0; round < rounds; ++round) {
    const cool = 1 - round / rounds;
    discs.forEach((a, k) => {
      // Pictures are wider than high.
      a.x *= 1 - 0.01 * cool;
      a.y *= 1 - 0.016 * cool;
      for (const [at, pull] of a.links) {
        const b = discs[at];
        const distance = Math.hypot(b.x - a.x, b.y - a.y) || 1e-9;
        const wanted = (a.radius + b.radius) * 1.05;
        if (distance <= wanted) continue;
        const move = 0.1 * cool * (0.2 + pull) * (distance - wanted) / distance;
        a.x += (b.x - a.x) * move;
        a.y += (b.y - a.y) * move;
      }
      for (let j = 0; j < k; ++j) {
        const b = discs[j];
        const least = (a.radius + b.radius) * 1.05 + 2;
        const dx = a.x - b.x;
        const dy = a.y - b.y;
        const square = dx * dx + dy * dy;
        if (square >= least * least) continue;
        const distance = Math.sqrt(square) || 1e-9;
        const move = (least - distance) / distance / 2;
        a.x += dx * move;
        a.y += dy * move;
        b.x -= dx * move;
        b.y -= dy * move;
      }
    });
  }
}

class ClusterMap {
  // `discs`: {index, radius, color, name, links}.
  constructor(id, {discs, summary, describe, choose}) {
    Object.assign(this, {discs, describe, choose});
    this.element = byId(id);
    this.chosen = -1;
    this.svg = d3.select(this.element).append('svg').attr({role: 'img', 'aria-label': summary});
    this.lines = this.svg.append('g').attr('class', 'map-lines');
    this.marks = this.svg.append('g');
    this.names = this.svg.append('g');
    placeDiscs(discs);
    new ResizeObserver(() => this.draw()).observe(this.element);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  setChosen(index) {
    this.chosen = index;
    this.draw();
  }

  draw() {
    const {clientWidth: width, clientHeight: height} = this.element;
    if (width < 40 || height < 40 || this.discs.length === 0) return;
    const extent = (of) => [d3.min(this.discs, (d) => of(d) - d.radius), d3.max(this.discs, (d) => of(d) + d.radius)];
    const [left, right] = extent((d) => d.x);
    const [top, bottom] = extent((d) => d.y);
    const scale = Math.min((width - 32) / (right - left), (height - 32) / (bottom - top), 4);
    const x = (d) => width / 2 + (d.x - (left + right) / 2) * scale;
    const y = (d) => height / 2 + (d.y - (top + bottom) / 2) * scale;
    const lines = this.lines.selectAll('line').data(this.discs.flatMap((a) => a.links
      .filter(([at]) => this.discs[at].index > a.index)
      .map(([at, pull]) => ({a, b: this.discs[at], pull}))));
    lines.enter().append('line');
    lines.attr({
      x1: (d) => x(d.a), y1: (d) => y(d.a), x2: (d) => x(d.b), y2: (d) => y(d.b),
      'stroke-width': (d) => 1 + 7 * d.pull,
      opacity: (d) => (this.chosen < 0 || this.chosen === d.a.index || this.chosen === d.b.index ? 1 : 0.25),
    });
    const near = new Set([this.chosen]);
    for (const disc of this.discs) {
      if (disc.index === this.chosen) disc.links.forEach(([at]) => near.add(this.discs[at].index));
    }
    const marks = this.marks.selectAll('circle').data(this.discs);
    marks.enter().append('circle').attr('class', 'disc');
    marks.attr({
      cx: x, cy: y, r: (d) => Math.max(2.5, d.radius * scale), fill: (d) => d.color,
      opacity: (d) => (this.chosen < 0 || near.has(d.index) ? 1 : 0.3),
    }).classed('chosen', (d) => d.index === this.chosen).on('click', (d) => this.choose(d.index));
    explain(marks, this.describe);
    // Names stand in the middle of their discs, those of large discs first.
    const placed = [];
    const place = (disc, text) => {
      const half = 3.2 * Array.from(text).length + 2;
      const [left, right] = [x(disc) - half, x(disc) + half];
      const clear = (d) => Math.abs(d.y - 4 - y(disc)) > 13 || right < d.x - d.half || left > d.x + d.half;
      if (left < 0 || right > width || !placed.every(clear)) return false;
      placed.push({x: x(disc), y: y(disc) + 4, half, text, anchor: 'middle'});
      return true;
    };
    // A name of several words that does not fit: only its first.
    for (const disc of this.discs.slice(0, 60)) {
      if (!place(disc, shortened(disc.name, 22))) place(disc, shortened(disc.name.split(', ')[0], 22));
    }
    showNames(this.names, placed);
  }
}
