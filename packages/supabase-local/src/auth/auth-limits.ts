import { createHash } from 'node:crypto';
import { AuthError } from './auth-error.ts';
import { dropOldest } from '../limits/drop-oldest.ts';
import { networkOf, WIDER_SHARE, widerNetworkOf, widestNetworkOf } from '../limits/network-of.ts';
import { createRateLimit, type Rule } from '../limits/rate-limit.ts';

const MINUTE = 60_000;
const WINDOW_MS = 5 * MINUTE;

type Kind =
  | 'signIn'
  | 'signUp'
  | 'session'
  | 'flow'
  | 'exchange'
  | 'renewal'
  | 'mail'
  | 'sms'
  | 'smsOfNetwork'
  | 'smsInAll'
  | 'verify'
  | 'code'
  | 'factor'
  | 'enrol'
  | 'change'
  | 'challenge'
  | 'password';

type LimitKey = 'address' | 'account' | 'both';
/**
 * `wider`: all networks of IPv6 that begin alike, four times the share of one. `widerBoth`: an account as seen from all of these, which
 * have together what one of them has: whoever rents many fills no account's own count by themselves.
 */
type CountedKey = LimitKey | 'wider' | 'widerBoth';

/** At most `count` tries; `wider`: of all networks that begin alike, where four times as many would be too much of all. */
type AuthRule = Rule & { wider?: number };

/** Of so many accounts and networks it is remembered that somebody signed in there; the longest unseen are forgotten first. */
const MAX_TRUSTED = 100_000;
/** ms for which it is remembered. */
const TRUSTED_MS = 30 * 24 * 60 * MINUTE;

/**
 * `both` is an account as seen from one address, so that a guesser elsewhere does not lock its owner out at once.
 * Behind a proxy every caller has the proxy's address: what is counted by address should be limited there as well.
 */
export const RULES: Record<Kind, Partial<Record<LimitKey, AuthRule>>> = {
  signIn: {
    both: { count: 30, windowMs: WINDOW_MS },
    account: { count: 100, windowMs: WINDOW_MS },
    address: { count: 150, windowMs: WINDOW_MS },
  },
  signUp: { address: { count: 30, windowMs: WINDOW_MS } },
  // Sign-ins that went well: each is a row of several tables, and something its person may be told of.
  session: { account: { count: 60, windowMs: 60 * MINUTE } },
  // Beginnings of a sign-in elsewhere: each is a row that is kept for a day, and looked through with the next.
  flow: { address: { count: 150, windowMs: WINDOW_MS } },
  // Wrong codes of a sign-in elsewhere.
  exchange: { address: { count: 60, windowMs: WINDOW_MS } },
  // Refresh tokens that nobody was given; counted once they were looked for, so that a right one is never refused for others' wrong ones.
  renewal: { address: { count: 60, windowMs: WINDOW_MS } },
  // From elsewhere too, but not without end: a stranger who asks for codes of somebody else's keeps nobody from their own.
  mail: {
    both: { count: 1, windowMs: MINUTE },
    account: { count: 20, windowMs: 2 * WINDOW_MS },
    address: { count: 30, windowMs: WINDOW_MS },
  },
  sms: {
    both: { count: 1, windowMs: MINUTE },
    account: { count: 10, windowMs: 2 * WINDOW_MS },
    address: { count: 30, windowMs: WINDOW_MS },
  },
  // One network must not use up what all have together: nobody else would get a code.
  smsOfNetwork: { address: { count: 100, wider: 150, windowMs: 60 * MINUTE } },
  // Whoever has many networks must not spend the operator's money without end.
  smsInAll: { account: { count: 300, windowMs: 60 * MINUTE } },
  verify: {
    both: { count: 10, windowMs: WINDOW_MS },
    account: { count: 100, windowMs: WINDOW_MS },
    address: { count: 60, windowMs: WINDOW_MS },
  },
  // Wrong guesses at one code, from wherever: of a million codes so many are tried, then it is none any more.
  code: { account: { count: 50, windowMs: 60 * MINUTE } },
  password: { account: { count: 10, windowMs: WINDOW_MS }, address: { count: 60, windowMs: WINDOW_MS } },
  // Each is a row: of the log, or one that is kept for an hour.
  change: { account: { count: 60, windowMs: WINDOW_MS }, address: { count: 600, windowMs: WINDOW_MS } },
  challenge: { account: { count: 30, windowMs: WINDOW_MS }, address: { count: 300, windowMs: WINDOW_MS } },
  // Each is a picture that is drawn, while nobody else is answered.
  enrol: { account: { count: 30, windowMs: WINDOW_MS }, address: { count: 150, windowMs: WINDOW_MS } },
  factor: { account: { count: 10, windowMs: WINDOW_MS }, address: { count: 60, windowMs: WINDOW_MS } },
};

export type AuthLimits = {
  /**
   * Counts a try and returns how to take it back.
   *
   * @param account the account's address or id; whether it exists makes no difference
   * @throws {AuthError} 429 in GoTrue's words, with the seconds to wait
   */
  count(kind: Kind, address: string, account: string): () => void;
  /** The same for what must not be guessed: only a refusal (4xx) of `work` stays counted. */
  guess<T>(kind: Kind, address: string, account: string, work: () => Promise<T>): Promise<T>;
};

/** Hashed: no e-mail address stays in memory, nor a text of any length. */
const keyOf = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('base64');

/** Our own functions call without an address, for everybody. */
const counting = <L extends { by: CountedKey }>(limits: L[], network: string): L[] =>
  limits.filter(({ by }) =>
    by === 'wider' || by === 'widerBoth' ? widerNetworkOf(network) !== null : by !== 'address' || network !== '',
  );

type Limit = { by: CountedKey; rule: Rule };

const limitsOf = (rules: Partial<Record<LimitKey, AuthRule>>): Limit[] =>
  Object.entries(rules).flatMap(([by, rule]): Limit[] => {
    const own: Limit = { by: by as LimitKey, rule };
    if (by === 'both') return [own, { by: 'widerBoth', rule }];
    if (by !== 'address') return [own];
    return [own, { by: 'wider', rule: { ...rule, count: rule.wider ?? rule.count * WIDER_SHARE } }];
  });

/** Who is counted: an account, by whatever it is named, as seen from a network. */
type Caller = { network: string; name: string };

const callerOf = (address: string, account: string): Caller => ({
  network: networkOf(address),
  name: account.trim().toLowerCase(),
});

function keysOf({ network, name }: Caller): Record<CountedKey, string> {
  const widest = widestNetworkOf(network);
  return {
    address: keyOf(network),
    account: keyOf(name),
    both: keyOf(network, name),
    wider: keyOf(widest),
    widerBoth: keyOf(widest, name),
  };
}

/** Where somebody signed in lately: what strangers elsewhere do to an account is not counted against them there. */
function createTrust(now: () => number) {
  const seen = new Map<string, number>();
  const keyIn = ({ network, name }: Caller): string => keyOf(network, accountIn(name));
  return {
    note(caller: Caller): void {
      const key = keyIn(caller);
      seen.delete(key);
      seen.set(key, now());
      dropOldest(seen, MAX_TRUSTED);
    },
    has: (caller: Caller): boolean => (seen.get(keyIn(caller)) ?? Number.NEGATIVE_INFINITY) > now() - TRUSTED_MS,
  };
}

/** What shows who somebody is: afterwards their network is known for the account. */
const SHOWS_WHO: ReadonlySet<Kind> = new Set(['signIn', 'verify']);

/** The account in a name that says what for as well: `otp ann@x.test`. */
const accountIn = (name: string): string => name.split(' ').at(-1) ?? name;

function refusal(kind: Kind, by: CountedKey, waitMs: number): AuthError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  if ((kind !== 'mail' && kind !== 'sms') || by === 'address' || by === 'wider')
    return new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', { retryAfterS: seconds });
  const words = `For security purposes, you can only request this after ${seconds} seconds.`;
  const code = kind === 'sms' ? 'over_sms_send_rate_limit' : 'over_email_send_rate_limit';
  return new AuthError(429, code, words, { retryAfterS: seconds });
}

/**
 * @param factor multiplies every count: more than 1 where many people share one address, or a benchmark runs
 * @param now milliseconds, any steady clock
 */
export function createAuthLimits(factor: number, now: () => number = () => performance.now()): AuthLimits {
  const trust = createTrust(now);
  const limits = new Map(
    Object.entries(RULES).map(([kind, rules]) => [
      kind,
      limitsOf(rules).map(({ by, rule }) => ({
        by,
        attempt: createRateLimit({ ...rule, count: rule.count * factor }, now),
      })),
    ]),
  );

  function count(kind: Kind, address: string, account: string): () => void {
    const caller = callerOf(address, account);
    const keys = keysOf(caller);
    const done: (() => void)[] = [];
    const isKnown = caller.network !== '' && trust.has(caller);
    for (const { by, attempt } of counting(limits.get(kind) ?? [], caller.network)) {
      if (by === 'account' && isKnown) continue;
      const tried = attempt(keys[by]);
      if ('takeBack' in tried) {
        done.push(tried.takeBack);
        continue;
      }
      // A try that is refused by one rule is none for the others.
      for (const takeBack of done) takeBack();
      throw refusal(kind, by, tried.waitMs);
    }
    return () => done.forEach(takeBack => takeBack());
  }

  return {
    count,
    async guess(kind, address, account, work) {
      const answer = await guess(count(kind, address, account), work);
      if (SHOWS_WHO.has(kind)) trust.note(callerOf(address, account));
      return answer;
    },
  };
}

/** Only a wrong guess stays counted. */
async function guess<A>(takeBack: () => void, work: () => Promise<A>): Promise<A> {
  try {
    const answer = await work();
    takeBack();
    return answer;
  } catch (error) {
    // A fault of ours says nothing about the guess.
    if (!(error instanceof AuthError) || error.status >= 500) takeBack();
    throw error;
  }
}
