/** What a letter's link or a sign-in service left in the address, and where to go on to afterwards. */
export type BroughtLink = { search: string; hash: string; from: string | null };

/** What they leave, at any address; a bare code or error only where they lead back to. */
const BROUGHT = /#(.*&)?(access_token|error|error_code|error_description|message)=/;
const AT_RETURN = /^\/auth\/return\/?\?(.*&)?(code|error|error_code|error_description|message)=/;

const held: { link: BroughtLink | null } = { link: null };

/**
 * Takes what an address brought out of it, before anything else can read, keep or send the address; see `broughtLink`.
 * @returns whether it brought anything
 */
export function holdBroughtLink(): boolean {
  const { pathname, search, hash } = location;
  if (!BROUGHT.test(hash) && !AT_RETURN.test(pathname + search)) return false;
  const from = new URLSearchParams(search).get('from');
  held.link = { search, hash, from };
  const to = from === null ? '' : `?${new URLSearchParams({ from }).toString()}`;
  history.replaceState(history.state, '', `/auth/return${to}`);
  return true;
}

/** What was taken last and not forgotten; in memory only. */
export const broughtLink = (): BroughtLink | null => held.link;

export const forgetBroughtLink = (): void => void (held.link = null);
