import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAccepted, sortFiles } from '../controls/accepted-file.ts';
import { heatWeeks, levelOf } from './heat-weeks.ts';
import { markedParts } from './marked-parts.ts';
import { pagesToShow } from './pages-to-show.ts';
import { daysBetween, longDate } from '../controls/shown-dates.ts';
import { treeMove, treeRows } from './tree-rows.ts';

describe('page numbers', () => {
  test.each([
    [1, 1, [1]],
    [1, 3, [1, 2, 3]],
    [4, 16, [1, 2, 3, 4, 5, null, 16]],
    [8, 16, [1, null, 7, 8, 9, null, 16]],
    [16, 16, [1, null, 15, 16]],
  ])('page %d of %d', (page, pages, shown) => {
    expect(pagesToShow(page, pages)).toEqual(shown);
  });
});

describe('marked words', () => {
  test('stand out where they begin a word, whatever the case', () => {
    expect(markedParts('Start Forklift 3', 'fork')).toEqual([
      { text: 'Start ', marked: false },
      { text: 'Fork', marked: true },
      { text: 'lift 3', marked: false },
    ]);
    expect(markedParts('Pitchfork', 'fork')).toEqual([{ text: 'Pitchfork', marked: false }]);
  });

  test('never change the text, whatever is searched', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, query) => {
        expect(
          markedParts(text, query)
            .map(part => part.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('weeks of a heat map', () => {
  test('begin with the chosen day of the week', () => {
    const wednesday = { day: '2026-07-01', value: 1, label: '' };
    expect(heatWeeks([wednesday], 1)[0]?.indexOf(wednesday)).toBe(2);
    expect(heatWeeks([wednesday], 0)[0]?.indexOf(wednesday)).toBe(3);
  });

  test.each([
    [null, 8, 0],
    [0, 8, 0],
    [2, 8, 1],
    [3, 8, 2],
    [6, 8, 3],
    [7, 8, 4],
    [5, 0, 0],
  ] as const)('%j of at most %d is level %d', (value, top, level) => {
    expect(levelOf(value, top)).toBe(level);
  });
});

describe('files', () => {
  test.each([
    ['a.JPG', 'image/jpeg', 'image/*', true],
    ['a.pdf', 'application/pdf', 'image/*,.pdf', true],
    ['a.docx', 'application/msword', 'image/*,.pdf', false],
    ['a.bin', '', '', true],
  ])('%s (%s) for "%s": %s', (name, type, accept, fits) => {
    expect(isAccepted({ name, type }, accept)).toBe(fits);
  });

  test('what does not fit is handed back with its reason, nothing is lost', () => {
    const files = [
      new File(['1'], 'a.png', { type: 'image/png' }),
      new File(['123'], 'b.png', { type: 'image/png' }),
      new File(['1'], 'c.txt'),
    ];
    const { taken, refused } = sortFiles(files, 'image/*', 2);
    expect(taken.map(file => file.name)).toEqual(['a.png']);
    expect(refused.map(({ file, reason }) => [file.name, reason])).toEqual([
      ['b.png', 'size'],
      ['c.txt', 'type'],
    ]);
  });
});

describe('days', () => {
  test('are written out in the language of the reader, and no day is no text', () => {
    expect(longDate('2026-11-24', 'de')).toBe('Dienstag, 24. November 2026');
    expect(longDate('2026-13-40', 'de')).toBeUndefined();
  });

  test.each([
    ['2026-12-21', '2027-01-03', 14],
    ['2026-03-29', '2026-03-30', 2],
    ['2026-03-29', '2026-03-29', 1],
    ['2026-03-29', '2026-03-28', 0],
  ])('from %s to %s are %d', (from, to, days) => {
    expect(daysBetween(from, to)).toBe(days);
  });
});

describe('a tree', () => {
  const nodes = [
    { id: 'a', label: 'A', children: [{ id: 'b', label: 'B' }] },
    { id: 'c', label: 'C' },
  ];

  test('shows what stands open, with level and place', () => {
    expect(treeRows(nodes, new Set()).map(row => row.node.id)).toEqual(['a', 'c']);
    expect(treeRows(nodes, new Set(['a'])).map(row => [row.node.id, row.level, row.position])).toEqual([
      ['a', 1, 1],
      ['b', 2, 1],
      ['c', 1, 2],
    ]);
  });

  test('→ opens, then goes in; ← goes out, then closes', () => {
    const closed = treeRows(nodes, new Set());
    const opened = treeRows(nodes, new Set(['a']));
    expect(treeMove(closed, 0, 'ArrowRight', false)).toEqual({ open: 'a' });
    expect(treeMove(opened, 0, 'ArrowRight', true)).toEqual({ focus: 'b' });
    expect(treeMove(opened, 1, 'ArrowLeft', false)).toEqual({ focus: 'a' });
    expect(treeMove(opened, 0, 'ArrowLeft', true)).toEqual({ close: 'a' });
    expect(treeMove(opened, 2, 'ArrowDown', false)).toEqual({});
    expect(treeMove(opened, 0, 'x', true)).toBeUndefined();
  });
});
