import { expect, test } from 'vitest';
import { ChannelMembers, type Member } from './channel-members.ts';
import type { EncodedFrame } from './frame.ts';
import type { Version } from './phoenix.ts';
import { RealtimeLimits } from './realtime-limits.ts';
import { EVERYTHING } from './topic-rights.ts';

/** Somebody on a channel, and what they were sent. */
function member(version: Version, heard: EncodedFrame[]): Member {
  const made: Member = {
    topic: 'realtime:room',
    joinRef: '1',
    isPrivate: true,
    hearsItself: true,
    wantsAck: false,
    rights: EVERYTHING,
    presenceKey: `${version}`,
    presence: null,
    hearsPresence: true,
    caller: { role: 'authenticated', claims: { sub: 'ann' } },
    token: null,
    user: { person: 'ann', network: '192.0.2.1' },
    send: () => {},
    deliver: frame => heard.push(frame.as(version)),
    whenAllowed: act => act(),
    deliverIfAllowed: frame => heard.push(frame.as(version)),
    expel: () => {},
    doubt: () => {},
  };
  return made;
}

test('a broadcast is written once for each version of the protocol, however many hear it, and all are sent the same bytes', () => {
  const members = new ChannelMembers(new RealtimeLimits());
  const heard: EncodedFrame[] = [];
  for (let n = 0; n < 60; n += 1) members.add(member(n % 2 === 0 ? 1 : 2, heard));
  let written = 0;
  const payload = { toJSON: () => ({ written: (written += 1) }) };
  members.broadcast({ topic: 'realtime:room', isPrivate: true, payload: { type: 'broadcast', event: 'e', payload } });
  expect(written).toBe(2);
  expect(heard).toHaveLength(60);
  expect(new Set(heard.map(each => each?.data)).size).toBe(2);
});

test('who is present is written once for all who come, and anew once somebody says something', () => {
  const members = new ChannelMembers(new RealtimeLimits());
  const heard: EncodedFrame[] = [];
  const all = Array.from({ length: 10 }, () => member(2, heard));
  for (const each of all) members.add(each);
  const [first] = all;
  if (!first) throw new Error('nobody');
  members.track(first, { writes: true });
  heard.length = 0;
  for (const each of all) members.tellPresent(each);
  expect(new Set(heard.map(each => each?.data)).size).toBe(1);
  members.untrack(first);
  heard.length = 0;
  members.tellPresent(first);
  expect(String(heard[0]?.data)).toContain('"presence_state",{}');
});

test('a message that is too much for so many is told to nobody; so is one presence more than there may be', () => {
  const members = new ChannelMembers(new RealtimeLimits());
  const heard: EncodedFrame[] = [];
  const all = Array.from({ length: 200 }, () => member(2, heard));
  for (const each of all) members.add(each);
  const [first, ...others] = all;
  if (!first) throw new Error('nobody');
  const payload = { type: 'broadcast', event: 'e', payload: 'x'.repeat(60_000) };
  const given = { topic: first.topic, isPrivate: true, payload };
  expect(members.broadcast(given, first.user, first)).toBe(false);
  expect(heard).toEqual([]);
  // What the database says is nobody's share.
  expect(members.broadcast(given)).toBe(true);
  expect(heard).toHaveLength(200);
  expect(
    others.slice(0, 120).filter((each, n) => members.track({ ...each, user: { person: `${n}`, network: `${n}` } }, {})),
  ).toHaveLength(100);
});
