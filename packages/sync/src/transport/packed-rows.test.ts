import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PackedTable, PullAnswer, WireRow } from './backend.ts';
import {
  countOf,
  headsOf,
  idsOf,
  packedOf,
  rowsOf,
  sliceOf,
  without,
  withPacked,
  type PackedAnswer,
} from './packed-rows.ts';

const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 2 }),
);
const row = fc
  .record(
    { id: fc.uuid(), version: fc.nat(), _s: fc.array(fc.nat(3)), title: value, due_at: value, media_ids: value },
    { requiredKeys: ['id', 'version', '_s'] },
  )
  .map(each => each as unknown as WireRow);
const rows = fc.array(row, { maxLength: 12 });

/** What all of them say said once, as ready pages have it; ids stand one by one. */
const once = ({ cols, vals }: PackedTable): PackedTable => ({
  cols,
  vals: vals.map((column, at) => {
    const words = new Set(Array.isArray(column) ? column.map(each => JSON.stringify(each)) : []);
    const [word] = words;
    return cols[at] === 'id' || words.size !== 1 || word === 'null' ? column : { constant: JSON.parse(String(word)) };
  }),
});

/** A column that is null and one that is not there say the same. */
const bare = (all: readonly WireRow[]) =>
  all.map(each => Object.fromEntries(Object.entries(each).filter(([, it]) => it !== null)));

test('rows say the same one by one and column by column, whole, in part and without some', () => {
  const property = fc.property(
    rows,
    fc.nat(12),
    fc.nat(12),
    fc.infiniteStream(fc.boolean()),
    (all, from, to, choice) => {
      const columns = once(packedOf(all));
      expect(bare(rowsOf(columns))).toEqual(bare(all));
      expect([idsOf(columns), countOf(columns), headsOf(columns)]).toEqual([idsOf(all), countOf(all), headsOf(all)]);
      expect(bare(rowsOf(sliceOf(columns, from, to)))).toEqual(bare(all.slice(from, to)));
      const some = new Set(all.filter(() => choice.next().value).map(({ id }) => id));
      const left = all.filter(({ id }) => !some.has(id));
      expect(bare(rowsOf(without(columns, some)))).toEqual(bare(left));
      expect(bare(rowsOf(without(all, some)))).toEqual(bare(left));
    },
  );
  fc.assert(property);
});

test('parts that say something once are put together: it stays said once where all of them say the same', () => {
  const part = (id: string, version: number, site: string | null, sites: string[]) => {
    const cols = ['id', 'version', 'organization_id', 'site_id', 'media_ids'];
    const place = site === null ? null : { constant: site };
    const vals = [[id], { constant: version }, { constant: 'o' }, place, { constant: sites }];
    return { t: 'action_items' as const, cols, vals, aud: [0] };
  };
  const both = withPacked({
    ...answer,
    pages: [{ parts: [part('a', 1, 's', ['m']), part('b', 1, 's', ['m'])], audiences: [[[0]], [[0]]] }],
  });
  expect(packedOf(both.rows.action_items ?? []).vals[4]).toEqual({ constant: ['m'] });
  const parts = [part('a', 1, 's', []), part('b', 2, null, ['m']), part('c', 1, 's', [])];
  const { rows } = withPacked({ ...answer, pages: [{ parts, audiences: [[[0]], [[0]], [[0]]] }] });
  const { cols, vals } = packedOf(rows.action_items ?? []);
  expect(Object.fromEntries(cols.map((name, at) => [name, vals[at]]))).toEqual({
    id: ['a', 'b', 'c'],
    version: [1, 2, 1],
    organization_id: { constant: 'o' },
    site_id: ['s', null, 's'],
    media_ids: [[], ['m'], []],
    _s: [[0], [0], [0]],
  });
  expect(headsOf(rows.action_items ?? []).map(({ version }) => version)).toEqual([1, 2, 1]);
  const [first] = rowsOf(sliceOf(packedOf(rows.action_items ?? []), 1, 2));
  expect(first).toEqual({ id: 'b', version: 2, organization_id: 'o', media_ids: ['m'], _s: [0] });
});

test('what two parts say once is one value only where it is the same to the letter', () => {
  const part = (id: string, value: unknown) => {
    const vals = [[id], { constant: 1 }, { constant: value }];
    return { t: 'action_items' as const, cols: ['id', 'version', 'detail'], vals, aud: [0] };
  };
  const together = ([one, other]: readonly [unknown, unknown]) => {
    const pages = [{ parts: [part('a', one), part('b', other)], audiences: [[[0]], [[0]]] }];
    return rowsOf(withPacked({ ...answer, pages }).rows.action_items ?? []).map(({ detail = null }) => detail);
  };
  const alike = [
    {},
    { x: null },
    [],
    [null],
    { x: {} },
    { x: { y: null } },
    0,
    '0',
    false,
    null,
    '',
    [''],
    { 0: 'a' },
    ['a'],
  ];
  for (const one of alike) for (const other of alike) expect(together([one, other])).toEqual([one, other]);
});

test('rows say the same in several ready parts as in one', () => {
  const property = fc.property(fc.array(rows, { maxLength: 4 }), lists => {
    const seen = new Set<string>();
    const all = lists.map(list => list.filter(({ id }) => !seen.has(id) && Boolean(seen.add(id))));
    const pages = all.map(list => {
      const { cols, vals } = once(packedOf(list.map(({ _s, ...each }) => each as WireRow)));
      const part = { t: 'action_items' as const, cols, vals, aud: list.map((_, at) => at) };
      return { parts: [part], audiences: [list.map(({ _s }) => _s)] };
    });
    const { rows: put } = withPacked({ ...answer, pages });
    expect(bare(rowsOf(put.action_items ?? []))).toEqual(bare(all.flat()));
    expect(headsOf(put.action_items ?? [])).toEqual(headsOf(all.flat()));
  });
  fc.assert(property);
});

test('a column no row has a value in comes as null, and stays so', () => {
  const columns = { cols: ['id', 'title', '_s'], vals: [['a', 'b', 'c'], null, [[0], [], [1]]] };
  expect(rowsOf(columns)).toEqual([
    { id: 'a', _s: [0] },
    { id: 'b', _s: [] },
    { id: 'c', _s: [1] },
  ]);
  expect(without(columns, new Set(['b']))).toEqual({ cols: columns.cols, vals: [['a', 'c'], null, [[0], [1]]] });
  expect(sliceOf(columns, 1, 2).vals).toEqual([['b'], null, [[]]]);
  expect(packedOf(columns)).toBe(columns);
});

test('what is left whole is not copied', () => {
  const all = [{ id: 'a', version: 1, _s: [0] }];
  expect(without(all, new Set(['b']))).toBe(all);
});

const answer: PullAnswer = {
  scopes: {},
  order: ['all', 'site:a', 'site:b'],
  resets: [],
  rows: {},
  stubs: {},
  gone: [],
  more: false,
  now: '',
};

test('what was ready stands among the other rows: with the scopes of its audience, and each row once', () => {
  const packed = {
    cols: ['id', 'version', 'title', '_s'],
    vals: [
      ['a', 'b'],
      [1, 1],
      ['A', null],
      [[0], [1]],
    ],
  };
  const part = (ids: string[], aud: number[]) => {
    return { t: 'action_items' as const, cols: ['id', 'version', 'title'], vals: [ids, ids.map(() => 1), null], aud };
  };
  const note = { t: 'sites' as const, cols: ['id', 'version'], vals: [['s'], [4]], aud: [0] };
  const whole: PackedAnswer = {
    ...answer,
    packed: { action_items: packed },
    pages: [
      { parts: [part(['b', 'c'], [1, 0]), note], audiences: [[[1], [1, 2]], [[0]]] },
      { parts: [part(['d', 'c'], [0, 0])], audiences: [[[]]] },
    ],
  };
  const { rows } = withPacked(whole);
  expect(rowsOf(rows.action_items ?? [])).toEqual([
    { id: 'a', version: 1, title: 'A', _s: [0] },
    { id: 'b', version: 1, _s: [1] },
    { id: 'c', version: 1, _s: [1] },
    { id: 'd', version: 1, _s: [] },
  ]);
  expect(rowsOf(rows.sites ?? [])).toEqual([{ id: 's', version: 4, _s: [0] }]);
  const { pages: _pages, packed: _packed, ...plain } = whole;
  expect(withPacked(plain)).toEqual(answer);
});
