import type { Sql, TransactionSql } from 'postgres';
import { actAs } from '../access/act-as.ts';
import type { Caller } from '../access/bearer.ts';

type Right = { mayRead: boolean; mayWrite: boolean };

export type TopicRights = { broadcast: Right; presence: Right };

export const NOTHING: TopicRights = {
  broadcast: { mayRead: false, mayWrite: false },
  presence: { mayRead: false, mayWrite: false },
};

export const EVERYTHING: TopicRights = {
  broadcast: { mayRead: true, mayWrite: true },
  presence: { mayRead: true, mayWrite: true },
};

export const mayHear = ({ broadcast, presence }: TopicRights): boolean => broadcast.mayRead || presence.mayRead;

const EXTENSIONS = ['broadcast', 'presence'] as const;

/** Carries the answer out of the transaction that must not leave its probe behind. */
class ProbeResult extends Error {
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

/** ms; a policy that was just made counts from then on. */
const POLICY_LIFE_MS = 10_000;
const visitorPolicies = new WeakMap<Sql, { askedAt: number; answer: Promise<boolean> }>();

/** Whether any policy of realtime.messages is for those without a session: where none is, no topic has to be asked about. */
function mayVisitorsEnter(sql: Sql): Promise<boolean> {
  const known = visitorPolicies.get(sql);
  if (known && performance.now() - known.askedAt < POLICY_LIFE_MS) return known.answer;
  const answer = sql<{ is: boolean }[]>`
    select exists (
      select from pg_policy where polrelid = 'realtime.messages'::regclass
        and (0 = any (polroles) or exists (select from unnest(polroles) as r where r <> 0 and pg_has_role('anon', r, 'member')))
    ) as is`.then(([row]) => row?.is === true);
  visitorPolicies.set(sql, { askedAt: performance.now(), answer });
  answer.catch(() => visitorPolicies.delete(sql));
  return answer;
}

/**
 * What a caller may do on a private topic, asked as Supabase asks it: whether the policies of realtime.messages let them
 * see, and add, a broadcast and a presence of that topic. The rows for the question are rolled back.
 */
export async function topicRights(sql: Sql, caller: Caller, topic: string): Promise<TopicRights> {
  if (caller.role === 'anon' && !(await mayVisitorsEnter(sql))) return NOTHING;
  try {
    return await sql.begin(async (tx): Promise<TopicRights> => {
      for (const extension of EXTENSIONS) await addProbe(tx, topic, extension);
      await tx`select set_config('realtime.topic', ${topic}, true)`;
      await actAs(tx, caller);
      throw new ProbeResult({
        broadcast: await rightTo(tx, topic, 'broadcast'),
        presence: await rightTo(tx, topic, 'presence'),
      });
    });
  } catch (error) {
    if (error instanceof ProbeResult) return error.rights;
    throw error;
  }
}
