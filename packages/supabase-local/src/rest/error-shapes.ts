import { errorCode } from '@cairn/database/error-code.ts';
import { UNREACHABLE } from '../database/database.ts';

type Body = { code: string; message: string; details: string | null; hint: string | null };
type DatabaseError = { code: string; message: string; detail?: string; hint?: string };

/** HTTP status by class of SQLSTATE, as PostgREST has it. */
const STATUS_OF_CLASS: Record<string, number> = {
  '08': 503,
  '09': 500,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
};

/** admin_shutdown */
const ENDED_BY_ADMIN = '57P01';

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code);

/** @param role the caller's: a missing right is 401 for somebody who has not signed in */
export function statusOf(code: string, role: string): number {
  if (code === '42501') return role === 'anon' ? 401 : 403;
  if (code === '42883' || code === '42P01') return 404;
  if (code === '23503' || code === '23505') return 409;
  if (code === '25006') return 405;
  if (code === 'P0001') return 400;
  // PostgREST's way to raise a status of one's own.
  if (/^PT[45]\d\d$/.test(code)) return Number(code.slice(2));
  // Nested too deeply for the database: the asker's doing (PostgREST says 500).
  if (code === '54001') return 400;
  return STATUS_OF_CLASS[code.slice(0, 2)] ?? 400;
}

/** Of these Postgres repeats the whole row that failed, with what a person wrote and what triggers filled in. */
const REPEATS_THE_ROW = new Set(['23502', '23514']);

/** Of these Postgres repeats the value that could not be read, which may be what a cast was put on. */
const REPEATS_THE_VALUE = new Set([
  '22P02',
  '22P03',
  '22P04',
  '22P05',
  '22003',
  '22007',
  '22008',
  '22009',
  '22021',
  '22030',
  '22032',
  '2200M',
  '2200N',
  '3F000',
  '42601',
  '42602',
  '42704',
  '42725',
  '42883',
  '42P01',
]);

/** The code of a sentence of our own (supabase/error-codes.tsv): no row can make Postgres write it there. */
const isOwnCode = (detail: string | undefined) => /^CN\d{3}$/.test(detail ?? '');

/** The words of the error without what stands in quotes: a type, and the value. */
function withoutValue(message: string): string {
  const [before = ''] = message.split('"', 1);
  return before.replace(/[:\s]+$/, '') || 'invalid value';
}

/** PostgREST's body of a database error; null when it is not one. */
export function errorBody(error: unknown): Body | null {
  if (!isDatabaseError(error)) return null;
  if (REPEATS_THE_VALUE.has(error.code))
    return { code: error.code, message: withoutValue(error.message), details: null, hint: null };
  const details = REPEATS_THE_ROW.has(error.code) && !isOwnCode(error.detail) ? null : (error.detail ?? null);
  return { code: error.code, message: error.message, details, hint: error.hint ?? null };
}

/** What lite answers in PostgREST's shape by itself. */
const isHandled = (code: string) => /^(PGRST|PT|42|22|21)/.test(code) || ['23503', '23505', '25006'].includes(code);

/** How PostgREST answers when it has no connection; the same call may go through in a moment. */
export const NO_CONNECTION: Body = {
  code: 'PGRST001',
  message: 'Database connection error. Retrying the connection.',
  details: null,
  hint: null,
};

const withStatus = (status: number, body: Body) => ({
  code: 'PGRST',
  message: JSON.stringify(body),
  detail: JSON.stringify({ status, headers: {} }),
});

/** Whether the connection a statement stood on is gone: lost, or ended by the database, which stops. */
export function hasClosed(error: unknown): boolean {
  const code = errorCode(error);
  return code === ENDED_BY_ADMIN || UNREACHABLE.has(code);
}

/**
 * lite 0.10 answers most SQLSTATEs with 500 {"code":"SUP"}, so the device could not tell a refusal from a fault. The
 * error is handed on in the form PostgREST reads from RAISE SQLSTATE 'PGRST': status, code, message, details and hint.
 */
export function keepErrorShapes(connection: object): void {
  Object.assign(connection, {
    normalizeDbError(error: unknown) {
      if (hasClosed(error)) return withStatus(503, NO_CONNECTION);
      const body = errorBody(error);
      if (body && REPEATS_THE_VALUE.has(body.code)) return body;
      if (!body || isHandled(body.code)) return error;
      return withStatus(statusOf(body.code, 'authenticated'), body);
    },
  });
}
