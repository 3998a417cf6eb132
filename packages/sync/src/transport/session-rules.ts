const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The rules of time for a session on a device, in ms. */
export const SESSION_RULES = {
  /** How long a stored session opens the app with no word of the server. */
  expiry: 24 * HOUR_MS,
  /** How long after its last renewal a password still opens the app with no network, in locked offline mode. */
  lockedExpiry: 30 * 24 * HOUR_MS,
  /** How often a native app looks whether its token must be renewed. */
  rotationInterval: 15 * MINUTE_MS,
  /** A token with less than this left is renewed. */
  refreshThreshold: 5 * MINUTE_MS,
  /** An older token is never sent. */
  maxTokenAge: HOUR_MS,
} as const;

export type StoredSessionStatus = 'valid' | 'locked' | 'over';

/**
 * What a stored session opens while no server can be asked: everything; the lock screen, behind which one reads and
 * captures; nothing.
 * @param expiresAt ms since 1970, 24 h after the server's last word; now: the same
 */
export function storedSessionStatus(expiresAt: number, now: number): StoredSessionStatus {
  if (now < expiresAt) return 'valid';
  return now < expiresAt - SESSION_RULES.expiry + SESSION_RULES.lockedExpiry ? 'locked' : 'over';
}

/** Whether a token is to be renewed. @param left ms until it runs out */
export const needsRenewal = (left: number): boolean => left < SESSION_RULES.refreshThreshold;

/** Whether a token may be sent. @param age ms since it was got */
export const maySend = (age: number): boolean => age <= SESSION_RULES.maxTokenAge;

type Rotation = {
  /** When the token at present runs out, in ms since 1970 by this device's clock; null when nobody is signed in. */
  end(): Promise<number | null>;
  /** Asks the server for a new one; must not throw where there is no network. */
  renew(): Promise<unknown>;
  now(): number;
  /** Calls back after some ms; answers what takes that back. */
  after(ms: number, callback: () => void): () => void;
};

/**
 * Looks every 15 min, and renews the token where less than 5 min of it are left (R4.10).
 * @returns what stops it
 */
export function startRotation({ end, renew, now, after }: Rotation): () => void {
  let stopped = false;
  let cancel = () => {};
  const look = async () => {
    const present = await end();
    if (present !== null && needsRenewal(present - now())) await renew();
  };
  const arm = () => {
    if (stopped) return;
    cancel = after(SESSION_RULES.rotationInterval, () => void look().then(arm, arm));
  };
  arm();
  return () => {
    stopped = true;
    cancel();
  };
}
