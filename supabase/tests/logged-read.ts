import type { TestDatabase } from '@cairn/testing/database.ts';

/** What the server gives only after it wrote down that it was read: a ticket, then the data for it. */
export async function loggedRead<A>(
  db: TestDatabase,
  person: string | null,
  name: string,
  args: Record<string, unknown>,
): Promise<A> {
  const { ticket } = await db.rpc<{ ticket: string }>(person, name, args);
  return db.rpc<A>(person, name, { ...args, p_ticket: ticket });
}
