import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  causeKey,
  recurrences,
  TOO_OFTEN,
  type RecurrenceVerdict,
  type Occurrence,
  type Recurrence,
} from './recurrence.ts';

const asOf = '2026-11-23T12:00:00Z';
const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.parse(asOf) - days * DAY_MS).toISOString();

const failure = (id: string, more: Partial<Occurrence> = {}): Occurrence => ({
  id,
  at: daysAgo(1),
  siteId: 'north',
  assetId: 'truck',
  failed: { inspectionId: `of ${id}`, formId: 'form', question: 'brakes' },
  rootCause: null,
  ...more,
});
const three = (more: Partial<Occurrence> = {}): Occurrence[] => ['a', 'b', 'c'].map(id => failure(id, more));
const sources = (found: readonly Recurrence[]) => found.map(each => each.sources.toSorted());
const dismissed = ({ about, sources: sourceIds }: Recurrence): RecurrenceVerdict => ({ about, sourceIds });

describe('what recurs', () => {
  test('three times is too often, twice is not', () => {
    expect(sources(recurrences(three(), [], asOf))).toEqual([['a', 'b', 'c']]);
    expect(recurrences(three().slice(1), [], asOf)).toEqual([]);
  });

  test.each([
    ['the ninetieth day', 90, 1],
    ['a moment before it', 90.001, 0],
  ])('%s counts %d', (_, days, times) => {
    const [first, ...others] = three();
    const old = { ...(first ?? failure('a')), at: daysAgo(days) };
    expect(recurrences([old, ...others], [], asOf)).toHaveLength(times);
  });

  test.each<[string, (n: number) => Partial<Occurrence>]>([
    ['another question', n => ({ failed: { inspectionId: `${n}`, formId: 'form', question: `q${n}` } })],
    ['another form', n => ({ failed: { inspectionId: `${n}`, formId: `form ${n}`, question: 'brakes' } })],
    ['another site and asset', n => ({ siteId: `site ${n}`, assetId: `truck ${n}` })],
    ['the same inspection', () => ({ failed: { inspectionId: 'one', formId: 'form', question: 'brakes' } })],
  ])('%s is not the same once more', (_, more) => {
    expect(
      recurrences(
        ['a', 'b', 'c'].map((id, n) => failure(id, more(n))),
        [],
        asOf,
      ),
    ).toEqual([]);
  });

  test('one asset at three sites, and three assets at one site, are the same; of the same times the asset is told', () => {
    const moved = ['a', 'b', 'c'].map(id => failure(id, { siteId: `site ${id}` }));
    expect(recurrences(moved, [], asOf)).toMatchObject([{ assetId: 'truck' }]);
    const many = ['a', 'b', 'c'].map(id => failure(id, { assetId: `truck ${id}` }));
    expect(recurrences(many, [], asOf)).toMatchObject([{ assetId: null, siteId: 'north' }]);
    expect(recurrences(three(), [], asOf)).toMatchObject([{ assetId: 'truck' }]);
    const more = [...three(), failure('d', { assetId: 'crane' })];
    expect(sources(recurrences(more, [], asOf))).toEqual([['a', 'b', 'c', 'd']]);
  });

  test('a cause is the same whatever its case, blanks and full stop; at one site, not at three', () => {
    const causes = ['Oil  on the floor.', 'oil on the floor', ' Oil on the\nfloor!'];
    const told = causes.map((rootCause, n) => failure(`${n}`, { failed: null, rootCause }));
    expect(recurrences(told, [], asOf)).toMatchObject([{ kind: 'cause', about: 'cause/oil on the floor' }]);
    const apart = told.map(each => ({ ...each, siteId: each.id }));
    expect(recurrences(apart, [], asOf)).toEqual([]);
    expect(causeKey(' . ')).toBeNull();
  });
});

const anyOccurrence = fc.record<Occurrence>({
  id: fc.uuid(),
  at: fc.integer({ min: 0, max: 120 }).map(daysAgo),
  siteId: fc.constantFrom('north', 'south', null),
  assetId: fc.constantFrom('truck', 'crane', null),
  failed: fc.option(
    fc.record({
      inspectionId: fc.constantFrom('i1', 'i2', 'i3', 'i4', 'i5'),
      formId: fc.constantFrom('form', 'other'),
      question: fc.constantFrom('brakes', 'horn'),
    }),
    { nil: null },
  ),
  rootCause: fc.constantFrom('Oil', 'oil.', 'Haste', null),
});
const anyHistory = fc.uniqueArray(anyOccurrence, { selector: ({ id }) => id, maxLength: 30 });

describe('whatever happened', () => {
  test('the order in which it arrived does not matter', () => {
    const shuffled = anyHistory.chain(all =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        const keyed = (found: Recurrence[]) =>
          new Map(found.map(each => [`${each.about} ${each.assetId} ${each.siteId}`, each]));
        expect(keyed(recurrences(other, [], asOf))).toEqual(keyed(recurrences(all, [], asOf)));
      }),
    );
  });

  test('each proposal is three times or more, of one thing, from what it was given', () => {
    fc.assert(
      fc.property(anyHistory, all => {
        const known = new Map(all.map(each => [each.id, each]));
        for (const { sources: ids, assetId, siteId } of recurrences(all, [], asOf)) {
          expect(new Set(ids).size).toBeGreaterThanOrEqual(TOO_OFTEN);
          for (const id of ids) expect(known.has(id)).toBe(true);
          const places = ids.map(id => (assetId === null ? known.get(id)?.siteId : known.get(id)?.assetId));
          expect(new Set(places)).toEqual(new Set([assetId ?? siteId]));
        }
      }),
    );
  });

  test('rows a person may not see propose nothing: with fewer rows no time is told that is not among them', () => {
    fc.assert(
      fc.property(anyHistory, fc.func(fc.boolean()), (all, sees) => {
        const seen = all.filter(({ id }) => sees(id));
        const ids = new Set(seen.map(({ id }) => id));
        const everything = recurrences(all, [], asOf);
        for (const each of recurrences(seen, [], asOf)) {
          expect(each.sources.every(id => ids.has(id))).toBe(true);
          // Nothing is made up either: who sees everything is told of all these times too.
          const covered = everything.some(
            other => other.about === each.about && each.sources.every(id => other.sources.includes(id)),
          );
          expect(covered).toBe(true);
        }
      }),
    );
  });

  test('what was decided stays so, on every later day, until it happens once more', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(200), fc.boolean(), (all, later, backwards) => {
        const found = recurrences(all, [], asOf);
        const decided = backwards ? found.map(dismissed).toReversed() : found.map(dismissed);
        expect(recurrences(all, decided, asOf)).toEqual([]);
        const then = new Date(Date.parse(asOf) + later * DAY_MS).toISOString();
        expect(recurrences(all, decided, then)).toEqual([]);
        const [first] = found;
        const last = all.find(({ id }) => id === first?.sources[0]);
        if (!first || !last) return;
        const once = { ...last, id: 'new', at: asOf, failed: last.failed && { ...last.failed, inspectionId: 'new' } };
        const again = recurrences([...all, once], decided, asOf).find(({ about }) => about === first.about);
        expect(again?.sources).toContain('new');
      }),
    );
  });
});
