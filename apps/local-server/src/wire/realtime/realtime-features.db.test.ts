import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSigningKeys } from '@cairn/supabase-local/access/signing-keys.ts';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
let bob: Awaited<ReturnType<TestServer['person']>>;
let topics = 0;

const SCHEMA = `
  create table public.visits (id uuid primary key default gen_random_uuid(), owner uuid not null, place text, score int, big text, secret text);
  alter table public.visits enable row level security;
  create policy own on public.visits to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
  grant all on public.visits to authenticated, anon;
  revoke select on public.visits from authenticated, anon;
  grant select (id, owner, place, score, big) on public.visits to authenticated;
  alter publication supabase_realtime add table public.visits;
  create policy write on realtime.messages for insert to authenticated with check (realtime.topic() = 'team');
  create policy hear on realtime.messages for select to authenticated using (realtime.topic() in ('team', 'quiet'));`;

beforeAll(async () => {
  server = await startTestServer({ publicRealtime: true });
  await server.ask(SCHEMA);
  ann = await server.person('Ann');
  bob = await server.person('Bob');
});

afterEach(async () => {
  await ann.client.removeAllChannels();
  await bob.client.removeAllChannels();
});

afterAll(() => server.stop());

const newTopic = () => `topic-${(topics += 1)}`;

async function joined(channel: RealtimeChannel): Promise<RealtimeChannel> {
  const states: string[] = [];
  channel.subscribe(state => states.push(state));
  await expect.poll(() => states).toContain('SUBSCRIBED');
  return channel;
}

describe('the socket', () => {
  test('R7.18 the client keeps it alive with heartbeats that are answered', async () => {
    const beats: string[] = [];
    const client = createClient(server.url, server.secrets.publishableKey, {
      realtime: { heartbeatIntervalMs: 50, heartbeatCallback: status => beats.push(status) },
    });
    client.realtime.connect();
    await expect.poll(() => beats.filter(status => status === 'ok').length).toBeGreaterThanOrEqual(2);
    expect(beats).not.toContain('timeout');
    await client.realtime.disconnect();
  });

  test('R9.04 a line that breaks is made anew after 1, 2, 5, then every 10 s, until the server is there again', async () => {
    const wait = setTimeout;
    const until = async (isTrue: () => boolean) => {
      while (!isTrue()) await new Promise(resolve => wait(resolve, 5));
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const lines: WebSocket[] = [];
    let isThere = true;
    class Line extends WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        // Nobody listens at the first port: the system itself refuses.
        super(isThere ? address : String(address).replace(/:\d+\//, ':1/'), protocols);
        lines.push(this);
      }
    }
    const client = createClient(server.url, server.secrets.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false, storageKey: 'lines' },
      realtime: { transport: Line },
    });
    const isDown = (at: number) => () => lines[at]?.readyState === WebSocket.CLOSED;
    try {
      client.realtime.connect();
      await until(() => lines[0]?.readyState === WebSocket.OPEN);
      isThere = false;
      lines[0]?.close();
      for (const [at, ms] of [1000, 2000, 5000, 10_000, 10_000].entries()) {
        await until(isDown(at));
        vi.advanceTimersByTime(ms - 1);
        await new Promise(setImmediate);
        expect(lines).toHaveLength(at + 1);
        isThere = at === 4;
        vi.advanceTimersByTime(1);
        await until(() => lines.length === at + 2);
      }
      await until(() => lines[5]?.readyState === WebSocket.OPEN);
    } finally {
      vi.useRealTimers();
      await client.realtime.disconnect();
    }
  });

  test('a topic without a name, and what is no topic of ours, are refused with a reason', async () => {
    const reasons: string[] = [];
    const socket = new WebSocket(
      `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.secrets.publishableKey}&vsn=2.0.0`,
    );
    socket.addEventListener('message', event => reasons.push(String(event.data)));
    await new Promise(resolve => socket.addEventListener('open', resolve));
    for (const topic of ['realtime:', 'other:x']) socket.send(JSON.stringify(['1', '1', topic, 'phx_join', {}]));
    socket.send(JSON.stringify(['1', '2', 'realtime:x', 'phx_join', { access_token: 'a.b.c' }]));
    socket.send(JSON.stringify(['1', '3', 'realtime:y', 'broadcast', {}]));
    await expect.poll(() => reasons).toHaveLength(4);
    expect(reasons[0]).toContain('TopicNameRequired: You must provide a topic name');
    expect(reasons[1]).toContain('unmatched topic');
    expect(reasons[2]).toContain('InvalidJWTToken');
    expect(reasons[3]).toContain('unmatched topic');
    socket.close();
  });

  test('a flood ends the channel, not the server', async () => {
    const told: { message: string }[] = [];
    const channel = ann.client.channel(newTopic()).on('system', {}, message => told.push(message));
    await joined(channel);
    for (let at = 0; at < 120; at += 1) void channel.send({ type: 'broadcast', event: 'x', payload: { at } });
    await expect.poll(() => told.map(({ message }) => message)).toContain('Too many messages per second');
    await joined(bob.client.channel(newTopic()));
  });
});

describe('broadcast', () => {
  test('with ack the sender learns that it went, or that it may not', async () => {
    const config = { private: true, broadcast: { ack: true } };
    const team = await joined(ann.client.channel('team', { config }));
    expect(await team.send({ type: 'broadcast', event: 'e', payload: {} })).toBe('ok');
    const quiet = await joined(ann.client.channel('quiet', { config }));
    expect(await quiet.send({ type: 'broadcast', event: 'e', payload: {} })).toBe('error');
  });

  test('raw bytes arrive as they are', async () => {
    const topic = newTopic();
    const heard: unknown[] = [];
    await joined(
      bob.client.channel(topic).on('broadcast', { event: 'bytes' }, message => heard.push(message['payload'])),
    );
    const sender = await joined(ann.client.channel(topic));
    await sender.send({ type: 'broadcast', event: 'bytes', payload: new Uint8Array([0, 255, 7]).buffer });
    await expect.poll(() => heard).toHaveLength(1);
    expect(new Uint8Array(heard[0] as ArrayBuffer)).toEqual(new Uint8Array([0, 255, 7]));
  });

  test('by HTTP it reaches the channel; a private one needs the right to write', async () => {
    const topic = newTopic();
    const heard: unknown[] = [];
    await joined(
      bob.client.channel(topic).on('broadcast', { event: 'post' }, message => heard.push(message['payload'])),
    );
    expect(await ann.client.channel(topic).httpSend('post', { by: 'http' })).toEqual({ success: true });
    await expect.poll(() => heard).toEqual([{ by: 'http' }]);
    const config = { private: true };
    await ann.client.realtime.setAuth(ann.token);
    expect(await ann.client.channel('team', { config }).httpSend('post', { x: 1 })).toEqual({ success: true });
    await expect(ann.client.channel('quiet', { config }).httpSend('post', { x: 1 })).rejects.toThrow('permissions');
  });

  test('a batch by HTTP leaves out what the sender may not, and refuses what is none', async () => {
    const heard: unknown[] = [];
    for (const topic of ['team', 'quiet'])
      await joined(
        bob.client
          .channel(topic, { config: { private: true } })
          .on('broadcast', { event: 'b' }, message => heard.push([topic, message['payload']])),
      );
    const post = (body: unknown, key = server.secrets.publishableKey, token = ann.token) =>
      fetch(`${server.url}/realtime/v1/api/broadcast`, {
        method: 'POST',
        headers: { apikey: key, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const messages = ['quiet', 'team'].map(topic => ({ topic, event: 'b', payload: { n: 1 }, private: true }));
    expect((await post({ messages })).status).toBe(202);
    await expect.poll(() => heard).toEqual([['team', { n: 1 }]]);
    for (const body of [{}, { messages: [] }, { messages: [{ topic: 'x' }] }, null, 'x'])
      expect((await post(body)).status).toBe(422);
    expect((await post({ messages }, server.secrets.publishableKey, 'x.y.z')).status).toBe(401);
    expect((await fetch(`${server.url}/realtime/v1/api/broadcast`, { method: 'POST', body: '{}' })).status).toBe(401);
  });
});

describe('presence', () => {
  const keys = (channel: RealtimeChannel) => Object.keys(channel.presenceState()).toSorted();

  /** @param key what it asks to be called, which counts for nothing */
  function watch(client: SupabaseClient, topic: string, key: string, isPrivate = false) {
    const seen: string[] = [];
    const channel = client
      .channel(topic, { config: { presence: { key }, private: isPrivate } })
      .on('presence', { event: 'join' }, message => seen.push(`+${message.key}`))
      .on('presence', { event: 'leave' }, message => seen.push(`-${message.key}`));
    return { channel, seen };
  }

  test('who tracks is seen by those who are there and by those who come, until they leave', async () => {
    const topic = newTopic();
    const hers = watch(ann.client, topic, 'ann');
    await joined(hers.channel);
    expect(await hers.channel.track({ mood: 'calm' })).toBe('ok');
    const his = watch(bob.client, topic, 'bob');
    await joined(his.channel);
    await expect
      .poll(() => his.channel.presenceState())
      .toMatchObject({ [ann.id]: [{ mood: 'calm', presence_ref: expect.any(String) }] });
    await his.channel.track({ mood: 'brisk' });
    await expect.poll(() => keys(hers.channel)).toEqual([ann.id, bob.id].toSorted());
    await hers.channel.track({ mood: 'brisk' });
    await expect.poll(() => his.channel.presenceState()[ann.id]).toMatchObject([{ mood: 'brisk' }]);
    await his.channel.untrack();
    await expect.poll(() => keys(hers.channel)).toEqual([ann.id]);
    await ann.client.removeChannel(hers.channel);
    await expect.poll(() => keys(his.channel)).toEqual([]);
    expect(his.seen.at(-1)).toBe(`-${ann.id}`);
  });

  test('nobody is present under the key of somebody else: it is who they are, and a visitor is somebody new', async () => {
    const topic = newTopic();
    const his = watch(bob.client, topic, 'bob');
    await joined(his.channel);
    await (await joined(watch(ann.client, topic, bob.id).channel)).track({ phx_ref: 'x', phx_ref_prev: 'y' });
    await expect.poll(() => keys(his.channel)).toEqual([ann.id]);
    const third = server.visitor();
    await (await joined(watch(third, topic, ann.id).channel)).track({});
    await expect.poll(() => keys(his.channel)).toHaveLength(2);
    expect(his.channel.presenceState()[ann.id]).toEqual([{ presence_ref: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
    await third.realtime.disconnect();
  });

  test('a line that breaks is a leave, and a key without a name gets one of its own', async () => {
    const topic = newTopic();
    const his = watch(bob.client, topic, 'bob');
    await joined(his.channel);
    const third = server.visitor();
    await (await joined(watch(third, topic, '').channel)).track({});
    await expect.poll(() => keys(his.channel)).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    await third.realtime.disconnect();
    await expect.poll(() => keys(his.channel)).toEqual([]);
  });

  test('on a private channel the policies say who may be seen and who may say so', async () => {
    const hers = watch(ann.client, 'team', 'ann', true);
    await joined(hers.channel);
    await hers.channel.track({ in: 'team' });
    await expect.poll(() => keys(hers.channel)).toEqual([ann.id]);
    const outside = watch(bob.client, 'team', 'bob');
    await joined(outside.channel);
    await outside.channel.track({});
    await expect.poll(() => keys(outside.channel)).toEqual([bob.id]);
    const quiet = watch(bob.client, 'quiet', 'bob', true);
    await joined(quiet.channel);
    expect(await quiet.channel.track({})).toBe('error');
    expect(keys(hers.channel)).toEqual([ann.id]);
  });
});

describe('changes of tables', () => {
  type RecordedChange = {
    eventType: string;
    new: Record<string, unknown>;
    old: Record<string, unknown>;
    errors: unknown;
  };

  async function watch(client: SupabaseClient, filter?: string, event: '*' | 'INSERT' = '*', table = 'visits') {
    const heard: RecordedChange[] = [];
    const told: { status: string; message: string }[] = [];
    const channel = client
      .channel(newTopic())
      .on(
        'postgres_changes' as 'system',
        { event, schema: 'public', table, ...(filter ? { filter } : {}) } as object,
        message => heard.push(message),
      )
      .on('system', {}, message => told.push(message));
    await joined(channel);
    await expect.poll(() => told).not.toEqual([]);
    return { heard, told: told[0], channel };
  }

  const add = async (person: typeof ann, more: object = {}) => {
    const id = crypto.randomUUID();
    const { error } = await person.client
      .from('visits')
      .insert({ id, owner: person.id, place: 'quay', score: 3, secret: 's', ...more });
    expect(error).toBeNull();
    return id;
  };

  test('each person hears of their own rows: insert, update, delete; of columns they may read', async () => {
    const hers = await watch(ann.client);
    const his = await watch(bob.client);
    expect(hers.told).toMatchObject({ status: 'ok', message: 'Subscribed to PostgreSQL' });
    const id = await add(ann);
    // Whether she may read it is asked of the row itself: it must stand, as it was, until she was told.
    await expect.poll(() => hers.heard).toHaveLength(1);
    await server.ask(`update public.visits set place = 'pier' where id = '${id}'`);
    await expect.poll(() => hers.heard).toHaveLength(2);
    await server.ask(`delete from public.visits where id = '${id}'`);
    await expect.poll(() => hers.heard.map(change => change.eventType)).toEqual(['INSERT', 'UPDATE', 'DELETE']);
    expect(hers.heard[0]).toMatchObject({ new: { id, owner: ann.id, place: 'quay', score: 3 }, old: {}, errors: null });
    expect(hers.heard[0]?.new).not.toHaveProperty('secret');
    expect(hers.heard[1]).toMatchObject({ new: { id, place: 'pier' }, old: { id } });
    expect(hers.heard[2]).toMatchObject({ new: {}, old: { id } });
    // Of a deleted row nobody can be asked, so its key reaches every listener, as on Supabase.
    await expect.poll(() => his.heard.map(change => change.eventType)).toEqual(['DELETE']);
    expect(his.heard[0]?.old).toEqual({ id });
  });

  test('a visitor, and whoever may not read the key, hears nothing', async () => {
    const visitor = server.visitor();
    const nobody = await watch(visitor);
    const hers = await watch(ann.client);
    const id = await add(ann);
    // Whether she may read it is asked of the row itself: it must stand until she was told.
    await expect.poll(() => hers.heard).toHaveLength(1);
    await server.ask(`delete from public.visits where id = '${id}'`);
    await expect.poll(() => hers.heard).toHaveLength(2);
    expect(nobody.heard).toEqual([]);
    await visitor.removeAllChannels();
  });

  test.each([
    ['score=gt.9', { score: 10 }, { score: 9 }],
    ['score=in.(1,20)', { score: 20 }, { score: 2 }],
    ['place=eq.a,b', null, null],
    ['place=eq."a,b"', { place: 'a,b' }, { place: 'a' }],
    ['place=not.ilike.q%', { place: 'shore' }, { place: 'QUAY' }],
    ['score=is.null', { score: null }, { score: 0 }],
    ['place=eq.pier,score=lte.10', { place: 'pier', score: 10 }, { place: 'pier', score: 11 }],
  ])('the filter %s lets through what fits', async (filter, fitting, other) => {
    const { heard, told } = await watch(ann.client, filter, 'INSERT');
    expect(told?.status).toBe(fitting ? 'ok' : 'error');
    if (!fitting || !other) return;
    await add(ann, other);
    const id = await add(ann, fitting);
    await expect.poll(() => heard.map(change => change.new['id'])).toEqual([id]);
  });

  test('a row too large for a notification arrives whole', async () => {
    const { heard } = await watch(ann.client);
    const big = 'ü'.repeat(20_000);
    await add(ann, { big });
    await expect.poll(() => heard).toHaveLength(1);
    expect(heard[0]?.new['big']).toBe(big);
  });

  test('a table that is not published, and a filter that is none, are said to be so', async () => {
    for (const [filter, table] of [
      [undefined, 'notes'],
      [undefined, 'nowhere'],
      ["score=eq.1'; drop table visits", 'visits'],
      ['score=eq.many', 'visits'],
      ['nothing=eq.1', 'visits'],
    ] as const) {
      const { told } = await watch(ann.client, filter, '*', table);
      expect(told).toMatchObject({ status: 'error' });
      expect(told?.message).toContain('Unable to subscribe to changes with given parameters');
    }
  });

  test('a token that runs out ends the listening', async () => {
    const token = await createSigningKeys(server.secrets.signingKey).sign({ role: 'authenticated', sub: ann.id }, 3);
    const client = server.visitor();
    await client.realtime.setAuth(token);
    const { heard, channel } = await watch(client);
    await add(ann);
    await expect.poll(() => heard).toHaveLength(1);
    await expect.poll(() => channel.state, { timeout: 20_000 }).toBe('closed');
    const hers = await watch(ann.client);
    await add(ann);
    await expect.poll(() => hers.heard).toHaveLength(1);
    expect(heard).toHaveLength(1);
  });

  test('what is rolled back is not told', async () => {
    const { heard } = await watch(ann.client);
    const values = `(owner, place) values ('${ann.id}', 'x')`;
    await server.ask(`begin; insert into public.visits ${values}; rollback`);
    const id = await add(ann);
    await expect.poll(() => heard.map(change => change.new['id'])).toEqual([id]);
  });
});
