import { isBottomless } from '../limits/json-bounds.ts';

/** One message of the Phoenix channel protocol as realtime-js speaks it, whichever version it came in. */
export type Message = {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: Record<string, unknown>;
};

export type Version = 1 | 2;

const BROADCAST_PUSH = 3;
const BROADCAST = 4;
const BYTES_ENCODING = 0;
const JSON_ENCODING = 1;
const HEADER_BYTES = 7;
/** Letters of a topic, an event or a reference: each is kept for as long as its channel is joined. */
const MAX_NAME_LENGTH = 255;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function message(parts: unknown[]): Message | null {
  const [joinRef, ref, topic, event, payload] = parts;
  if (typeof topic !== 'string' || typeof event !== 'string') return null;
  if ([joinRef, ref, topic, event].some(part => typeof part === 'string' && part.length > MAX_NAME_LENGTH)) return null;
  const body = isRecord(payload) ? payload : {};
  return { joinRef: textOrNull(joinRef), ref: textOrNull(ref), topic, event, payload: body };
}

/** Null for what is no JSON, or nested too deeply to be read. */
export function parseJson(json: Buffer): unknown {
  if (isBottomless(json)) return null;
  try {
    return JSON.parse(json.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function decodeText(frame: Buffer): Message | null {
  const parsed = parseJson(frame);
  if (Array.isArray(parsed)) return message(parsed);
  if (!isRecord(parsed)) return null;
  return message([parsed['join_ref'], parsed['ref'], parsed['topic'], parsed['event'], parsed['payload']]);
}

/** Version 2 sends a broadcast as: kind, five lengths, encoding, then join ref, ref, topic, event, metadata, payload. */
function decodeBroadcast(frame: Buffer): Message | null {
  if (frame.length < HEADER_BYTES || frame[0] !== BROADCAST_PUSH) return null;
  const lengths = [...frame.subarray(1, 6)];
  let at = HEADER_BYTES;
  const [joinRef, ref, topic, event] = lengths.map(length => frame.toString('utf8', at, (at += length)));
  if (at > frame.length || !topic || !event) return null;
  const isBytes = frame[6] === BYTES_ENCODING;
  if (!isBytes && frame[6] !== JSON_ENCODING) return null;
  const payload = isBytes ? frame.subarray(at) : parseJson(frame.subarray(at));
  return message([joinRef || null, ref || null, topic, 'broadcast', { type: 'broadcast', event, payload }]);
}

/** @returns null for what is no message of the protocol */
export const decode = (frame: Buffer, isBinary: boolean): Message | null =>
  isBinary ? decodeBroadcast(frame) : decodeText(frame);

/** Version 2 carries raw bytes as: kind, lengths of topic, event and metadata, encoding, then topic, event, bytes. */
function encodeBytes(topic: string, event: string, bytes: Uint8Array): Buffer | null {
  const [place, name] = [Buffer.from(topic), Buffer.from(event)];
  // One byte says how long each is.
  if (place.length > MAX_NAME_LENGTH || name.length > MAX_NAME_LENGTH) return null;
  return Buffer.concat([Buffer.from([BROADCAST, place.length, name.length, 0, BYTES_ENCODING]), place, name, bytes]);
}

/** @returns null for raw bytes to a client of version 1, which cannot be told them */
export function encode(version: Version, { joinRef, ref, topic, event, payload }: Message): string | Buffer | null {
  const { payload: bytes, event: name } = payload;
  if (event === 'broadcast' && bytes instanceof Uint8Array)
    return version === 2 && typeof name === 'string' ? encodeBytes(topic, name, bytes) : null;
  if (version === 2) return JSON.stringify([joinRef, ref, topic, event, payload]);
  return JSON.stringify({ join_ref: joinRef, ref, topic, event, payload });
}
