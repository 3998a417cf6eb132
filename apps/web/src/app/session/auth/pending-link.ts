/** What a letter's link or a sign-in service left in the address, and where to go on to afterwards. */
export type PendingLink = { search: string; hash: string; from: string | null };

/** What they leave, behind ? or #, at any address (R2.26): a server leads back to where it was told the app is, and it may be told anything. */
const LINK_ANSWER = /[?#](.*&)?(access_token|code|error|error_code|error_description|message)=/;

const held: { link: PendingLink | null; times: number } = { link: null, times: 0 };
const listeners = new Set<() => void>();

/**
 * Takes what an address brought out of it, before anything else can read, keep or send the address; see `broughtLink`.
 * @returns whether it brought anything
 */
export function holdPendingLink(): boolean {
  const { search, hash } = location;
  if (!LINK_ANSWER.test(search + hash)) return false;
  const from = new URLSearchParams(search).get('from');
  held.link = { search, hash, from };
  held.times += 1;
  const to = from === null ? '' : `?${new URLSearchParams({ from }).toString()}`;
  history.replaceState(history.state, '', `/auth/return${to}`);
  for (const listener of listeners) listener();
  return true;
}

/** How many links were taken since the page was opened: another one is another question. */
export const pendingLinkCount = (): number => held.times;

export function onPendingLink(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was taken last and not forgotten; in memory only. */
export const pendingLink = (): PendingLink | null => held.link;

export const forgetPendingLink = (): void => void (held.link = null);
