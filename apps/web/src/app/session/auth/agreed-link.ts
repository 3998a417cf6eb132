const KEY = 'cairn.agreedLink';
/** ms; signing in, or signing up with a letter on the way. Whoever comes back later is asked again. */
const LIFE_MS = 15 * 60_000;

/** Whoever presses "sign in" or "create an account" on an invitation agrees to it; in this tab, for this link only, and for a while. */
export const agreeToLink = (token: string, now = Date.now()): void => sessionStorage.setItem(KEY, `${now} ${token}`);

/** Whether this link was agreed to, a moment ago. */
export function hasAgreedToLink(token: string, now = Date.now()): boolean {
  const [at = '', ...agreed] = (sessionStorage.getItem(KEY) ?? '').split(' ');
  const age = now - Number(at);
  return agreed.join(' ') === token && token !== '' && age >= 0 && age < LIFE_MS;
}

export const forgetAgreedLink = (): void => sessionStorage.removeItem(KEY);
