import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import type { Store } from '@cairn/sync/store.ts';
import { filled, isFitValue } from '@cairn/base/filled-text.ts';
import { MAX_PACK_BYTES, readPackFile, type PackContents } from './pack-contents.ts';
import { matching, nextNumber, NO_FILTER, stars, type Pack } from './pack.ts';
import { installedDocuments, planUpdate, provenance } from './pack-update.ts';
import { merged, threeWay } from './three-way.ts';

const pack = (fields: Partial<Pack>): Pack => ({
  id: 'p',
  organization_id: null,
  name: 'Remote work',
  summary: 'At home',
  publisher: 'Cairn',
  kind: 'compliance',
  licence: 'MIT',
  attribution: null,
  locale: 'en',
  industry: 'any',
  frameworks: ['SOC 2'],
  is_template: true,
  status: 'active',
  current_version_id: null,
  current_number: null,
  forked_from_id: null,
  linked_playbooks: 0,
  rating_count: 0,
  rating_sum: 0,
  created_at: '2026-11-21T08:00:00Z',
  ...fields,
});

describe('finding packs', () => {
  const packs = [
    pack({ id: 'a', name: 'Locks', industry: 'logistics', frameworks: ['ISO 45001'] }),
    pack({ id: 'b', kind: 'growth', locale: 'de-AT', frameworks: [] }),
    pack({ id: 'c' }),
  ];
  const found = (filter: Partial<typeof NO_FILTER>) => matching(packs, { ...NO_FILTER, ...filter }).map(({ id }) => id);

  test('every word must be there, in name, purpose, publisher or frameworks; filters hold beside them', () => {
    expect(found({})).toEqual(['a', 'b', 'c']);
    expect(found({ words: 'iso lock' })).toEqual(['a']);
    expect(found({ words: 'HOME cairn', kind: 'growth' })).toEqual(['b']);
    expect(found({ framework: 'SOC 2' })).toEqual(['c']);
    expect(found({ locale: 'de' })).toEqual(['b']);
  });

  test('a pack for any industry fits each', () => {
    expect(found({ industry: 'care' })).toEqual(['b', 'c']);
  });

  test('stars are a mean, and nothing where nobody rated; a next number follows the last', () => {
    expect([stars(pack({})), stars(pack({ rating_count: 2, rating_sum: 9 }))]).toEqual([null, 4.5]);
    expect([nextNumber(null), nextNumber('2.1.3')]).toEqual(['1.0.0', '2.2.0']);
  });
});

describe('a pack from a file', () => {
  test.each([
    ['an archive', 'PK\u0003\u0004 bomb', 'not_json'],
    ['bytes', '{"a":"\0"}', 'not_json'],
    ['half a file', '{"schema": 1, ', 'not_json'],
    ['one that is too large', `"${'a'.repeat(MAX_PACK_BYTES)}"`, 'too_large'],
    ['one that is nested without end', '['.repeat(200_000), 'too_deep'],
    ['brackets in a text that are none', `{"schema": "${'['.repeat(50)}\\"${'{'.repeat(50)}"}`, 'shape'],
    ['a prototype', '{"__proto__": {"schema": 1}}', 'shape'],
  ])('%s is refused', (_, text, fault) => {
    expect(readPackFile(text)).toEqual({ ok: false, fault });
  });
});

describe('variables', () => {
  test('a value is filled in once, also where it looks like another variable or a pattern', () => {
    expect(filled('{{a}} {{b}} {{c}}', { a: '{{b}}', b: '$&' })).toBe('{{b}} $& {{c}}');
    expect(filled('{{constructor}}', {})).toBe('{{constructor}}');
  });

  test('values are one line of words', () => {
    for (const good of ['ACME', 'Söhne & Co. "KG"', '42']) expect(isFitValue(good)).toBe(true);
    for (const bad of ['', ' ', 'a\nb', '{x}', '<b>', 'javascript:x', 'a'.repeat(201)])
      expect(isFitValue(bad)).toBe(false);
  });
});

const line = fc.constantFrom('a', 'b', 'c', 'd', '');
const text = fc.array(line, { maxLength: 12 }).map(lines => lines.join('\n'));

describe('three versions of a text', () => {
  test('what one side changed is taken, what the other did stays, and what touches is asked for', () => {
    const parts = threeWay('1\n2\n3\n4\n5', '1\nmine\n3\n4\n5', '1\n2\n3\ntheirs\n5');
    expect(parts.map(({ kind }) => kind)).toEqual(['same', 'yours', 'same', 'theirs', 'same']);
    expect(merged(parts, [])).toBe('1\nmine\n3\ntheirs\n5');
    const touched = threeWay('1\n2\n3', '1\nmine\n3', '1\ntheirs\n3');
    expect(touched[1]).toEqual({ kind: 'conflict', base: ['2'], yours: ['mine'], theirs: ['theirs'] });
    expect(merged(touched, [])).toBe('1\nmine\n3');
    expect(merged(touched, ['theirs'])).toBe('1\ntheirs\n3');
    expect(merged(touched, ['both'])).toBe('1\nmine\ntheirs\n3');
  });

  test('where only one side changed anything, its text comes out, whatever was chosen', () => {
    fc.assert(
      fc.property(text, text, (base, side) => {
        expect(merged(threeWay(base, side, base), ['theirs'])).toBe(side);
        expect(merged(threeWay(base, base, side), [])).toBe(side);
        expect(merged(threeWay(base, side, side), [])).toBe(side);
      }),
    );
  });

  test('no line a person wrote goes unless they chose so: without a choice every one of theirs is there', () => {
    fc.assert(
      fc.property(text, text, text, (base, yours, theirs) => {
        const marked = yours
          .split('\n')
          .map((words, n) => (base.includes(words) ? words : `${words} ${n}`))
          .concat('written here');
        const result = merged(threeWay(base, marked.join('\n'), theirs), []).split('\n');
        for (const words of marked.filter(each => !base.split('\n').includes(each))) expect(result).toContain(words);
      }),
    );
  });
});

describe('what an organisation has of a pack', () => {
  const ORG = 'org';
  const item = { organization_id: ORG, pack_id: 'p', version_id: 'v1', pack_name: 'P', pack_number: '1.0.0' };
  const from = { publisher: 'Cairn', licence: 'MIT' };
  const contents = (body: string, more: Partial<PackContents> = {}): PackContents => ({
    schema: 1,
    variables: [],
    policies: [{ key: 'a', title: 'A', body }],
    forms: [{ key: 'f', name: 'F', definition: { items: [] } }],
    tasks: [{ key: 't', title: 'T {{company}}' }],
    ...more,
  });
  let store: Store;
  beforeEach(() => {
    store = memoryStore({
      policies: [{ id: 'pol', organization_id: ORG, title: 'A', state: 'published', current_version_id: 'one' }],
      policy_versions: [
        {
          id: 'one',
          organization_id: ORG,
          policy_id: 'pol',
          title: 'A',
          body: 'old',
          major: 1,
          minor: 0,
          content_hash: 'h1',
        },
        { id: 'two', organization_id: ORG, policy_id: 'pol', title: 'A', body: 'ours {{x}}', content_hash: 'h2' },
      ],
      pack_items: [
        { id: 'i1', ...item, ...from, kind: 'policy', item_key: 'a', target_id: 'pol' },
        { id: 'i2', ...item, ...from, kind: 'form', item_key: 'f', target_id: 'form' },
        { id: 'i3', ...item, ...from, kind: 'task', item_key: 't', target_id: 'task' },
        { id: 'i4', ...item, ...from, kind: 'policy', item_key: 'gone', target_id: 'nowhere' },
      ],
    });
  });
  const read = () => store.read(installedDocuments(ORG, 'p'));

  test('a draft that is begun counts before what is in force, and a record says where it came from', async () => {
    const documents = await read();
    expect(documents.find(({ item: { id } }) => id === 'i1')?.policy).toMatchObject({ id: 'two' });
    expect(documents.find(({ item: { id } }) => id === 'i4')?.policy).toBeNull();
    expect(await store.read(provenance('pol'))).toMatchObject({ id: 'i1', licence: 'MIT' });
    expect(await store.read(provenance('other'))).toBeNull();
  });

  test('a later version is planned document by document', async () => {
    const bases = new Map([['v1', contents('old')]]);
    const next = contents('new', {
      policies: [
        { key: 'a', title: 'A', body: 'new' },
        { key: 'b', title: 'B', body: 'b' },
      ],
      tasks: [{ key: 't', title: 'T2' }],
    });
    const plan = planUpdate(await read(), bases, { next: { id: 'v2', contents: next }, values: { company: 'ACME' } });
    expect(plan.map(({ key, is }) => [key, is])).toEqual([
      ['a', 'policy'],
      ['f', 'unchanged'],
      ['t', 'task'],
      ['gone', 'left_out'],
      ['b', 'new'],
    ]);
    expect(plan[0]).toMatchObject({ seen: 'h2', base: 'old', yours: 'ours {{x}}', theirs: 'new' });
  });

  test('what was decided on at that version is left out of the plan', async () => {
    const next = contents('new');
    const plan = planUpdate(await read(), new Map([['v1', next]]), { next: { id: 'v1', contents: next }, values: {} });
    expect(plan).toEqual([]);
  });
});
