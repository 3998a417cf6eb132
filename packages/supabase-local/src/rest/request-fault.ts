/** What is wrong with a request before anything further in has seen it, in PostgREST's words. */
export class RequestFault extends Error {
  override name = 'RequestFault';
  readonly status: number;
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;

  constructor(status: number, code: string, message: string, more: { details?: string; hint?: string } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = more.details ?? null;
    this.hint = more.hint ?? null;
  }

  answer(): Response {
    const { status, code, message, details, hint } = this;
    return Response.json({ code, message, details, hint }, { status });
  }
}

/** How much of what somebody wrote is said back to them, in letters. */
const MAX_QUOTED = 60;

/** @param what the member of the query, e.g. `select parameter` */
export const unreadable = (what: string, text: string): RequestFault =>
  new RequestFault(400, 'PGRST100', `"failed to parse ${what} (${text.slice(0, MAX_QUOTED)})" (line 1, column 1)`);
