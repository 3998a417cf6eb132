import type { Sql, TransactionSql } from 'postgres';
import { actAs } from '../hardening/act-as.ts';
import type { Caller } from '../hardening/bearer.ts';

type Right = { mayRead: boolean; mayWrite: boolean };

export type TopicRights = { broadcast: Right; presence: Right };

export const EVERYTHING: TopicRights = {
  broadcast: { mayRead: true, mayWrite: true },
  presence: { mayRead: true, mayWrite: true },
};

const EXTENSIONS = ['broadcast', 'presence'] as const;

/** Carries the answer out of the transaction that must not leave its probe behind. */
class Probed extends Error {
  readonly rights: TopicRights;
  constructor(rights: TopicRights) {
    super('probe rolled back');
    this.rights = rights;
  }
}

const addProbe = (tx: TransactionSql, topic: string, extension: string) =>
  tx`insert into realtime.messages (topic, extension, event, private) values (${topic}, ${extension}, 'probe', true)`;

async function rightTo(tx: TransactionSql, topic: string, extension: string): Promise<Right> {
  const seen = await tx`select from realtime.messages where topic = ${topic} and extension = ${extension} limit 1`;
  const mayWrite = await tx
    .savepoint(inner => addProbe(inner, topic, extension))
    .then(
      () => true,
      () => false,
    );
  return { mayRead: seen.length > 0, mayWrite };
}

/**
 * What a caller may do on a private topic, asked as Supabase asks it: whether the policies of realtime.messages let them
 * see, and add, a broadcast and a presence of that topic. The rows for the question are rolled back.
 */
export async function topicRights(sql: Sql, caller: Caller, topic: string): Promise<TopicRights> {
  try {
    return await sql.begin(async (tx): Promise<TopicRights> => {
      for (const extension of EXTENSIONS) await addProbe(tx, topic, extension);
      await tx`select set_config('realtime.topic', ${topic}, true)`;
      await actAs(tx, caller);
      throw new Probed({
        broadcast: await rightTo(tx, topic, 'broadcast'),
        presence: await rightTo(tx, topic, 'presence'),
      });
    });
  } catch (error) {
    if (error instanceof Probed) return error.rights;
    throw error;
  }
}
