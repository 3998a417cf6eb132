import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import type { WebSocket } from 'ws';
import type { Caller, Verify } from '../hardening/bearer.ts';
import type { Log } from '../log.ts';
import type { ChannelMembers, Member } from './channel-members.ts';
import { decode, encode, isRecord, type Message, type Version } from './phoenix.ts';
import { MessageRate } from './message-rate.ts';
import type { PostgresChanges } from './postgres-changes.ts';
import { ProvenRight } from './proven-right.ts';
import { ENDED, ok, refused, type Reply } from './replies.ts';
import { EVERYTHING, topicRights } from './topic-rights.ts';

export type RealtimeContext = {
  sql: Sql;
  verify: Verify;
  members: ChannelMembers;
  changes: PostgresChanges;
  log: Log;
};

const PREFIX = 'realtime:';
const MAX_CHANNELS = 100;
/** What may wait unsent for a client that does not read; past it the client is cut off and will join and pull again. */
const MAX_BUFFERED_BYTES = 1 << 20;
const TIMER_MAX_MS = 2 ** 31 - 1;
/** Per connection; the hosted service counts a whole project's. */
const MESSAGES_PER_SECOND = 100;
const JOINS_PER_SECOND = 100;
const PRESENCES = 50;
const PRESENCE_WINDOW_MS = 30_000;
const MAX_MESSAGES_WAITING = 1000;

const recordIn = (from: Record<string, unknown>, field: string): Record<string, unknown> => {
  const value = from[field];
  return isRecord(value) ? value : {};
};

/** One connection: its joined channels, their tokens and what it may hear. */
class RealtimeSocket {
  private readonly joined = new Map<string, Member>();
  private readonly expiry = new Map<Member, NodeJS.Timeout>();
  private readonly proven = new Map<Member, ProvenRight>();
  private readonly socket: WebSocket;
  private readonly version: Version;
  private readonly visitor: Caller;
  private readonly context: RealtimeContext;
  private readonly messages = new MessageRate(MESSAGES_PER_SECOND, 1000);
  private readonly joins = new MessageRate(JOINS_PER_SECOND, 1000);
  private readonly presences = new MessageRate(PRESENCES, PRESENCE_WINDOW_MS);
  private waiting = 0;
  private work: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, version: Version, visitor: Caller, context: RealtimeContext) {
    this.socket = socket;
    this.version = version;
    this.visitor = visitor;
    this.context = context;
  }

  hear(data: unknown, isBinary: boolean): void {
    const message = Buffer.isBuffer(data) ? decode(data, isBinary) : null;
    if (!message) return;
    this.waiting += 1;
    // Who writes faster than the database answers for is cut off, not stored up.
    if (this.waiting > MAX_MESSAGES_WAITING) return this.socket.terminate();
    // One after the other, so that a leave or a new token cannot overtake the join before it.
    this.work = this.work
      .then(() => this.answer(message))
      .catch((error: unknown) => {
        this.context.log.error({ err: error }, 'realtime message failed');
        this.reply(message, refused('The server could not answer'));
      })
      .finally(() => {
        this.waiting -= 1;
      });
  }

  private send(message: Message): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > MAX_BUFFERED_BYTES) return this.socket.terminate();
    const frame = encode(this.version, message);
    if (frame !== null) this.socket.send(frame);
  }

  private reply({ joinRef, ref, topic }: Message, payload: Reply): void {
    this.send({ joinRef, ref, topic, event: 'phx_reply', payload });
  }

  private async answer(message: Message): Promise<void> {
    const { topic, event } = message;
    if (topic === 'phoenix' && event === 'heartbeat') return this.reply(message, ok());
    if (event === 'phx_join') return this.join(message);
    const member = this.joined.get(topic);
    if (!member) return this.reply(message, refused('unmatched topic'));
    if (event === 'phx_leave') return this.leave(member, message);
    if (event === 'access_token') return this.renew(member, message);
    if (event === 'broadcast') return this.broadcast(member, message);
    if (event === 'presence') return this.bePresent(member, message);
    // Anything newer: acknowledged, so that the client does not wait for an answer.
    return this.reply(message, ok());
  }

  private async callerOf(token: unknown): Promise<Caller | string> {
    if (typeof token !== 'string' || token === '' || token.startsWith('sb_')) return this.visitor;
    const verdict = await this.context.verify(token);
    return 'caller' in verdict ? verdict.caller : `InvalidJWTToken: ${verdict.refusal.message}`;
  }

  /** @returns why a join is refused before anybody's rights are asked */
  private refusalOf(topic: string): string | null {
    if (!topic.startsWith(PREFIX)) return 'unmatched topic';
    if (topic === PREFIX) return 'TopicNameRequired: You must provide a topic name';
    if (this.joins.isOver(performance.now())) return 'ClientJoinRateLimitReached: Too many joins per second';
    if (this.joined.size >= MAX_CHANNELS && !this.joined.has(topic))
      return 'ChannelRateLimitReached: Too many channels';
    return null;
  }

  private async join(message: Message): Promise<void> {
    const { topic, payload } = message;
    const refusal = this.refusalOf(topic);
    if (refusal !== null) return this.reply(message, refused(refusal));
    const caller = await this.callerOf(payload['access_token']);
    if (typeof caller === 'string') return this.reply(message, refused(caller));
    const config = recordIn(payload, 'config');
    const isPrivate = config['private'] === true;
    const rights = isPrivate ? await topicRights(this.context.sql, caller, topic.slice(PREFIX.length)) : EVERYTHING;
    if (!rights.broadcast.mayRead && !rights.presence.mayRead) {
      return this.reply(message, refused('Unauthorized: You do not have permissions to read from this Channel topic'));
    }
    this.forget(this.joined.get(topic));
    // It went away while the database was asked.
    if (this.socket.readyState !== this.socket.OPEN) return;
    const member = this.enter(message, config, { isPrivate, rights, caller, token: payload['access_token'] });
    await this.welcome(member, message, config['postgres_changes']);
  }

  private enter(
    { topic, joinRef }: Message,
    config: Record<string, unknown>,
    facts: Pick<Member, 'isPrivate' | 'rights' | 'caller' | 'token'>,
  ): Member {
    const [broadcast, presence] = [recordIn(config, 'broadcast'), recordIn(config, 'presence')];
    const key = presence['key'];
    const member: Member = {
      ...facts,
      topic,
      joinRef,
      hearsItself: broadcast['self'] === true,
      wantsAck: broadcast['ack'] === true,
      presenceKey: typeof key === 'string' && key !== '' ? key : randomUUID(),
      presence: null,
      hearsPresence: presence['enabled'] !== false && facts.rights.presence.mayRead,
      send: message => this.send({ ...message, joinRef }),
      expel: reason => this.expel(member, reason),
      tellIfAllowed: message =>
        member.isPrivate ? right.whenProven(() => member.send(message)) : member.send(message),
      doubt: () => right.doubt(),
    };
    const right = new ProvenRight({
      prove: () => this.mayStillHear(member),
      onLost: () => this.expel(member, ENDED),
      onError: error => this.context.log.error({ err: error }, 'realtime right not proven'),
    });
    this.proven.set(member, right);
    this.joined.set(topic, member);
    this.context.members.add(member);
    this.watchExpiry(member);
    return member;
  }

  /** The join is answered first; whether tables can be listened to is told after it, as Supabase does. */
  private async welcome(member: Member, message: Message, wishes: unknown): Promise<void> {
    const { changes, members } = this.context;
    const answered = Array.isArray(wishes) ? changes.answer(wishes) : [];
    this.reply(message, ok({ postgres_changes: answered }));
    if (member.hearsPresence) members.tellPresent(member);
    if (answered.length === 0) return;
    const problem = await changes.listen(member, answered);
    const words = problem === null ? ['ok', 'Subscribed to PostgreSQL'] : ['error', problem];
    this.tell(member, 'postgres_changes', ...(words as [Reply['status'], string]));
    if (!this.joined.has(member.topic)) changes.forget(member);
  }

  private tell({ topic, joinRef }: Member, extension: string, status: Reply['status'], message: string): void {
    const payload = { message, status, extension, channel: topic.slice(PREFIX.length) };
    this.send({ joinRef, ref: null, topic, event: 'system', payload });
  }

  private watchExpiry(member: Member): void {
    clearTimeout(this.expiry.get(member));
    const expires = member.caller.claims?.exp;
    if (typeof expires !== 'number') return;
    const left = Math.min(Math.max(expires * 1000 - Date.now(), 0), TIMER_MAX_MS);
    const timer = setTimeout(() => member.expel('Token has expired'), left);
    timer.unref();
    this.expiry.set(member, timer);
  }

  private expel(member: Member, reason: string): void {
    const { topic, joinRef } = member;
    this.tell(member, 'system', 'error', reason);
    this.send({ joinRef, ref: joinRef, topic, event: 'phx_close', payload: {} });
    this.forget(member);
  }

  private async mayStillHear(member: Member): Promise<boolean> {
    const caller = await this.callerOf(member.token);
    if (typeof caller === 'string') return false;
    const rights = await topicRights(this.context.sql, caller, member.topic.slice(PREFIX.length));
    member.rights = rights;
    return rights.broadcast.mayRead || rights.presence.mayRead;
  }

  /** A new token must still stand and must still let the person hear a private topic. */
  private async renew(member: Member, message: Message): Promise<void> {
    const token = message.payload['access_token'];
    if (token === null || token === undefined) return;
    const caller = await this.callerOf(token);
    if (typeof caller === 'string') return this.expel(member, caller);
    if (member.isPrivate) {
      const rights = await topicRights(this.context.sql, caller, member.topic.slice(PREFIX.length));
      if (!rights.broadcast.mayRead && !rights.presence.mayRead) return this.expel(member, ENDED);
      this.proven.get(member)?.renew();
      member.rights = rights;
      member.hearsPresence &&= rights.presence.mayRead;
    }
    member.caller = caller;
    member.token = token;
    this.watchExpiry(member);
  }

  /** Without `ack` nothing is answered, also when it was not sent on, as Supabase does. */
  private broadcast(member: Member, message: Message): void {
    if (this.messages.isOver(performance.now())) return this.expel(member, 'Too many messages per second');
    if (!member.rights.broadcast.mayWrite) {
      if (member.wantsAck)
        this.reply(message, refused('Unauthorized: You do not have permissions to write to this Channel topic'));
      return;
    }
    this.context.members.broadcast(member.topic, member.isPrivate, message.payload, member);
    if (member.wantsAck) this.reply(message, ok());
  }

  private bePresent(member: Member, message: Message): void {
    if (this.presences.isOver(performance.now())) return this.expel(member, 'Client presence rate limit exceeded');
    const { event, payload } = message.payload;
    const word = typeof event === 'string' ? event.toLowerCase() : '';
    if (word === 'untrack') {
      this.context.members.untrack(member);
      return this.reply(message, ok());
    }
    if (word !== 'track') return this.reply(message, refused('Unknown presence event'));
    if (!member.rights.presence.mayWrite)
      return this.reply(message, refused('Unauthorized: You do not have permissions to write to this Channel topic'));
    if (payload !== undefined && !isRecord(payload))
      return this.reply(message, refused('Presence track payload must be a map'));
    this.startHearing(member);
    this.context.members.track(member, payload ?? {});
    this.reply(message, ok());
  }

  /** Who says that they are there hears of the others from then on. */
  private startHearing(member: Member): void {
    if (member.hearsPresence || !member.rights.presence.mayRead) return;
    member.hearsPresence = true;
    this.context.members.tellPresent(member);
  }

  private leave(member: Member, message: Message): void {
    this.forget(member);
    this.reply(message, ok());
    this.send({ joinRef: member.joinRef, ref: message.ref, topic: member.topic, event: 'phx_close', payload: {} });
  }

  private forget(member: Member | undefined): void {
    if (!member) return;
    clearTimeout(this.expiry.get(member));
    this.expiry.delete(member);
    this.proven.get(member)?.end();
    this.proven.delete(member);
    this.context.members.remove(member);
    this.context.changes.forget(member);
    if (this.joined.get(member.topic) === member) this.joined.delete(member.topic);
  }

  leaveAll(): void {
    // Deleting from a map while walking it is allowed.
    for (const member of this.joined.values()) this.forget(member);
  }
}

/** Answers one connection until it closes. */
export function serveSocket(socket: WebSocket, version: Version, visitor: Caller, context: RealtimeContext): void {
  const session = new RealtimeSocket(socket, version, visitor, context);
  socket.on('message', (data, isBinary) => session.hear(data, isBinary));
  socket.on('close', () => session.leaveAll());
  socket.on('error', error => context.log.info({ err: error }, 'realtime socket'));
}
