import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

const SECRET_HEADERS = ['authorization', 'apikey', 'cookie', 'set-cookie'];

/** Behind these, a path is a secret: whoever has it reads a calendar or a certificate, reports an issue, or does an action item. */
const SECRET_PATHS = /^(\/functions\/v1)?\/(calendar|report|guest|verify)\/.*/;

/** The path only, without what is secret in it: queries carry tokens, filters and search words. */
export const pathOf = (url: string): string =>
  new URL(url, 'http://local').pathname.replace(SECRET_PATHS, '$1/$2/[redacted]');

/**
 * The server's log. Headers that hold secrets are removed wherever a caller puts a headers object; request bodies,
 * queries and database parameters are never given to it.
 *
 * @param level pino's level; warnings and errors unless told
 */
export function createLog(level: string = 'warn', destination?: DestinationStream): Log {
  const paths = SECRET_HEADERS.flatMap(name => [`headers["${name}"]`, `*.headers["${name}"]`]);
  const options = {
    level,
    base: null,
    redact: { paths, censor: '[redacted]' },
    // A database error's `detail`, `parameters` and `query` hold people's rows, its message may quote them.
    serializers: { err: describeError },
  };
  return destination ? pino(options, destination) : pino(options, pino.destination(2));
}

/** What may be logged of an error: its kind, its code and where it was thrown, not its words. */
export function describeError(error: unknown): { kind: string; code?: string; at?: string[] } {
  if (!(error instanceof Error)) return { kind: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const at = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  return { kind: error.name, ...code, at: at.slice(0, 5).map(line => line.trim()) };
}
