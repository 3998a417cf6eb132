import { oneLine } from './one-line.ts';

/** Under which name something was signed, and whose account did it; each one line. */
export type SignatureName = {
  typed: string;
  /** Null where it was not kept. */
  account: string | null;
};

/**
 * What readers are shown of a signature, wherever it is shown: a typed name can be anybody's, so the account's stands beside it.
 * @param account as the server pinned it when it received the signature (`space.account_name`)
 */
export const signedAs = (typed: string | null, account: string | null | undefined): SignatureName => ({
  typed: oneLine(typed ?? ''),
  account: oneLine(account ?? '') || null,
});
