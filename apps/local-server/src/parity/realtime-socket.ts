import type { Sql } from 'postgres';
import type { WebSocket } from 'ws';
import type { Caller, Verify } from '../hardening/bearer.ts';
import type { Log } from '../log.ts';
import type { ChannelMembers, Member } from './channel-members.ts';
import { decode, encode, isRecord, type Message, type Version } from './phoenix.ts';
import { topicRights } from './topic-rights.ts';

export type RealtimeContext = { sql: Sql; verify: Verify; members: ChannelMembers; log: Log };

type Reply = { status: 'ok' | 'error'; response: Record<string, unknown> };

const PREFIX = 'realtime:';
const MAX_CHANNELS = 100;
/** What may wait unsent for a client that does not read; past it the client is cut off and will join and pull again. */
const MAX_BUFFERED_BYTES = 1 << 20;
const TIMER_MAX_MS = 2 ** 31 - 1;

const ok = (response: Record<string, unknown> = {}): Reply => ({ status: 'ok', response });
const refused = (reason: string): Reply => ({ status: 'error', response: { reason } });

/** One connection: its joined channels, their tokens and what it may hear. */
class RealtimeSocket {
  private readonly joined = new Map<string, Member>();
  private readonly expiry = new Map<Member, NodeJS.Timeout>();
  private readonly socket: WebSocket;
  private readonly version: Version;
  private readonly visitor: Caller;
  private readonly context: RealtimeContext;
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
    // One after the other, so that a leave or a new token cannot overtake the join before it.
    this.work = this.work
      .then(() => this.answer(message))
      .catch((error: unknown) => {
        this.context.log.error({ err: error }, 'realtime message failed');
        this.reply(message, refused('The server could not answer'));
      });
  }

  private send(message: Message): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > MAX_BUFFERED_BYTES) this.socket.terminate();
    else this.socket.send(encode(this.version, message));
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
    // Presence and anything newer: acknowledged, so that the client does not wait for an answer.
    return this.reply(message, ok());
  }

  private async callerOf(token: unknown): Promise<Caller | string> {
    if (typeof token !== 'string' || token === '' || token.startsWith('sb_')) return this.visitor;
    const verdict = await this.context.verify(token);
    return 'caller' in verdict ? verdict.caller : `InvalidJWTToken: ${verdict.refusal.message}`;
  }

  private async join(message: Message): Promise<void> {
    const { topic, joinRef, payload } = message;
    const config = isRecord(payload['config']) ? payload['config'] : {};
    const caller = await this.callerOf(payload['access_token']);
    if (typeof caller === 'string') return this.reply(message, refused(caller));
    if (Array.isArray(config['postgres_changes']) && config['postgres_changes'].length > 0) {
      return this.reply(message, refused('Changes of tables are not sent by this server; use a broadcast'));
    }
    if (!topic.startsWith(PREFIX)) return this.reply(message, refused('unmatched topic'));
    if (this.joined.size >= MAX_CHANNELS)
      return this.reply(message, refused('ChannelRateLimitReached: Too many channels'));
    const isPrivate = config['private'] === true;
    const rights = isPrivate
      ? await topicRights(this.context.sql, caller, topic.slice(PREFIX.length))
      : { mayRead: true, mayWrite: true };
    if (!rights.mayRead) {
      return this.reply(message, refused('Unauthorized: You do not have permissions to read from this Channel topic'));
    }
    this.forget(this.joined.get(topic));
    const hearsItself = isRecord(config['broadcast']) && config['broadcast']['self'] === true;
    this.enter({ topic, joinRef, isPrivate, hearsItself, mayWrite: rights.mayWrite, caller });
    this.reply(message, ok({ postgres_changes: [] }));
    this.send({ joinRef, ref: null, topic, event: 'presence_state', payload: {} });
  }

  private enter(facts: Omit<Member, 'send' | 'expel'>): void {
    const member: Member = {
      ...facts,
      send: message => this.send({ ...message, joinRef: facts.joinRef }),
      expel: reason => this.expel(member, reason),
    };
    this.joined.set(member.topic, member);
    this.context.members.add(member);
    this.watchExpiry(member);
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
    const payload = { message: reason, status: 'error', extension: 'system', channel: topic.slice(PREFIX.length) };
    this.send({ joinRef, ref: null, topic, event: 'system', payload });
    this.send({ joinRef, ref: joinRef, topic, event: 'phx_close', payload: {} });
    this.forget(member);
  }

  /** A new token must still stand and must still let the person hear a private topic. */
  private async renew(member: Member, message: Message): Promise<void> {
    const caller = await this.callerOf(message.payload['access_token']);
    if (typeof caller === 'string') return this.expel(member, caller);
    if (member.isPrivate) {
      const rights = await topicRights(this.context.sql, caller, member.topic.slice(PREFIX.length));
      if (!rights.mayRead) return this.expel(member, 'Unauthorized: the rights on this topic have ended');
      member.mayWrite = rights.mayWrite;
    }
    member.caller = caller;
    this.watchExpiry(member);
  }

  private broadcast(member: Member, message: Message): void {
    if (!member.mayWrite) return this.reply(message, refused('Unauthorized: You may not write to this Channel topic'));
    this.context.members.broadcast(member.topic, member.isPrivate, message.payload, member);
    this.reply(message, ok());
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
    this.context.members.remove(member);
    if (this.joined.get(member.topic) === member) this.joined.delete(member.topic);
  }

  leaveAll(): void {
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
