import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '@cairn/api/routes.ts';
import { codeOfApp } from '@cairn/local-server/authenticator-for-tests.ts';
import { serveWorld, type Client, type ServedWorld } from './people-by-client.ts';

/** Somebody who knows the worker's password, but not their second step. */
let served: ServedWorld;
let thief: Client;
/** The worker themselves, at the second level. */
let whole: Client;

const MISSING = 'the second step of this sign-in is missing';

beforeAll(async () => {
  served = await serveWorld();
  whole = await served.signIn('worker');
  const { data, error } = await whole.auth.mfa.enroll({ factorType: 'totp' });
  if (error) throw error;
  const code = codeOfApp(data.totp.secret);
  const lifted = await whole.auth.mfa.challengeAndVerify({ factorId: data.id, code });
  if (lifted.error) throw lifted.error;
  thief = await served.signIn('worker');
});
afterAll(() => served.stop());

describe('a password alone opens nothing of somebody with a second step', () => {
  const rows = ['profiles', 'user_preferences', 'organizations', 'inspections', 'notifications', 'playbooks'];
  test.each(rows)('%s: no row over REST, and no write', async table => {
    const read = await thief.from(table).select('*');
    expect([read.status, read.error?.message, read.data]).toEqual([401, MISSING, null]);
    const write = await thief.from(table).update({ updated_at: '2026-01-01T00:00:00Z' }).neq('id', randomUUID());
    expect([write.status, write.error?.message]).toEqual([401, MISSING]);
    expect((await whole.from(table).select('*')).error).toBeNull();
  });

  test.each([
    ['sync_pull', { p_cursors: {}, p_device: randomUUID(), p_limit: 100 }],
    ['sync_push', { p_device: randomUUID(), p_mutations: [] }],
    ['my_sessions', {}],
    ['get_subscription_info', {}],
    ['export_person', {}],
  ])('%s is refused', async (name, args) => {
    const { status, error, data } = await thief.rpc(name, args);
    expect([status, error?.message, data]).toEqual([401, MISSING, null]);
    expect((await whole.rpc(name, args)).error).toBeNull();
  });

  test('no file, no service', async () => {
    const { world } = served;
    const listed = await thief.storage.from('media').list(world.organization);
    expect(listed.error?.message).toBe(MISSING);
    const exported = await thief.functions.invoke('account/export', { method: 'POST' });
    expect(exported.error).not.toBeNull();
  });

  test('no account is ended, also where nothing stands in front of the functions', async () => {
    const config = await fetch(`${served.url}/config.json`);
    const { publishableKey } = (await config.json()) as { publishableKey: string };
    const asked: string[] = [];
    const ask: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      asked.push(new URL(request.url).pathname);
      return fetch(request);
    };
    // The key of nobody: what is asked with it counts, not what comes of it.
    const api = createApi({ url: served.url, publishableKey, secretKey: 'none', fetch: ask });
    const { data } = await thief.auth.getSession();
    const headers = { Authorization: `Bearer ${data.session?.access_token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ password: 'a long word', confirm: 'delete' });
    const answer = await api.request('/functions/v1/account/delete', { method: 'POST', headers, body });
    expect(answer.status).toBe(401);
    expect(asked).not.toContain('/rest/v1/rpc/delete_account');
    expect(asked.join(' ')).not.toContain('/auth/v1/token');
  });

  test('no private channel', async () => {
    const states: string[] = [];
    const channel = thief.channel(`scope:user:${served.world.worker}`, { config: { private: true } });
    channel.subscribe(state => states.push(state));
    await expect.poll(() => states).toContain('CHANNEL_ERROR');
    expect(states).not.toContain('SUBSCRIBED');
    await thief.removeAllChannels();
  });

  test('the auth service still lets them finish: list their factors, or leave', async () => {
    expect((await thief.auth.getUser()).data.user?.factors).toHaveLength(1);
    const another = await served.signIn('worker');
    expect((await another.auth.signOut({ scope: 'local' })).error).toBeNull();
  });
});

describe('the database says so itself, where no server of ours stands in front', () => {
  const asLevel = async (aal: string | null, statement: string) => {
    const claims = JSON.stringify({ role: 'authenticated', sub: served.world.worker, ...(aal && { aal }) });
    return served.db.asAdmin(
      `with me as materialized (select set_config('request.jwt.claims', $1, true), set_config('role', 'authenticated', true))
       select (${statement}) as answer from me`,
      [claims],
    );
  };
  test.each([
    'select count(*) from my_scopes()',
    `select count(*) from my_organizations_with('place.all')`,
    'select request.check_session()::text',
  ])('%s', async statement => {
    for (const aal of [null, 'aal1', 'aal3'])
      await expect(asLevel(aal, statement)).rejects.toMatchObject({ code: 'PT401' });
    expect(await asLevel('aal2', statement)).toHaveLength(1);
  });
});

test('taking the second step away opens the first level again', async () => {
  const { data } = await whole.auth.mfa.listFactors();
  expect((await whole.auth.mfa.unenroll({ factorId: data?.totp[0]?.id ?? '' })).error).toBeNull();
  expect((await thief.from('profiles').select('id')).error).toBeNull();
});
