/** What a client is answered. */
export type Reply = { status: 'ok' | 'error'; response: Record<string, unknown> };

export const ENDED = 'Unauthorized: the rights on this topic have ended';

export const ok = (response: Record<string, unknown> = {}): Reply => ({ status: 'ok', response });
export const refused = (reason: string): Reply => ({ status: 'error', response: { reason } });
