import { createHash } from 'node:crypto';
import { dropOldest } from '../limits/drop-oldest.ts';

/** Of so many sessions it is remembered; the longest unseen are forgotten first. */
const MAX_SESSIONS = 50_000;
/** Refresh tokens of a session: the one in force, and the one before it, whose answer may have been lost. */
const KEPT = 2;

const keyOf = (token: string) => createHash('sha256').update(token).digest('base64');

/**
 * Which session a refresh token was given to, of those given out lately: so that before the database is asked somebody with a token of
 * their own is told from somebody who invents them. What is forgotten, by a restart too, still renews its session.
 */
export class GivenTokens {
  private readonly sessions = new Map<string, string>();
  /** The newest token first; in the order in which the sessions were last seen. */
  private readonly tokens = new Map<string, string[]>();

  note(token: string, sessionId: string): void {
    const key = keyOf(token);
    const before = this.tokens.get(sessionId) ?? [];
    const kept = [key, ...before.filter(each => each !== key)];
    for (const old of kept.splice(KEPT)) this.sessions.delete(old);
    this.sessions.set(key, sessionId);
    this.tokens.delete(sessionId);
    this.tokens.set(sessionId, kept);
    for (const old of dropOldest(this.tokens, MAX_SESSIONS) ?? []) this.sessions.delete(old);
  }

  /** Null for one that nobody was given, or that was forgotten. */
  sessionOf(token: string): string | null {
    return this.sessions.get(keyOf(token)) ?? null;
  }
}
