/** What a letter's link or a sign-in service left in the address, and where to go on to afterwards. */
export type BroughtLink = { search: string; hash: string; from: string | null };

/** What they leave, behind ? or #, at any address (R2.26): a server leads back to where it was told the app is, and it may be told anything. */
const BROUGHT = /[?#](.*&)?(access_token|code|error|error_code|error_description|message)=/;

const held: { link: BroughtLink | null; times: number } = { link: null, times: 0 };
const listeners = new Set<() => void>();

/**
 * Takes what an address brought out of it, before anything else can read, keep or send the address; see `broughtLink`.
 * @returns whether it brought anything
 */
export function holdBroughtLink(): boolean {
  const { search, hash } = location;
  if (!BROUGHT.test(search + hash)) return false;
  const from = new URLSearchParams(search).get('from');
  held.link = { search, hash, from };
  held.times += 1;
  const to = from === null ? '' : `?${new URLSearchParams({ from }).toString()}`;
  history.replaceState(history.state, '', `/auth/return${to}`);
  for (const listener of listeners) listener();
  return true;
}

/** How many links were taken since the page was opened: another one is another question. */
export const broughtTimes = (): number => held.times;

export function onBroughtLink(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was taken last and not forgotten; in memory only. */
export const broughtLink = (): BroughtLink | null => held.link;

export const forgetBroughtLink = (): void => void (held.link = null);
