/** Whoever holds it speaks with the server for this person, of all tabs of the device. */
export const leadLock = (database: string, owner: string): string => `sync:${database}:${owner}`;
