/** Amounts are added in millionths: 0.1 + 0.2 is 0.3, and what was added goes away again whole. */
const MILLION = 1_000_000;

/** An amount in whole millionths; nothing written is none. */
export const millionths = (amount: number | null): number => Math.round((amount ?? 0) * MILLION);
