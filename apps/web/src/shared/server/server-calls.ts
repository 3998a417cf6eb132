import { createContext, useContext } from 'react';

/** What the server said instead of doing something: a SQLSTATE or a code of ours, and words for developers. */
export class ServerRefusal extends Error {
  override name = 'ServerRefusal';
  readonly code: string;
  /** Which of several reasons of one code it is, where the server says so. */
  readonly hint: string | null;
  /** Of the HTTP answer. */
  readonly status: number | null;

  constructor(code: string, message: string, hint: string | null = null, status: number | null = null) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.status = status;
  }
}

/** Rows of one table; `filter` compares columns with values. */
export type RowsQuery = { table: string; filter: Record<string, string>; newestBy: string };

/** The backend as the signed-in person, for what is online by nature. Each call throws Failure `offline` or ServerRefusal. */
export interface ServerCalls {
  /** A function of the database. */
  call<A>(name: string, args?: Record<string, unknown>): Promise<A>;
  rows<A>(wanted: RowsQuery): Promise<A[]>;
  /** Adds one row and answers it as stored. */
  insert<A>(table: string, row: Record<string, unknown>): Promise<A>;
  /** A service that needs more than the database, e.g. `people/invite`. */
  send<A>(service: string, body: Record<string, unknown> | FormData): Promise<A>;
}

export const ServerCallsContext = createContext<ServerCalls | null>(null);

/** @throws {Error} outside a protected route */
export function useServerCalls(): ServerCalls {
  const calls = useContext(ServerCallsContext);
  if (!calls) throw new Error('useServerCalls outside a protected route');
  return calls;
}
