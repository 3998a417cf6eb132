/**
 * What should not have happened and was put right, or could not be. `rows_repaired`, `rows_differ`: the digest found
 * records unlike the server's; `server_restored`: acknowledged edits the server had lost; `restarted`: sending stood still;
 * `set_aside`: sending one entry ended this app again and again.
 */
export const FAULT_CODES = ['rows_repaired', 'rows_differ', 'server_restored', 'restarted', 'set_aside'] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

/** `at` in ms since 1970; `count` of records or edits. Names nothing of what they say. */
export type Fault = { code: FaultCode; count: number; at: number };
