import type { Caller, TokenVerifier } from '../access/bearer.ts';
import type { TurnRequester } from '../limits/shared-semaphore.ts';
import type { Log } from '../log/log.ts';
import type { ChannelMembers } from './channel-members.ts';
import type { PostgresChanges } from './postgres-changes.ts';
import type { TopicRights } from './topic-rights.ts';

export type RealtimeContext = {
  verify: TokenVerifier;
  /** What a caller may do on a private topic; asked in turns, so that many sockets do not take all connections. */
  rightsOf(caller: Caller, topic: string, asker: TurnRequester): Promise<TopicRights>;
  /** Any other question to the database, in the same turns. */
  inTurn<A>(asker: TurnRequester, ask: () => Promise<A>): Promise<A>;
  members: ChannelMembers;
  changes: PostgresChanges;
  /** Whether visitors may join, and channels that are not private are there. */
  isPublic: boolean;
  log: Log;
};
