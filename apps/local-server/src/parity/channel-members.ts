import { randomUUID } from 'node:crypto';
import type { Caller } from '../hardening/bearer.ts';
import type { Message } from './phoenix.ts';
import type { TopicRights } from './topic-rights.ts';

/** What somebody says of themselves on a channel, under a reference that changes with every word. */
type Meta = { phx_ref: string } & Record<string, unknown>;

/** People by key; one key may be present from several devices. */
type Present = Record<string, { metas: Meta[] }>;

/** One joined channel of one socket. */
export type Member = {
  topic: string;
  joinRef: string | null;
  isPrivate: boolean;
  /** Whether a broadcast of its own comes back to it. */
  hearsItself: boolean;
  /** Whether its broadcasts are answered. */
  wantsAck: boolean;
  rights: TopicRights;
  presenceKey: string;
  /** Null while it has not said that it is there. */
  presence: Meta | null;
  hearsPresence: boolean;
  caller: Caller;
  /** By which it listens: what stands behind a token may end before it does. */
  token: unknown;
  send(message: Message): void;
  /** The token ran out or its rights are gone: the client is told, then the channel is closed. */
  expel(reason: string): void;
  /** Sends what may only be heard with the right to it; asks for that right again when it was last proven long ago. */
  tellIfAllowed(message: Message): void;
  /** What it may hear has perhaps changed: it is asked again, and expelled where it may hear nothing more. */
  doubt(): void;
};

const event = (topic: string, name: string, payload: Record<string, unknown>): Message => ({
  joinRef: null,
  ref: null,
  topic,
  event: name,
  payload,
});

const only = (key: string, meta: Meta | null): Present => (meta ? { [key]: { metas: [meta] } } : {});

/** Who listens on which topic. Private and public channels of one name are different channels. */
export class ChannelMembers {
  private readonly byTopic = new Map<string, Set<Member>>();

  add(member: Member): void {
    const members = this.byTopic.get(member.topic) ?? new Set();
    members.add(member);
    this.byTopic.set(member.topic, members);
  }

  remove(member: Member): void {
    this.untrack(member);
    const members = this.byTopic.get(member.topic);
    members?.delete(member);
    if (members?.size === 0) this.byTopic.delete(member.topic);
  }

  private on(topic: string, isPrivate: boolean): Member[] {
    return [...(this.byTopic.get(topic) ?? [])].filter(member => member.isPrivate === isPrivate);
  }

  /** @param from its own broadcast reaches it only when it asked for that */
  broadcast(topic: string, isPrivate: boolean, payload: Record<string, unknown>, from?: Member): void {
    for (const member of this.on(topic, isPrivate))
      if (member !== from || member.hearsItself) member.tellIfAllowed(event(topic, 'broadcast', payload));
  }

  /** Somebody's rights, or sessions, have perhaps changed: their private channels prove themselves anew. */
  doubt(userId: string): void {
    for (const members of this.byTopic.values())
      for (const member of members) if (member.isPrivate && member.caller.claims?.sub === userId) member.doubt();
  }

  /** Tells one member who is there. */
  tellPresent(member: Member): void {
    const present: Present = {};
    for (const { presenceKey, presence } of this.on(member.topic, member.isPrivate))
      if (presence) (present[presenceKey] ??= { metas: [] }).metas.push(presence);
    member.send(event(member.topic, 'presence_state', present));
  }

  track(member: Member, payload: Record<string, unknown>): void {
    const before = member.presence;
    member.presence = { ...payload, phx_ref: randomUUID(), ...(before ? { phx_ref_prev: before.phx_ref } : {}) };
    this.tellDiff(member, only(member.presenceKey, member.presence), only(member.presenceKey, before));
  }

  untrack(member: Member): void {
    const before = member.presence;
    if (!before) return;
    member.presence = null;
    this.tellDiff(member, {}, only(member.presenceKey, before));
  }

  private tellDiff({ topic, isPrivate }: Member, joins: Present, leaves: Present): void {
    for (const member of this.on(topic, isPrivate))
      if (member.hearsPresence) member.send(event(topic, 'presence_diff', { joins, leaves }));
  }
}
