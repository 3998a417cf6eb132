import type { Sql } from 'postgres';
import type { Caller } from '../hardening/bearer.ts';

export type TopicRights = { mayRead: boolean; mayWrite: boolean };

/** Carries the answer out of the transaction that must not leave its probe behind. */
class Probed extends Error {
  readonly rights: TopicRights;
  constructor(rights: TopicRights) {
    super('probe rolled back');
    this.rights = rights;
  }
}

/**
 * What a caller may do on a private topic, asked as Supabase asks it: whether the policies of realtime.messages let them
 * see, and add, a broadcast of that topic. The rows for the question are rolled back.
 */
export async function topicRights(sql: Sql, { role, claims }: Caller, topic: string): Promise<TopicRights> {
  try {
    return await sql.begin(async (tx): Promise<TopicRights> => {
      await tx`insert into realtime.messages (topic, extension, event, private) values (${topic}, 'broadcast', 'probe', true)`;
      await tx`select
        set_config('realtime.topic', ${topic}, true),
        set_config('request.jwt.claim.sub', ${claims?.sub ?? ''}, true),
        set_config('request.jwt.claim.role', ${role}, true),
        set_config('request.jwt.claims', ${JSON.stringify(claims ?? { role })}, true),
        set_config('role', ${role}, true)`;
      const seen = await tx`select from realtime.messages where topic = ${topic} and extension = 'broadcast' limit 1`;
      const mayWrite = await tx
        .savepoint(
          inner =>
            inner`insert into realtime.messages (topic, extension, event, private) values (${topic}, 'broadcast', 'probe', true)`,
        )
        .then(
          () => true,
          () => false,
        );
      throw new Probed({ mayRead: seen.length > 0, mayWrite });
    });
  } catch (error) {
    if (error instanceof Probed) return error.rights;
    throw error;
  }
}
