import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServerOn } from '@cairn/local-server/server-for-tests.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import type { Client } from './people-by-client.ts';

let db: TestDatabase;
let server: Awaited<ReturnType<typeof startServerOn>>;
const PASSWORD = 'a long word';

beforeAll(async () => {
  db = await freshDatabase();
  server = await startServerOn(db.url);
});
afterAll(async () => {
  await server.stop();
  await db.drop();
});

type SessionEntry = {
  id: string;
  user_agent: string;
  ip_address: string;
  level: string;
  is_current: boolean;
  seen_at: string;
};

async function signUp(email: string): Promise<Client> {
  const client = server.visitor();
  const { error } = await client.auth.signUp({ email, password: PASSWORD });
  if (error) throw error;
  return client;
}

/** Somebody's other device, under the name it gives itself. */
async function device(email: string, name: string): Promise<Client> {
  const { publishableKey }: { publishableKey: string } = await (await fetch(`${server.url}/config.json`)).json();
  const answer = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'User-Agent': name },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const client = server.visitor();
  const { error } = await client.auth.setSession(await answer.json());
  if (error) throw error;
  return client;
}

async function sessionsOf(client: Client): Promise<SessionEntry[]> {
  const { data, error } = await client.rpc('my_sessions');
  if (error) throw error;
  return data;
}

describe('sessions', () => {
  test('a person sees their own devices, this one first, and nobody sees theirs', async () => {
    const ann = await signUp('ann@example.test');
    await device('ann@example.test', 'Phone of Ann');
    const bob = await signUp('bob@example.test');
    const sessions = await sessionsOf(ann);
    expect(sessions.map(({ is_current }) => is_current)).toEqual([true, false]);
    expect(sessions[1]).toMatchObject({ user_agent: 'Phone of Ann', ip_address: '127.0.0.1', level: 'aal1' });
    expect(await sessionsOf(bob)).toHaveLength(1);
    expect((await server.visitor().rpc('my_sessions')).status).toBe(401);
  });

  test('a device that is signed out from another one is out at its next call, everywhere', async () => {
    const cleo = await signUp('cleo@example.test');
    const lost = await device('cleo@example.test', 'Lost phone');
    const { data: before } = await lost.auth.getSession();
    const id = (await sessionsOf(cleo)).find(({ is_current }) => !is_current)?.id;
    expect((await cleo.rpc('end_my_session', { p_id: id })).data).toBe(true);
    expect((await lost.rpc('my_sessions')).status).toBe(401);
    expect((await lost.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    const refresh_token = before.session?.refresh_token ?? '';
    expect((await server.visitor().auth.refreshSession({ refresh_token })).error?.code).toBe('refresh_token_not_found');
    expect((await cleo.auth.getUser()).error).toBeNull();
    expect((await cleo.rpc('end_my_session', { p_id: id })).data).toBe(false);
  });

  test("nobody ends somebody else's session", async () => {
    const dora = await signUp('dora@example.test');
    const eve = await signUp('eve@example.test');
    const [own] = await sessionsOf(dora);
    expect((await eve.rpc('end_my_session', { p_id: own?.id })).data).toBe(false);
    expect((await dora.auth.getUser()).error).toBeNull();
  });
});

describe('an account that was deleted on another device', () => {
  const refresh = async (refresh_token: string) =>
    (await server.visitor().auth.refreshSession({ refresh_token })).error?.code ?? 'renewed';
  const hasEnded = async (p_token: string) => (await server.visitor().rpc('account_has_ended', { p_token })).data;
  const operator = () => server.operator();
  const ends = {
    'by its person': (id: string) => operator().rpc('delete_account', { p_user: id }),
    'by the operator, whole': (id: string) => operator().auth.admin.deleteUser(id),
    'by the operator, softly': (id: string) => operator().auth.admin.deleteUser(id, true),
  };

  test.each(Object.entries(ends))('deleted %s: a device that held its session is told so', async (how, end) => {
    const email = `${how.replaceAll(/\W/g, '')}@example.test`;
    const ann = await signUp(email);
    const { data } = await ann.auth.getSession();
    const { refresh_token: token, user } = data.session ?? { refresh_token: '', user: { id: '' } };
    expect((await end(user.id)).error).toBeNull();
    expect([await refresh(token), await hasEnded(token)]).toEqual(['user_not_found', true]);
    expect((await ann.rpc('my_sessions')).status).toBe(401);
  });

  test('nobody else is told: whoever knows the address, the id, an access token or half a token hears what any guess hears', async () => {
    const [ann, bob] = [await signUp('gone@example.test'), await signUp('here@example.test')];
    const { data } = await ann.auth.getSession();
    const {
      refresh_token: token,
      access_token,
      user,
    } = data.session ?? { refresh_token: '', access_token: '', user: { id: '' } };
    const { data: others } = await bob.auth.getSession();
    expect((await ends['by its person'](user.id)).error).toBeNull();
    const guesses = [user.id, 'gone@example.test', access_token, token.slice(1), `${token} `, token.toUpperCase(), ''];
    for (const guess of guesses) expect(await hasEnded(guess)).toBeNull();
    for (const guess of guesses.filter(Boolean)) expect(await refresh(guess)).toBe('refresh_token_not_found');
    // A session that stands, and one that was only ended.
    const live = others.session?.refresh_token ?? '';
    expect(await hasEnded(live)).toBeNull();
    await bob.auth.signOut();
    expect([await hasEnded(live), await refresh(live)]).toEqual([null, 'refresh_token_not_found']);
    expect(
      await db.asAdmin('select * from identity.ended_tokens where encode(hash, $1) like $2', ['escape', `%${token}%`]),
    ).toEqual([]);
  });
});
