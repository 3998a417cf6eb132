import type { ServerCalls } from './server-calls.ts';

/** Has a read written down, for good, and gets what stands for it. */
export async function ticketFor(calls: ServerCalls, name: string, args: Record<string, unknown>): Promise<string> {
  const { ticket } = await calls.call<{ ticket: string }>(name, args);
  return ticket;
}

/** What the server gives only after it wrote down that it was read: two calls. */
export async function loggedRead<A>(calls: ServerCalls, name: string, args: Record<string, unknown>): Promise<A> {
  return calls.call<A>(name, { ...args, p_ticket: await ticketFor(calls, name, args) });
}
