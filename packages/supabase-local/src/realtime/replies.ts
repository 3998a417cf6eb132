/** What a client is answered. */
export type Reply = { status: 'ok' | 'error'; response: Record<string, unknown> };

export const ENDED = 'Unauthorized: the rights on this topic have ended';
export const NO_READ = 'Unauthorized: You do not have permissions to read from this Channel topic';
export const NO_WRITE = 'Unauthorized: You do not have permissions to write to this Channel topic';
export const PRIVATE_ONLY = 'PrivateOnly: This project only allows private channels';
export const TOO_MANY_SOCKETS = 'ConnectionRateLimitReached: Too many connected users';

export const ok = (response: Record<string, unknown> = {}): Reply => ({ status: 'ok', response });
export const refused = (reason: string): Reply => ({ status: 'error', response: { reason } });
