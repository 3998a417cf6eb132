import type { WebSocket } from 'ws';
import type { Caller } from '../access/bearer.ts';
import { presenceKeyOf, type Member } from './channel-members.ts';
import { joinRequest, type JoinRequest } from './join-request.ts';
import { MessageRate } from './message-rate.ts';
import { decode, type Message, type Version } from './phoenix.ts';
import { presenceFault, presenceOn } from './presence-payload.ts';
import { ProvenRight } from './proven-right.ts';
import type { RealtimeContext } from './realtime-context.ts';
import type { SocketShare } from './realtime-limits.ts';
import { ENDED, NO_READ, NO_WRITE, ok, PRIVATE_ONLY, refused, TOO_MANY_SOCKETS, type Reply } from './replies.ts';
import { SocketLine } from './socket-line.ts';
import { EVERYTHING, mayHear, NOTHING, type TopicRights } from './topic-rights.ts';

const PREFIX = 'realtime:';
const MAX_CHANNELS = 100;
const TIMER_MAX_MS = 2 ** 31 - 1;
/** Per connection; what its person and its network may is counted beside it (realtime-limits.ts). */
const MESSAGES_PER_SECOND = 100;
const JOINS_PER_SECOND = 100;
const PRESENCES = 50;
const PRESENCE_WINDOW_MS = 30_000;
/** Letters; ours have some 900. */
const MAX_TOKEN_LENGTH = 8192;

const plainTopic = (topic: string): string => topic.slice(PREFIX.length);
const personOf = ({ claims }: Caller): string | null => claims?.sub ?? null;

type Socket = { socket: WebSocket; version: Version; visitor: Caller; share: SocketShare; context: RealtimeContext };

/** One connection: its joined channels, their tokens and what it may hear. */
class RealtimeSocket {
  readonly line: SocketLine;
  private readonly joined = new Map<string, Member>();
  private readonly expiry = new Map<Member, NodeJS.Timeout>();
  private readonly proven = new Map<Member, ProvenRight>();
  private readonly visitor: Caller;
  private readonly share: SocketShare;
  private readonly context: RealtimeContext;
  private readonly messages = new MessageRate(MESSAGES_PER_SECOND, 1000);
  private readonly joins = new MessageRate(JOINS_PER_SECOND, 1000);
  private readonly presences = new MessageRate(PRESENCES, PRESENCE_WINDOW_MS);

  constructor({ socket, version, visitor, share, context }: Socket) {
    this.visitor = visitor;
    this.share = share;
    this.context = context;
    const answer: SocketLine['answer'] = ({ data, isBinary }) => this.hear(data, isBinary);
    this.line = new SocketLine({ socket, version, share, answer });
  }

  private async hear(data: Buffer, isBinary: boolean): Promise<void> {
    const message = decode(data, isBinary);
    if (!message) return;
    try {
      await this.answer(message);
    } catch (error) {
      this.context.log.error({ err: error }, 'realtime message failed');
      this.reply(message, refused('The server could not answer'));
    }
  }

  private reply({ joinRef, ref, topic }: Message, payload: Reply): void {
    this.line.send({ joinRef, ref, topic, event: 'phx_reply', payload });
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
    if (token.length > MAX_TOKEN_LENGTH) return 'InvalidJWTToken: The token is too long';
    const verdict = await this.context.inTurn(this.asker(), () => this.context.verify(token));
    return 'caller' in verdict ? verdict.caller : `InvalidJWTToken: ${verdict.refusal.message}`;
  }

  /** In whose turn the database is asked. */
  private asker(person: string | null = this.share.person) {
    const { network } = this.share;
    return { network, person: person ?? `visitor ${network}` };
  }

  /** @returns why a join is refused before anybody's rights are asked */
  private refusalOf(topic: string, { isPrivate }: JoinRequest['own']): string | null {
    if (!topic.startsWith(PREFIX)) return 'unmatched topic';
    if (topic === PREFIX) return 'TopicNameRequired: You must provide a topic name';
    if (this.joins.isOver(performance.now())) return 'ClientJoinRateLimitReached: Too many joins per second';
    if (this.joined.size >= MAX_CHANNELS && !this.joined.has(topic))
      return 'ChannelRateLimitReached: Too many channels';
    return isPrivate || this.context.isPublic ? null : PRIVATE_ONLY;
  }

  /** With visitors kept out nobody asks the database about them. */
  private rightsOf(caller: Caller, topic: string): Promise<TopicRights> | TopicRights {
    if (caller.role === 'anon' && !this.context.isPublic) return NOTHING;
    return this.context.rightsOf(caller, plainTopic(topic), this.asker(personOf(caller)));
  }

  private async join(message: Message): Promise<void> {
    const { topic } = message;
    const request = joinRequest(message);
    const refusal = this.refusalOf(topic, request.own);
    if (refusal !== null) return this.reply(message, refused(refusal));
    const caller = await this.callerOf(request.token);
    if (typeof caller === 'string') return this.reply(message, refused(caller));
    const rights = request.own.isPrivate ? await this.rightsOf(caller, topic) : EVERYTHING;
    if (!mayHear(rights)) return this.reply(message, refused(NO_READ));
    if (!this.share.mayJoin(personOf(caller))) return this.reply(message, refused(TOO_MANY_SOCKETS));
    this.forget(this.joined.get(topic));
    // It went away while the database was asked.
    if (!this.line.isOpen) return;
    const member = this.enter(message, request, { rights, caller });
    await this.welcome(member, message, request.wishes);
  }

  private enter(
    { topic, joinRef }: Message,
    { own, wantsPresence, token }: JoinRequest,
    facts: Pick<Member, 'rights' | 'caller'>,
  ): Member {
    const person = personOf(facts.caller);
    const member: Member = {
      ...facts,
      ...own,
      topic,
      joinRef,
      // The text that was verified, or nothing: whatever else stood there is not kept.
      token: facts.caller === this.visitor ? null : token,
      presenceKey: presenceKeyOf(facts.caller),
      user: { person, network: this.share.network },
      presence: null,
      hearsPresence: wantsPresence && facts.rights.presence.mayRead,
      send: message => this.line.send({ ...message, joinRef }),
      deliver: frame => this.line.deliver(frame),
      expel: reason => this.expel(member, reason),
      whenAllowed: act => (own.isPrivate ? right.whenProven(act) : act()),
      deliverIfAllowed: frame => member.whenAllowed(() => this.line.deliver(frame)),
      doubt: () => right.doubt(),
    };
    const right = new ProvenRight({
      prove: () => this.mayStillHear(member),
      onLost: () => this.expel(member, ENDED),
      onError: error => this.context.log.error({ err: error }, 'realtime right not proven'),
    });
    this.proven.set(member, right);
    this.joined.set(topic, member);
    this.line.joined(person);
    this.context.members.add(member);
    this.watchExpiry(member);
    return member;
  }

  /** The join is answered first; whether tables can be listened to is told after it, as Supabase does. */
  private async welcome(member: Member, message: Message, wishes: unknown[]): Promise<void> {
    const { changes, members } = this.context;
    const answered = changes.answer(wishes);
    this.reply(message, ok({ postgres_changes: answered }));
    if (member.hearsPresence && !members.tellPresent(member)) return this.expel(member, 'Too many messages per second');
    if (answered.length === 0) return;
    const problem = await this.context.inTurn(this.asker(), () => changes.listen(member, answered));
    const words = problem === null ? ['ok', 'Subscribed to PostgreSQL'] : ['error', problem];
    this.tell(member, 'postgres_changes', ...(words as [Reply['status'], string]));
    if (this.joined.get(member.topic) !== member) changes.forget(member);
  }

  private tell({ topic, joinRef }: Member, extension: string, status: Reply['status'], message: string): void {
    const payload = { message, status, extension, channel: plainTopic(topic) };
    this.line.send({ joinRef, ref: null, topic, event: 'system', payload });
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
    this.line.send({ joinRef, ref: joinRef, topic, event: 'phx_close', payload: {} });
    this.forget(member);
  }

  private async mayStillHear(member: Member): Promise<boolean> {
    const caller = await this.callerOf(member.token);
    if (typeof caller === 'string') return false;
    member.rights = await this.rightsOf(caller, member.topic);
    return mayHear(member.rights);
  }

  /** A new token must still stand and must still let the person hear a private topic. */
  private async renew(member: Member, message: Message): Promise<void> {
    const token = message.payload['access_token'];
    if (token === null || token === undefined) return;
    const caller = await this.callerOf(token);
    if (typeof caller === 'string') return this.expel(member, caller);
    if (!this.share.mayJoin(personOf(caller))) return this.expel(member, TOO_MANY_SOCKETS);
    if (member.isPrivate) {
      const rights = await this.rightsOf(caller, member.topic);
      if (!mayHear(rights)) return this.expel(member, ENDED);
      this.proven.get(member)?.renew();
      member.rights = rights;
      member.hearsPresence &&= rights.presence.mayRead;
    }
    this.line.joined(personOf(caller));
    member.user.person = personOf(caller);
    this.context.members.renew(member, caller, caller === this.visitor ? null : token);
    this.watchExpiry(member);
  }

  /** Without `ack` nothing is answered, also when it was not sent on, as Supabase does. */
  private broadcast(member: Member, message: Message): void {
    if (this.messages.isOver(performance.now())) return this.expel(member, 'Too many messages per second');
    if (!member.rights.broadcast.mayWrite) {
      if (member.wantsAck) this.reply(message, refused(NO_WRITE));
      return;
    }
    if (!this.context.members.broadcast({ ...member, payload: message.payload }, member.user, member))
      return this.expel(member, 'Too many messages per second');
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
    const fault = presenceFault(payload);
    if (fault !== null) return this.reply(message, refused(fault));
    member.whenAllowed(() => this.track(member, message, payload));
  }

  private track(member: Member, message: Message, payload: unknown): void {
    if (!member.rights.presence.mayWrite) return this.reply(message, refused(NO_WRITE));
    this.startHearing(member);
    const isTold = this.context.members.track(member, presenceOn(plainTopic(member.topic), payload));
    this.reply(message, isTold ? ok() : refused('Too many presences on this topic'));
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
    this.line.send({ joinRef: member.joinRef, ref: message.ref, topic: member.topic, event: 'phx_close', payload: {} });
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
    if (this.joined.size === 0) this.line.expectJoin();
  }

  end(): void {
    // Deleting from a map while walking it is allowed.
    for (const member of this.joined.values()) this.forget(member);
    this.line.end();
  }
}

/** Answers one connection until it closes. */
export function serveSocket(opened: Socket): void {
  const { socket, context } = opened;
  const session = new RealtimeSocket(opened);
  socket.on('message', (data, isBinary) => {
    if (Buffer.isBuffer(data)) session.line.hear({ data, isBinary });
  });
  socket.on('close', () => session.end());
  socket.on('error', error => context.log.info({ err: error }, 'realtime socket'));
}
