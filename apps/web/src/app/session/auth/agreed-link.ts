const KEY = 'cairn.agreedLink';

/** Whoever presses "sign in" or "create an account" on an invitation agrees to it; in this tab, for this link only. */
export const agreeToLink = (token: string): void => sessionStorage.setItem(KEY, token);

/** Whether this link was agreed to. */
export const hasAgreedToLink = (token: string): boolean => sessionStorage.getItem(KEY) === token;

export const forgetAgreedLink = (): void => sessionStorage.removeItem(KEY);
