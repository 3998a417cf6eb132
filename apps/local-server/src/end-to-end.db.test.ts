import { createHash, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mediaRoutes } from '@cairn/api/media/confirm.ts';
import { createPlaybook } from '@cairn/core/spaces/create-playbook.ts';
import { DEMO_PASSWORD } from './start/demo-people.ts';
import { startTestServer, type TestServer } from './server-for-tests.ts';

/** The product's own migrations and seed, through the official client. */
let server: TestServer;
let worker: SupabaseClient;
let manager: SupabaseClient;
let person: SupabaseClient;
let place: { organization_id: string; site_id: string };
const device = randomUUID();

const folder = (path: string) => fileURLToPath(new URL(`../../../supabase/${path}`, import.meta.url));

async function signIn(name: string): Promise<SupabaseClient> {
  const client = server.visitor();
  const { error } = await client.auth.signInWithPassword({ email: `${name}@demo.cairn.test`, password: DEMO_PASSWORD });
  expect(error).toBeNull();
  return client;
}

beforeAll(async () => {
  server = await startTestServer({ migrations: folder('migrations'), seedFolder: folder('seed'), seed: 'on' });
  [worker, manager, person] = await Promise.all([signIn('worker'), signIn('manager'), signIn('person')]);
  const [row] = await server.ask(`
    select organization_id, site_id from site_members where user_id = '00000000-0000-4000-8000-000000000003'`);
  place = { organization_id: String(row?.['organization_id']), site_id: String(row?.['site_id']) };
});

afterAll(() => server.stop());

async function token(client: SupabaseClient): Promise<string> {
  const { data } = await client.auth.getSession();
  return data.session?.access_token ?? '';
}

const noise = new Uint8Array(200_000).map((_, at) => (at * 7) % 256);
/** As cameras begin a JPEG. */
const photo = Uint8Array.from([0xff, 0xd8, 0xff, ...noise]);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Pushes the row that announces a file, as the device does. */
async function announce(bytes: Uint8Array): Promise<string> {
  const id = randomUUID();
  const facts = {
    mime: 'image/jpeg',
    bytes: bytes.length,
    sha256: sha256(bytes),
    captured_at: new Date().toISOString(),
  };
  const patch = { ...place, kind: 'photo', ...facts };
  const mutation = {
    mid: randomUUID(),
    t: 'media',
    id,
    op: 'insert',
    patch,
    base: {},
    bv: 0,
    at: new Date().toISOString(),
  };
  const { data, error } = await worker.rpc('sync_push', { p_device: device, p_mutations: [mutation] });
  expect(error).toBeNull();
  expect(data.results).toEqual([expect.objectContaining({ st: 'applied' })]);
  return id;
}

async function confirm(client: SupabaseClient, body: unknown): Promise<{ status: number; body: unknown }> {
  const headers = { Authorization: `Bearer ${await token(client)}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${server.url}/functions/v1/media/confirm`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

const store = (client: SupabaseClient, id: string, bytes: Uint8Array) =>
  client.storage.from('media').upload(`${place.organization_id}/${id}`, bytes, { contentType: 'image/jpeg' });

describe('a file is complete only when its stored bytes are the recorded ones', () => {
  test('the right bytes are confirmed, also a second time, and the manager can read them', async () => {
    const id = await announce(photo);
    expect((await store(worker, id, photo)).error).toBeNull();
    const complete = { id, state: 'complete', sha256: sha256(photo), bytes: photo.length };
    expect(await confirm(worker, { id })).toEqual({ status: 200, body: complete });
    expect(await confirm(worker, { id })).toEqual({ status: 200, body: complete });
    expect(await server.ask(`select state from media where id = '${id}'`)).toEqual([{ state: 'complete' }]);
    const { data } = await manager.storage.from('media').download(`${place.organization_id}/${id}`);
    expect(sha256(new Uint8Array((await data?.arrayBuffer()) ?? []))).toBe(sha256(photo));
  });

  test('other bytes are refused and removed, so that the right ones can follow', async () => {
    const id = await announce(photo);
    await store(worker, id, photo.slice(1));
    expect(await confirm(worker, { id })).toMatchObject({ status: 409, body: { code: 'hash_mismatch' } });
    expect(await server.ask(`select state from media where id = '${id}'`)).toEqual([{ state: 'pending' }]);
    expect((await store(worker, id, photo)).error).toBeNull();
    expect((await confirm(worker, { id })).status).toBe(200);
  });

  test('a confirmation that read other bytes and comes late leaves the right ones, which came meanwhile', async () => {
    const id = await announce(photo);
    expect((await store(worker, id, photo.slice(1))).error).toBeNull();
    const [read, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = mediaRoutes({
      url: server.url,
      publishableKey: server.secrets.publishableKey,
      secretKey: server.secrets.secretKey,
      // A network on which the stored bytes take as long as the test wants.
      fetch: async (input, init) => {
        const asking = new Request(input, init);
        const answer = await fetch(asking);
        if (asking.method !== 'GET' || !asking.url.includes('/storage/v1/object/')) return answer;
        const bytes = await answer.arrayBuffer();
        read.resolve();
        await goOn.promise;
        return new Response(bytes, answer);
      },
    });
    const headers = { Authorization: `Bearer ${await token(worker)}`, 'Content-Type': 'application/json' };
    const asked = late.request('/confirm', { method: 'POST', headers, body: JSON.stringify({ id }) });
    await read.promise;
    expect(await confirm(worker, { id })).toMatchObject({ status: 409, body: { code: 'hash_mismatch' } });
    expect((await store(worker, id, photo)).error).toBeNull();
    expect((await confirm(worker, { id })).status).toBe(200);
    goOn.resolve();
    expect((await asked).status).toBe(409);
    const { data } = await manager.storage.from('media').download(`${place.organization_id}/${id}`);
    expect(sha256(new Uint8Array((await data?.arrayBuffer()) ?? []))).toBe(sha256(photo));
  });

  test('of two that found the same bytes wrong one removes them', async () => {
    const id = await announce(photo);
    await store(worker, id, photo.slice(1));
    const ask = async () => {
      const [row] = await server.ask(`select media_may_remove('${id}', media_object('${id}')) as may`);
      return row?.['may'];
    };
    expect([await ask(), await ask()]).toEqual([true, false]);
    await server.ask(`update sync.removal set at = now() - interval '6 minutes'`);
    expect(await ask()).toBe(true);
    const { error } = await worker.rpc('media_may_remove', { p_id: id, p_object: id });
    expect(error?.code).toBe('42501');
  });

  test('a page that calls itself a photo is refused and removed, though every byte of it arrived', async () => {
    const page = new TextEncoder().encode('<!doctype html><script>alert(1)</script>');
    const id = await announce(page);
    expect((await store(worker, id, page)).error).toBeNull();
    expect(await confirm(worker, { id })).toMatchObject({ status: 415, body: { code: 'wrong_type' } });
    expect(await confirm(worker, { id })).toMatchObject({ status: 404, body: { code: 'not_uploaded' } });
    expect(await server.ask(`select state from media where id = '${id}'`)).toEqual([{ state: 'pending' }]);
  });

  test('nothing stored, nobody signed in, no right, no such id: each is told apart', async () => {
    const id = await announce(photo);
    expect(await confirm(worker, { id })).toMatchObject({ status: 404, body: { code: 'not_uploaded' } });
    expect(await confirm(person, { id })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await confirm(worker, { id: randomUUID() })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await confirm(worker, { id: 'x' })).toMatchObject({ status: 400, body: { code: 'invalid' } });
    const bare = await fetch(`${server.url}/functions/v1/media/confirm`, { method: 'POST', body: '{}' });
    expect(bare.status).toBe(401);
    const headers = { apikey: server.secrets.publishableKey };
    const nothing = await fetch(`${server.url}/functions/v1/none`, { method: 'POST', headers });
    expect([nothing.status, await nothing.json()]).toEqual([
      404,
      { code: 'not_found', message: 'There is no such function' },
    ]);
  });

  test('only the server may say that a file has arrived', async () => {
    const id = await announce(photo);
    const { error } = await worker.rpc('media_complete', { p_id: id, p_sha256: sha256(photo), p_bytes: photo.length });
    expect(error?.code).toBe('42501');
  });

  test('somebody without a right there cannot store bytes under the name', async () => {
    const id = await announce(photo);
    expect((await store(person, id, photo)).error).not.toBeNull();
    expect((await store(server.visitor(), id, photo)).error).not.toBeNull();
  });
});

test('a push by the worker nudges the manager, and not the stranger', async () => {
  const heard = { manager: [] as unknown[], person: [] as unknown[] };
  const topic = `scope:site:${place.site_id}`;
  const states: string[] = [];
  const listen = (client: SupabaseClient, list: unknown[], onState: (state: string) => void) =>
    client
      .channel(topic, { config: { private: true } })
      .on('broadcast', { event: 'changed' }, message => list.push(message['payload']))
      .subscribe(onState);
  listen(manager, heard.manager, state => states.push(`manager ${state}`));
  listen(person, heard.person, state => states.push(`person ${state}`));
  await expect
    .poll(() => states, { timeout: 20_000 })
    .toEqual(expect.arrayContaining(['manager SUBSCRIBED', 'person CHANNEL_ERROR']));
  const id = await announce(photo);
  const scope = `site:${place.site_id}`;
  const [noted] = await server.ask(
    `select version::int as v from sync.change where scope = '${scope}' and tbl = 'media' and id = '${id}'`,
  );
  // Among what the server's own clock does there meanwhile.
  await expect
    .poll(() => heard.manager, { timeout: 20_000 })
    .toContainEqual(expect.objectContaining({ scope, v: noted?.['v'] }));
  expect(heard.person).toEqual([]);
  await Promise.all([manager.removeAllChannels(), person.removeAllChannels()]);
});

async function pull(client: SupabaseClient): Promise<string> {
  const { data, error } = await client.rpc('sync_pull', { p_cursors: {}, p_device: randomUUID(), p_limit: 5000 });
  expect(error).toBeNull();
  return JSON.stringify(data);
}

test('the demo worker pulls the organisation, the stranger nothing of it', async () => {
  expect(await pull(worker)).toContain('Forklift');
  expect(await pull(person)).not.toContain(place.organization_id);
});

describe('organisations and playbooks through the official client', () => {
  const me = async (client: SupabaseClient) => {
    const { data, error } = await client.auth.getUser();
    if (error) throw error;
    return data.user.id;
  };

  test('R7.25 get_user_organization_contexts takes user_id_param, and tells of oneself only', async () => {
    const asked = await worker.rpc('get_user_organization_contexts', { user_id_param: await me(worker) });
    expect(asked.error).toBeNull();
    expect(asked.data).toContainEqual(
      expect.objectContaining({ organization_id: place.organization_id, organization_name: 'Northfield Works' }),
    );
    const another = await worker.rpc('get_user_organization_contexts', { user_id_param: await me(manager) });
    expect(another.data).toEqual([]);
    const misnamed = await worker.rpc('get_user_organization_contexts', { user_id: await me(worker) });
    expect(misnamed.error?.code).toBe('PGRST202');
  });

  test('R7.19 memberships are read with their organisation and its playbooks', async () => {
    const { data, error } = await worker
      .from('organization_members')
      .select('role, organization_id, organizations (id, name, playbooks (id, name, type))')
      .eq('user_id', await me(worker))
      .eq('organization_id', place.organization_id);
    expect(error).toBeNull();
    expect(data).toEqual([
      {
        role: 'member',
        organization_id: place.organization_id,
        organizations: {
          id: place.organization_id,
          name: 'Northfield Works',
          playbooks: [expect.objectContaining({ name: 'Daily operations', type: 'company' })],
        },
      },
    ]);
  });

  test('R7.23 preferences are selected, inserted, updated and upserted, keyed on their person: one row stays', async () => {
    const user_id = await me(person);
    await server.ask(`delete from user_preferences where user_id = '${user_id}'`);
    const table = () => person.from('user_preferences');
    const read = async () => (await table().select('user_id, language, theme_mode').eq('user_id', user_id)).data;
    expect(await read()).toEqual([]);
    expect((await table().insert({ user_id, theme_mode: 'dark' })).error).toBeNull();
    expect(await read()).toEqual([{ user_id, language: 'en', theme_mode: 'dark' }]);
    expect((await table().update({ language: 'de' }).eq('user_id', user_id)).error).toBeNull();
    expect((await table().upsert({ user_id, theme_mode: 'light' }, { onConflict: 'user_id' })).error).toBeNull();
    expect(await read()).toEqual([{ user_id, language: 'de', theme_mode: 'light' }]);
    expect((await table().insert({ user_id })).error?.code).toBe('23505');
    expect((await manager.from('user_preferences').select('user_id').eq('user_id', user_id)).data).toEqual([]);
  });

  test('R7.20 a playbook is inserted by the app with its six fields as they were given, and read back by organisation', async () => {
    const given = {
      name: 'Night shift',
      description: 'Ten to six',
      type: 'company',
      locations: ['Site North'],
    } as const;
    const [userId, organizationId] = [await me(manager), place.organization_id];
    const body = { ...given, organization_id: organizationId, owner_id: userId };
    const sent: unknown[] = [];
    await createPlaybook(
      { ...given, locations: [...given.locations] },
      {
        userId,
        organizationId,
        organizationIds: [organizationId],
        insert: async row => {
          sent.push(row);
          return manager.from('playbooks').insert(row).select().single();
        },
      },
    );
    expect(sent).toEqual([body]);
    const { data } = await worker
      .from('playbooks')
      .select('name, description, type, locations, organization_id, owner_id')
      .eq('organization_id', place.organization_id)
      .eq('name', body.name);
    expect(data).toEqual([body]);
  });
});
