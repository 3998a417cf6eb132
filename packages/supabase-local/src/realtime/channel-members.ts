import { randomUUID } from 'node:crypto';
import type { Caller } from '../access/bearer.ts';
import { Frame } from './frame.ts';
import type { Message } from './phoenix.ts';
import type { RealtimeLimits } from './realtime-limits.ts';
import type { User } from './allowance.ts';
import type { TopicRights } from './topic-rights.ts';

/** What somebody says of themselves on a channel, under a reference that changes with every word. */
type Meta = { phx_ref: string } & Record<string, unknown>;

/** People by key; one key may be present from several devices. */
type PresenceMap = Record<string, { metas: Meta[] }>;

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
  /** Under which it is present: see `presenceKeyOf`. */
  presenceKey: string;
  /** Null while it has not said that it is there. */
  presence: Meta | null;
  hearsPresence: boolean;
  caller: Caller;
  /** By which it listens: what stands behind a token may end before it does. */
  token: unknown;
  /** Whose share its words count in. */
  user: User;
  send(message: Message): void;
  /** The same to many. */
  deliver(frame: Frame): void;
  /** The token ran out or its rights are gone: the client is told, then the channel is closed. */
  expel(reason: string): void;
  /** Does what needs the right to the channel, never without it; asks for that right again when it was last proven long ago. */
  whenAllowed(act: () => void): void;
  /** Sends what may only be heard with the right to it. */
  deliverIfAllowed(frame: Frame): void;
  /** What it may hear has perhaps changed: it is asked again, and expelled where it may hear nothing more. */
  doubt(): void;
};

/** Who is present on a topic; each newcomer is told of all. */
const MAX_PRESENT = 100;

/** Somebody is present as who they are, whatever they asked to be called; a visitor as somebody new each time. */
export const presenceKeyOf = ({ claims }: Caller): string => claims?.sub ?? randomUUID();

const event = (topic: string, name: string, payload: Record<string, unknown>): Frame =>
  new Frame({ joinRef: null, ref: null, topic, event: name, payload });

const only = (key: string, meta: Meta | null): PresenceMap => (meta ? { [key]: { metas: [meta] } } : {});

/** The private or the public channel of one name. */
class Channel {
  readonly members = new Set<Member>();
  readonly present = new Set<Member>();
  /** Who is present, as each newcomer is told; null when that has changed. */
  state: Frame | null = null;
}

/** Who listens on which topic. Private and public channels of one name are different channels. */
export class ChannelMembers {
  private readonly channels = new Map<string, Channel>();
  private readonly byPerson = new Map<string, Set<Member>>();
  private readonly limits: RealtimeLimits;

  constructor(limits: RealtimeLimits) {
    this.limits = limits;
  }

  private channelOf(topic: string, isPrivate: boolean): Channel | undefined {
    return this.channels.get(`${isPrivate} ${topic}`);
  }

  add(member: Member): void {
    const name = `${member.isPrivate} ${member.topic}`;
    const channel = this.channels.get(name) ?? new Channel();
    channel.members.add(member);
    this.channels.set(name, channel);
    this.noteOf(member.caller, of => of.add(member));
  }

  remove(member: Member): void {
    this.untrack(member);
    this.noteOf(member.caller, of => of.delete(member));
    const channel = this.channelOf(member.topic, member.isPrivate);
    channel?.members.delete(member);
    if (channel?.members.size === 0) this.channels.delete(`${member.isPrivate} ${member.topic}`);
  }

  /** It listens by another token from now on. Of somebody else: who was present leaves. */
  renew(member: Member, caller: Caller, token: unknown): void {
    if (caller.claims?.sub !== member.caller.claims?.sub) {
      this.untrack(member);
      member.presenceKey = presenceKeyOf(caller);
    }
    this.noteOf(member.caller, of => of.delete(member));
    Object.assign(member, { caller, token });
    this.noteOf(caller, of => of.add(member));
  }

  private noteOf({ claims }: Caller, change: (members: Set<Member>) => void): void {
    const person = claims?.sub;
    if (person === undefined) return;
    const members = this.byPerson.get(person) ?? new Set();
    change(members);
    if (members.size === 0) this.byPerson.delete(person);
    else this.byPerson.set(person, members);
  }

  /**
   * Tells all members of a channel.
   *
   * @param from who sends it, and whose share it counts in; what the database sends counts in nobody's
   * @param self its own broadcast reaches it only when it asked for that
   * @returns false when it was more than the sender may spread, and was told to nobody
   */
  broadcast(
    { topic, isPrivate, payload }: { topic: string; isPrivate: boolean; payload: Record<string, unknown> },
    from?: User,
    self?: Member,
  ): boolean {
    const channel = this.channelOf(topic, isPrivate);
    if (!channel) return true;
    const frame = event(topic, 'broadcast', payload);
    if (from && !this.limits.maySpread(from, frame.size, channel.members.size)) return false;
    for (const member of channel.members) if (member !== self || member.hearsItself) member.deliverIfAllowed(frame);
    return true;
  }

  /** Somebody's rights, or sessions, have perhaps changed: their private channels prove themselves anew. */
  doubt(userId: string): void {
    for (const member of this.byPerson.get(userId) ?? []) if (member.isPrivate) member.doubt();
  }

  /** Tells one member who is there. @returns false when that is more than its share */
  tellPresent(member: Member): boolean {
    const channel = this.channelOf(member.topic, member.isPrivate);
    if (!channel) return true;
    channel.state ??= event(member.topic, 'presence_state', this.presentOn(channel));
    if (!this.limits.maySpread(member.user, channel.state.size, 1)) return false;
    member.deliver(channel.state);
    return true;
  }

  private presentOn({ present }: Channel): PresenceMap {
    const all: PresenceMap = {};
    for (const { presenceKey, presence } of present)
      if (presence) (all[presenceKey] ??= { metas: [] }).metas.push(presence);
    return all;
  }

  /** @returns false when too many are there already, or it is more than the member may spread */
  track(member: Member, payload: Record<string, unknown>): boolean {
    const channel = this.channelOf(member.topic, member.isPrivate);
    const before = member.presence;
    if (!channel || (!before && channel.present.size >= MAX_PRESENT)) return false;
    const presence = { ...payload, phx_ref: randomUUID(), ...(before ? { phx_ref_prev: before.phx_ref } : {}) };
    const joins = only(member.presenceKey, presence);
    const diff = event(member.topic, 'presence_diff', { joins, leaves: only(member.presenceKey, before) });
    if (!this.limits.maySpread(member.user, diff.size, channel.members.size)) return false;
    member.presence = presence;
    channel.present.add(member);
    this.tellChange(channel, diff);
    return true;
  }

  untrack(member: Member): void {
    const channel = this.channelOf(member.topic, member.isPrivate);
    const before = member.presence;
    if (!channel || !before) return;
    member.presence = null;
    channel.present.delete(member);
    const leaves = only(member.presenceKey, before);
    this.tellChange(channel, event(member.topic, 'presence_diff', { joins: {}, leaves }));
  }

  private tellChange(channel: Channel, diff: Frame): void {
    channel.state = null;
    for (const member of channel.members) if (member.hearsPresence) member.deliverIfAllowed(diff);
  }
}
