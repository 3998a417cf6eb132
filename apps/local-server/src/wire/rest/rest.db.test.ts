import type { SupabaseClient } from '@supabase/supabase-js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

/** REST as the official client asks for it: status, body and code are those PostgREST documents. */
let server: TestServer;
let ann: { client: SupabaseClient; id: string; token: string };
beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person('Ann');
});
afterAll(() => server.stop());

const notes = () => ann.client.from('notes');
const words = async () => ((await notes().select('words').order('words')).data ?? []).map(row => String(row.words));
beforeEach(async () => {
  await server.ask('delete from notes');
  await notes().insert([{ words: 'one' }, { words: 'two' }, { words: 'three' }]);
});

const raw = (query: string, headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(`${server.url}/rest/v1/notes${query}`, {
    ...init,
    headers: {
      apikey: server.secrets.publishableKey,
      Authorization: `Bearer ${ann.token}`,
      'Content-Type': 'application/json',
      ...headers,
    },
  });

describe('Prefer: return', () => {
  test('minimal answers nothing, representation the rows, headers-only where the new one is', async () => {
    expect(await notes().insert({ words: 'new' })).toMatchObject({ status: 201, data: null, error: null });
    expect(await notes().insert({ words: 'newer' }).select('words')).toMatchObject({
      status: 201,
      data: [{ words: 'newer' }],
    });
    const body = JSON.stringify({ words: 'newest' });
    const made = await raw('', { Prefer: 'return=headers-only' }, { method: 'POST', body });
    expect([made.status, await made.text()]).toEqual([201, '']);
    expect(made.headers.get('Location')).toMatch(/^\/notes\?id=eq\.[0-9a-f-]{36}$/);
    expect(made.headers.get('Preference-Applied')).toBe('return=headers-only');
  });

  test('a change and a removal answer 204, or 200 with the rows, none where none fits', async () => {
    expect(await notes().update({ words: 'uno' }).eq('words', 'one')).toMatchObject({ status: 204, data: null });
    const changed = notes().update({ words: 'due' }).eq('words', 'two').select('words');
    expect(await changed).toMatchObject({ status: 200, data: [{ words: 'due' }] });
    expect(await notes().update({ words: 'x' }).eq('words', 'ten').select()).toMatchObject({ status: 200, data: [] });
    expect(await notes().delete().eq('words', 'uno')).toMatchObject({ status: 204, data: null });
    expect(await notes().delete().eq('words', 'due').select('words')).toMatchObject({ data: [{ words: 'due' }] });
    expect(await words()).toEqual(['three']);
  });
});

describe('Prefer: count', () => {
  test('exact counts beside the page, 206 where there is more, and alone with HEAD', async () => {
    const page = await notes().select('words', { count: 'exact' }).order('words').range(0, 1);
    expect(page).toMatchObject({ status: 206, count: 3, data: [{ words: 'one' }, { words: 'three' }] });
    expect(await notes().select('*', { count: 'exact', head: true })).toMatchObject({
      status: 200,
      count: 3,
      data: null,
    });
    expect((await raw('?limit=1', { Prefer: 'count=exact' })).headers.get('Content-Range')).toBe('0-0/3');
    expect(await notes().update({ words: 'x' }, { count: 'exact' }).neq('words', 'one')).toMatchObject({ count: 2 });
  });

  test('a page past the end is 416 PGRST103 where it is counted, and empty where not', async () => {
    const counted = await notes().select('*', { count: 'exact' }).range(50, 60);
    expect(counted).toMatchObject({ status: 416, error: { code: 'PGRST103' } });
    expect(await notes().select('*').range(50, 60)).toMatchObject({ status: 200, data: [] });
  });
});

describe('Prefer: resolution, missing, handling', () => {
  test('merge-duplicates changes what is there, ignore-duplicates leaves it; no such key is 42P10', async () => {
    const id = randomUUID();
    expect(await notes().upsert({ id, words: 'first' })).toMatchObject({ status: 201, error: null });
    expect(await notes().upsert({ id, words: 'second' }, { onConflict: 'id' })).toMatchObject({ status: 200 });
    const ignored = await notes().upsert({ id, words: 'third' }, { ignoreDuplicates: true }).select('words');
    expect(ignored.data).toEqual([]);
    expect((await notes().select('words').eq('id', id).single()).data).toEqual({ words: 'second' });
    expect((await notes().insert({ id, words: 'fourth' })).error).toMatchObject({ code: '23505' });
    expect((await notes().upsert({ words: 'x' }, { onConflict: 'words' })).error).toMatchObject({ code: '42P10' });
  });

  test('missing=default fills in what some of many rows leave out', async () => {
    const rows = [{ words: 'four' }, { words: 'five', extra: { n: 1 } }];
    const made = await notes().insert(rows, { defaultToNull: false }).select('words, extra, owner');
    expect(made.data).toEqual([
      { words: 'four', extra: null, owner: ann.id },
      { words: 'five', extra: { n: 1 }, owner: ann.id },
    ]);
  });

  test('more rows than max-affected allows: PGRST124 and nothing is changed', async () => {
    const body = JSON.stringify({ words: 'all' });
    const narrow = { Prefer: 'handling=strict, max-affected=1' };
    const wide = await raw('?words=neq.one', narrow, { method: 'PATCH', body });
    expect([wide.status, await wide.json()]).toMatchObject([400, { code: 'PGRST124' }]);
    expect(await words()).toEqual(['one', 'three', 'two']);
    const strict = await raw('?limit=1', { Prefer: 'handling=strict, foo=bar' });
    expect([strict.status, await strict.json()]).toMatchObject([400, { code: 'PGRST122' }]);
  });
});

describe('one row, and other forms', () => {
  test('single is 406 PGRST116 for none and for many; maybeSingle is null for none', async () => {
    const none = { status: 406, error: { code: 'PGRST116', details: 'The result contains 0 rows' } };
    expect(await notes().select().eq('words', 'ten').single()).toMatchObject(none);
    expect(await notes().select().single()).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
    expect(await notes().select().eq('words', 'ten').maybeSingle()).toMatchObject({ data: null, error: null });
  });

  test('two rows written where one was asked for are not written', async () => {
    const both = await notes()
      .insert([{ words: 'e' }, { words: 'f' }])
      .select()
      .single();
    expect(both).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
    expect(await words()).toEqual(['one', 'three', 'two']);
  });

  test('CSV is text; plans and foreign forms are not offered', async () => {
    expect((await notes().select('words').order('words').csv()).data).toBe('words\none\nthree\ntwo');
    expect((await notes().select().explain()).error).toMatchObject({ code: 'PGRST107' });
    expect((await raw('', { Accept: 'application/xml' })).status).toBe(406);
  });
});

describe('what there is not', () => {
  test('a table, a column, a relation, a function, a schema and an operator each have their code', async () => {
    const asked = [
      ann.client.from('nope').select(),
      notes().select('nope'),
      notes().insert({ nope: 1 }),
      notes().select('nope(*)'),
      ann.client.rpc('nope', { a: 1 }),
      ann.client.rpc('kind_of', { b: 1 }),
      ann.client.schema('auth').from('users').select(),
      notes().select().filter('words', 'zz', 1),
    ];
    const answers = await Promise.all(asked);
    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual([
      [404, 'PGRST205'],
      [400, '42703'],
      [400, 'PGRST204'],
      [400, 'PGRST200'],
      [404, 'PGRST202'],
      [404, 'PGRST202'],
      [406, 'PGRST106'],
      [400, 'PGRST100'],
    ]);
  });
});
