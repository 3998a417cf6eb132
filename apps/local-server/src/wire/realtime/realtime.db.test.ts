import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSigningKeys } from '@cairn/supabase-local/access/signing-keys.ts';
import { startTestServer, type TestServer } from '../../server-for-tests.ts';

let server: TestServer;
let ann: Awaited<ReturnType<TestServer['person']>>;
let bob: Awaited<ReturnType<TestServer['person']>>;

beforeAll(async () => {
  server = await startTestServer({ publicRealtime: true });
  ann = await server.person('Ann');
  bob = await server.person('Bob');
});

afterEach(async () => {
  await ann.client.removeAllChannels();
  await bob.client.removeAllChannels();
});

afterAll(() => server.stop());

type RecordedMessages = { states: string[]; words: unknown[] };

function listen(
  client: SupabaseClient,
  topic: string,
  config: { private?: boolean; broadcast?: { self?: boolean } },
): RecordedMessages {
  const heard: RecordedMessages = { states: [], words: [] };
  client
    .channel(topic, { config })
    .on('broadcast', { event: 'changed' }, message => heard.words.push(message['payload']))
    .subscribe(state => heard.states.push(state));
  return heard;
}

test('a private broadcast of the database reaches its person and nobody else', async () => {
  const topic = `person:${ann.id}`;
  const hers = listen(ann.client, topic, { private: true });
  const his = listen(bob.client, topic, { private: true });
  const eavesdropper = listen(bob.client, `person:${ann.id}`, { private: false });
  await expect.poll(() => hers.states).toContain('SUBSCRIBED');
  await expect.poll(() => his.states).toContain('CHANNEL_ERROR');

  await ann.client.rpc('shout', { p_topic: topic, p_words: 'grüße' });
  await expect.poll(() => hers.words).toEqual([expect.objectContaining({ words: 'grüße' })]);
  expect([his.words, eavesdropper.words]).toEqual([[], []]);
});

test('a public channel of the same name hears no private broadcast', async () => {
  const topic = `person:${ann.id}`;
  const open = listen(bob.client, topic, {});
  const hers = listen(ann.client, topic, { private: true });
  await expect.poll(() => open.states).toContain('SUBSCRIBED');
  await expect.poll(() => hers.states).toContain('SUBSCRIBED');
  await ann.client.rpc('shout', { p_topic: topic, p_words: 'x' });
  await expect.poll(() => hers.words).toHaveLength(1);
  expect(open.words).toEqual([]);
});

test('on a public channel a broadcast reaches the others, and the sender only when asked', async () => {
  const hers = listen(ann.client, 'room', { broadcast: { self: false } });
  const his = listen(bob.client, 'room', { broadcast: { self: true } });
  await expect.poll(() => [hers.states, his.states].every(states => states.includes('SUBSCRIBED'))).toBe(true);
  await bob.client.getChannels()[0]?.send({ type: 'broadcast', event: 'changed', payload: { from: 'bob', ü: 'ü' } });
  await expect.poll(() => hers.words).toEqual([{ from: 'bob', ü: 'ü' }]);
  await expect.poll(() => his.words).toHaveLength(1);
  await ann.client.getChannels()[0]?.send({ type: 'broadcast', event: 'changed', payload: { from: 'ann' } });
  await expect.poll(() => his.words).toHaveLength(2);
  expect(hers.words).toHaveLength(1);
});

test('who may listen on a private topic but has no policy to write cannot send there', async () => {
  const topic = `person:${ann.id}`;
  const first = listen(ann.client, topic, { private: true, broadcast: { self: true } });
  await expect.poll(() => first.states).toContain('SUBSCRIBED');
  await ann.client.getChannels()[0]?.send({ type: 'broadcast', event: 'changed', payload: { forged: true } });
  await ann.client.rpc('shout', { p_topic: topic, p_words: 'real' });
  await expect.poll(() => first.words).toEqual([expect.objectContaining({ words: 'real' })]);
});

test('a change that is rolled back is not announced', async () => {
  const hers = listen(ann.client, `person:${ann.id}`, { private: true });
  await expect.poll(() => hers.states).toContain('SUBSCRIBED');
  const send = (words: string) => `select realtime.send('{"words":"${words}"}', 'changed', 'person:${ann.id}', true)`;
  await server.ask(`begin; ${send('undone')}; rollback`);
  await server.ask(send('done'));
  await expect.poll(() => hers.words).toEqual([expect.objectContaining({ words: 'done' })]);
});

/** The bare protocol, for what the client library hides. */
async function open(version: string, key = server.secrets.publishableKey) {
  const url = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=${version}`;
  const socket = new WebSocket(url);
  const frames: unknown[] = [];
  socket.addEventListener('message', event => frames.push(JSON.parse(String(event.data))));
  const state = await new Promise<string>(resolve => {
    socket.addEventListener('open', () => resolve('open'));
    socket.addEventListener('error', () => resolve('refused'));
  });
  return { socket, frames, state };
}

test('both versions of the protocol get their heartbeat answered, and nonsense does no harm', async () => {
  const one = await open('1.0.0');
  one.socket.send('nonsense');
  one.socket.send(new Uint8Array([9, 9, 9]));
  one.socket.send(JSON.stringify({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '1', join_ref: null }));
  const ok = { status: 'ok', response: {} };
  await expect
    .poll(() => one.frames)
    .toEqual([{ topic: 'phoenix', event: 'phx_reply', payload: ok, ref: '1', join_ref: null }]);
  one.socket.close();
  const two = await open('2.0.0');
  two.socket.send(JSON.stringify([null, '1', 'phoenix', 'heartbeat', {}]));
  await expect.poll(() => two.frames).toEqual([[null, '1', 'phoenix', 'phx_reply', ok]]);
  two.socket.close();
});

test('a socket without a key of ours is refused', async () => {
  expect((await open('2.0.0', 'sb_publishable_guess')).state).toBe('refused');
});

test('a private channel ends with the right to it, and with the session, and tells nothing more', async () => {
  const cat = await server.person('Cat');
  const own = `scope:user:${cat.id}`;
  const topic = `person:${cat.id}`;
  const doubt = () => server.ask(`select realtime.send('{}', 'changed', '${own}', true)`);
  const policies = `select policyname, qual from pg_policies where schemaname = 'realtime' and tablename = 'messages'`;
  const before = await server.ask(policies);
  expect(before.length).toBeGreaterThan(0);
  const hers = listen(cat.client, topic, { private: true });
  await expect.poll(() => hers.states).toContain('SUBSCRIBED');
  await doubt();
  await cat.client.rpc('shout', { p_topic: topic, p_words: 'still' });
  await expect.poll(() => hers.words).toHaveLength(1);
  await server.ask(`delete from auth.sessions where user_id = '${cat.id}'`);
  await doubt();
  await expect.poll(() => hers.states).toContain('CLOSED');
  await ann.client.rpc('shout', { p_topic: topic, p_words: 'secret' });
  expect(hers.words).toHaveLength(1);
  await cat.client.removeAllChannels();
});

test('when the token runs out the channel is closed with a word', async () => {
  const claims = { role: 'authenticated', sub: ann.id };
  const token = await createSigningKeys(server.secrets.signingKey).sign(claims, 5);
  const { socket, frames } = await open('2.0.0');
  const topic = `realtime:person:${ann.id}`;
  socket.send(JSON.stringify(['1', '1', topic, 'phx_join', { config: { private: true }, access_token: token }]));
  await expect.poll(() => JSON.stringify(frames)).toContain('"status":"ok"');
  await expect.poll(() => JSON.stringify(frames), { timeout: 20_000 }).toContain('phx_close');
  expect(JSON.stringify(frames)).toContain('Token has expired');
  socket.close();
});
