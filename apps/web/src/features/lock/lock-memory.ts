const AFTER = 'cairn.appLock.';
const SEEN = 'cairn.appLock.seen.';
const LOCKED = 'cairn.appLock.locked.';

/** Minutes away after which the app locks; null for never. */
export type LockMinutes = number | null;

export const LOCK_CHOICES: readonly LockMinutes[] = [null, 0, 1, 5, 15, 60];

function numberAt(key: string): number | null {
  const text = localStorage.getItem(key);
  const value = text === null ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

/** What this device keeps of one person's app lock. It holds no secret. */
export const lockMemory = (owner: string) => ({
  after: (): LockMinutes => numberAt(AFTER + owner),
  setAfter(after: LockMinutes): void {
    if (after === null) localStorage.removeItem(AFTER + owner);
    else localStorage.setItem(AFTER + owner, String(after));
  },
  /** Notes that the person was here. @param now ms since 1970 */
  see: (now: number): void => localStorage.setItem(SEEN + owner, String(now)),
  /** Locked by hand: holds over a reload, whatever `after` is, until `open`. */
  lock: (): void => localStorage.setItem(LOCKED + owner, '1'),
  /** They have shown who they are. @param now ms since 1970 */
  open(now: number): void {
    localStorage.removeItem(LOCKED + owner);
    this.see(now);
  },
  /** Whether it was locked by hand, or they have been away too long. */
  isDue(now: number): boolean {
    if (localStorage.getItem(LOCKED + owner) !== null) return true;
    const after = numberAt(AFTER + owner);
    if (after === null) return false;
    const seen = numberAt(SEEN + owner);
    // A clock that was set back must not open the app.
    return seen === null || now < seen || now - seen >= after * 60_000;
  },
});
