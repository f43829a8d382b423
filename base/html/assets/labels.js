// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Names beside the discs of a plot.

// A name as a label in a plot.
const MAX_LABEL = 18;
function shortened(name, most = MAX_LABEL) {
  const letters = Array.from(name);
  return letters.length <= most ? name : letters.slice(0, most - 1).join('') + '…';
}

// The places of the names of discs of `size`, each `width` pixels wide, 10 high
// and 2 deep: the first place around its disc that is within `bounds` and overlaps
// no earlier name, rather one that covers no disc, and best one to which its own
// disc is the nearest. A name without such a place is left out.
function placeNames(discs, size, bounds) {
  const taken = [];
  const apart = (a, b) =>
    a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const distance = (box, {x, y}) =>
    Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  const boxes = discs.map(({x, y}) => ({left: x - size, right: x + size, top: y - size, bottom: y + size}));
  const near = size + 3;
  // Corners, then sides, then farther away: [side, baseline below the middle].
  const places = [
    [1, -size], [-1, -size], [1, size + 10], [-1, size + 10], [1, 4], [-1, 4],
    [0, -near - 2], [0, near + 10], [1, -size - 13], [-1, -size - 13], [1, size + 23], [-1, size + 23],
    [0, -near - 15], [0, near + 23],
  ];
  const placed = [];
  discs.forEach((disc, own) => {
    const {x, y, width} = disc;
    const free = places.map(([side, down]) => {
      const edge = x + side * near;
      const left = side > 0 ? edge : side < 0 ? edge - width : x - width / 2;
      return {edge, side, left, right: left + width, y: y + down, top: y + down - 10, bottom: y + down + 2};
    }).filter((c) => c.left >= bounds.left && c.right <= bounds.right &&
      c.top >= bounds.top && c.bottom <= bounds.bottom && taken.every((t) => apart(c, t)));
    const bare = free.filter((c) => boxes.every((box, k) => k === own || apart(c, box)));
    const chosen = bare.find((c) => discs.every((other) => distance(c, disc) <= distance(c, other))) ||
      bare[0] || free[0];
    if (!chosen) return;
    taken.push(chosen);
    const anchor = chosen.side > 0 ? 'start' : chosen.side < 0 ? 'end' : 'middle';
    placed.push({x: chosen.edge, y: chosen.y, anchor, text: disc.text});
  });
  return placed;
}

// Shows names that placeNames placed in the group `names`.
function showNames(names, placed) {
  const texts = names.selectAll('text').data(placed);
  texts.enter().append('text').attr('class', 'mark-label');
  texts.exit().remove();
  texts.attr({x: (d) => d.x, y: (d) => d.y, 'text-anchor': (d) => d.anchor}).text((d) => d.text);
}
