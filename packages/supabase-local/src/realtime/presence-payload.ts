import { isRecord } from './phoenix.ts';

type Payload = Record<string, unknown>;

/** Bytes of what one says of oneself: each newcomer is told all of it. */
const MAX_PRESENCE_BYTES = 1024;
/** What people say of themselves at a record (decision 16); nothing else of it is passed on. */
const NEAR = 'near:';
/** How the protocol tells one word of somebody from the next: the server's to give. */
const RESERVED = new Set(['phx_ref', 'phx_ref_prev']);

/** @returns why it is not taken, in Supabase's words; null where it is */
export function presenceFault(payload: unknown): string | null {
  if (payload !== undefined && !isRecord(payload)) return 'Presence track payload must be a map';
  const bytes = Buffer.byteLength(JSON.stringify(payload ?? {}));
  return bytes > MAX_PRESENCE_BYTES ? 'PayloadSizeTooLarge: Track message size exceeded' : null;
}

/** What the others on a topic are told of somebody: its known members. `topic`: without `realtime:` */
export function presenceOn(topic: string, payload: unknown): Payload {
  if (!isRecord(payload)) return {};
  if (topic.startsWith(NEAR)) return { writes: payload['writes'] === true };
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !RESERVED.has(name)));
}
