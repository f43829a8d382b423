// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// TimeRows: one row per cluster over time. The darker an interval, the more
// documents of the cluster came in it; a triangle marks its largest one.

const ROW_NAMES = 150;

class TimeRows extends Chart {
  // `rows`: {index, name, color, counts: [[time, count]]}; times in seconds.
  constructor(id, {rows, from, to, interval, summary, describe, choose}) {
    super(id, '', '', summary);
    Object.assign(this, {rows, from, to, interval, describe, choose});
    this.chosen = -1;
  }

  makeScales({top, right, bottom}) {
    this.inner.left = ROW_NAMES;
    this.x = d3.time.scale.utc().domain([1000 * this.from, 1000 * this.to]).range([ROW_NAMES, right]);
    this.y = d3.scale.linear().domain([0, this.rows.length]).range([top, bottom]);
  }

  drawAxes() {
    super.drawAxes();
    this.yAxis.selectAll('*').remove();
  }

  setChosen(index) {
    this.chosen = index;
    this.draw();
  }

  drawMarks() {
    this.grid.selectAll('line').remove();
    const height = this.y(1) - this.y(0);
    const cells = this.rows.flatMap((row, k) => {
      const largest = d3.max(row.counts, (count) => count[1]);
      return row.counts.map(([time, count]) => ({row, k, time, count, largest}));
    });
    const marks = this.marks.selectAll('rect').data(cells);
    marks.enter().append('rect').attr('class', 'cell');
    const faded = (row) => this.chosen >= 0 && this.chosen !== row.index;
    const from = (d) => this.x(1000 * d.time);
    marks.attr({
      x: from, y: (d) => this.y(d.k) + 1.5, height: Math.max(1, height - 3),
      width: (d) => Math.max(1.5, this.x(1000 * (d.time + this.interval)) - from(d) - 0.5),
      fill: (d) => d.row.color,
      opacity: (d) => (0.2 + 0.8 * Math.sqrt(d.count / d.largest)) * (faded(d.row) ? 0.45 : 1),
    }).on('click', (d) => this.choose(d.row.index));
    explain(marks, (d) => this.describe(d.row, d.time, d.count));
    const peaks = this.marks.selectAll('path').data(this.rows);
    peaks.enter().append('path').attr('class', 'peak');
    peaks.attr('d', (row, k) => {
      const [time] = row.counts.reduce((best, count) => (count[1] > best[1] ? count : best));
      const middle = (this.x(1000 * time) + this.x(1000 * (time + this.interval))) / 2;
      const top = this.y(k) + 1;
      return `M${middle - 3} ${top}h6l-3 4z`;
    });
    const names = this.names.selectAll('text').data(this.rows);
    names.enter().append('text').attr('class', 'row-name');
    names.attr({x: ROW_NAMES - 8, y: (row, k) => this.y(k) + height / 2 + 4, 'text-anchor': 'end'})
      .classed('chosen', (row) => row.index === this.chosen)
      .text((row) => shortened(row.name, 21)).on('click', (row) => this.choose(row.index));
  }
}

// Counts of documents per interval.
class TimeHistogram extends Histogram {
  xScale() {
    return d3.time.scale.utc();
  }

  setCounts(counts) {
    this.counts = counts;
    this.draw();
  }
}
