import { createHash } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { BEGINNING_BYTES, beginsAs, beginsAsPicture, isPictureType } from '@cairn/base/file-beginning.ts';
import { documentProblem } from '@cairn/core/media/document-check.ts';
import { MAX_DOCUMENT_BYTES } from '@cairn/core/media/document-kind.ts';
import { asCaller, asServer, type BackendAccess, type DocumentCheck } from '../backend-access.ts';

type MediaRow = {
  id: string;
  organization_id: string;
  kind: 'photo' | 'file';
  mime: string;
  sha256: string;
  bytes: number;
  /** `in_review_queue`: handed over, and accepted by nobody yet. */
  state: string;
  audience: string | null;
  /** What is stored for a file in the review queue. */
  object?: string | null;
};

type Facts = { sha256: string; bytes: number };
/** `whole`: all of it, where it is looked at as a document. */
type StoredFile = Facts & { beginning: Uint8Array; whole: Uint8Array<ArrayBuffer> | null };

const BUCKET = 'media';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const refuse = (c: Context, status: 400 | 401 | 404 | 409 | 415 | 502 | 503, code: string, message: string) =>
  c.json({ code, message }, status);

async function idIn(request: Request): Promise<string | null> {
  const body: unknown = await request.json().catch(() => null);
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' && UUID.test(id) ? id : null;
}

/** What is brought for a policy is opened by everybody: all of it is looked at, not how it begins. */
const isDocument = ({ audience, bytes }: MediaRow): boolean =>
  audience === 'policy.approve' && bytes <= MAX_DOCUMENT_BYTES;

const pathOf = (row: MediaRow) => `${row.organization_id}/${row.id}`;

/** Reads the stored object once, piece by piece; null when nothing was uploaded. */
async function hashStored(access: BackendAccess, row: MediaRow): Promise<StoredFile | null> {
  const { data, error } = await asServer(access).storage.from(BUCKET).download(pathOf(row)).asStream();
  if (error) return null;
  const sum = createHash('sha256');
  const beginning = new Uint8Array(BEGINNING_BYTES);
  // More than was announced is not kept: it fails its hash in any case.
  const whole = isDocument(row) ? new Uint8Array(row.bytes) : null;
  let bytes = 0;
  const reader = data.getReader();
  for (let result = await reader.read(); !result.done; result = await reader.read()) {
    const chunk: Uint8Array = result.value;
    sum.update(chunk);
    if (bytes < BEGINNING_BYTES) beginning.set(chunk.subarray(0, BEGINNING_BYTES - bytes), bytes);
    if (whole && bytes < whole.length) whole.set(chunk.subarray(0, whole.length - bytes), bytes);
    bytes += chunk.byteLength;
  }
  return { sha256: sum.digest('hex'), bytes, beginning: beginning.subarray(0, bytes), whole };
}

/** A photo is a picture by its bytes and of a type that pictures have, whichever; a file begins as its type says, and a document is one throughout. */
async function isOfItsKind(
  { kind, mime }: MediaRow,
  { beginning, whole }: StoredFile,
  check: DocumentCheck,
): Promise<boolean> {
  if (whole) return (await check(whole, mime)) === null;
  if (kind === 'photo') return isPictureType(mime) && beginsAsPicture(beginning);
  return beginsAs(mime, beginning);
}

type FileVerdict = { facts: Facts; isRecorded: boolean; isFit: boolean };

/** Reads what is stored and compares it with what was recorded; null when nothing was uploaded. */
async function judge(access: BackendAccess, row: MediaRow, check: DocumentCheck): Promise<FileVerdict | null> {
  const stored = await hashStored(access, row);
  if (!stored) return null;
  const facts = { sha256: stored.sha256, bytes: stored.bytes };
  const isRecorded = facts.sha256 === row.sha256 && facts.bytes === row.bytes;
  return { facts, isRecorded, isFit: isRecorded && (await isOfItsKind(row, stored, check)) };
}

/** A document is held whole: it is read when its turn comes, not before. */
async function judgedInTurn(c: Context, access: BackendAccess, row: MediaRow): Promise<FileVerdict | null | 'busy'> {
  if (!access.documents || !isDocument(row)) return judge(access, row, documentProblem);
  return access.documents(row.organization_id, c.req.raw.signal, check => judge(access, row, check));
}

function refuseBusy(c: Context): Response {
  c.header('Retry-After', '5');
  return refuse(c, 503, 'busy', 'Other documents are being looked at. Ask again in a moment');
}

/** Which object lies there for a file, null when nothing was uploaded; or that the database did not answer. */
async function objectOf(access: BackendAccess, row: MediaRow): Promise<{ id: string | null } | 'unavailable'> {
  const { id, object } = row;
  if (object !== undefined) return { id: object };
  const { data, error } = await asServer(access).rpc('media_object', { p_id: id });
  return error ? 'unavailable' : { id: data };
}

/**
 * Removes what was read and is not the file, unless it is not what lies there any more: whoever else found it wrong made
 * place for the right bytes.
 */
async function remove(access: BackendAccess, row: MediaRow, object: string): Promise<void> {
  const server = asServer(access);
  const { data: mayRemove } = await server.rpc('media_may_remove', { p_id: row.id, p_object: object });
  if (mayRemove === true) await server.storage.from(BUCKET).remove([pathOf(row)]);
}

/**
 * Notes that what lies there is the file: it is complete, or in the review queue will be with the acceptance of its work.
 *
 * @returns what the file is now; null where the database did not answer
 */
async function noted(access: BackendAccess, { id, state }: MediaRow, object: string, { sha256, bytes }: Facts) {
  const facts = { p_id: id, p_sha256: sha256, p_bytes: bytes };
  if (state === 'in_review_queue') {
    const { data, error } = await asServer(access).rpc('media_checked', { ...facts, p_object: object });
    return error ? null : String(data);
  }
  const { error } = await asServer(access).rpc('media_complete', facts);
  return error ? null : 'complete';
}

type ReadFailure = 'signed_out' | 'unavailable';
type Answer = { data: MediaRow | null; error: unknown; status: number };

function rowOf({ data, error, status }: Answer): MediaRow | null | ReadFailure {
  if (!error) return data;
  return status === 401 || status === 403 ? 'signed_out' : 'unavailable';
}

/**
 * The row as the caller may see it, or what is recorded of a file they sent without seeing its row (of handed-over work);
 * or why it was not read: nobody who is signed in asks, or the database did not answer.
 */
async function readRow(
  access: BackendAccess,
  authorization: string,
  id: string,
): Promise<MediaRow | null | ReadFailure> {
  const caller = asCaller(access, authorization);
  const query = caller.from('media').select('id, organization_id, kind, mime, sha256, bytes, state, audience');
  const row = rowOf(await query.eq('id', id).maybeSingle<MediaRow>());
  return row ?? rowOf(await caller.rpc('my_sent_file', { p_id: id }));
}

async function confirm(c: Context, access: BackendAccess): Promise<Response> {
  const authorization = c.req.header('Authorization');
  // A key of the API is nobody's session.
  if (!authorization || /^(Bearer\s+)?sb_/i.test(authorization)) return refuse(c, 401, 'signed_out', 'Sign in first');
  const id = await idIn(c.req.raw);
  if (!id) return refuse(c, 400, 'invalid', 'The body must be {"id": "<uuid>"}');
  const row = await readRow(access, authorization, id);
  if (row === 'signed_out') return refuse(c, 401, 'signed_out', 'Sign in first');
  if (row === 'unavailable') return refuse(c, 502, 'unavailable', 'The database did not answer');
  if (!row) return refuse(c, 404, 'not_found', 'There is no such file, or you may not see it');
  if (row.state === 'complete') return c.json({ id, state: 'complete', sha256: row.sha256, bytes: row.bytes });

  // Before it is read: what comes there later has another id.
  const object = await objectOf(access, row);
  if (object === 'unavailable') return refuse(c, 502, 'unavailable', 'The database did not answer');
  const judged = object.id === null ? null : await judgedInTurn(c, access, row);
  if (judged === 'busy') return refuseBusy(c);
  if (object.id === null || !judged) return refuse(c, 404, 'not_uploaded', 'Nothing is stored for this file yet');
  const { facts, isRecorded, isFit } = judged;
  if (!isFit) await remove(access, row, object.id);
  if (!isRecorded) return refuse(c, 409, 'hash_mismatch', 'What is stored is not the file that was recorded');
  if (!isFit) return refuse(c, 415, 'wrong_type', 'What is stored is not of the recorded type');
  const state = await noted(access, row, object.id, facts);
  if (state === null) return refuse(c, 502, 'unavailable', 'The database did not answer');
  return c.json({ id, state, ...facts });
}

/**
 * `POST /media/confirm {"id"}`: hashes what is stored and marks the file complete when it is what the device recorded,
 * a picture where it says so
 * (docs/sync-protocol.md, Files). A file of handed-over work that nobody accepted yet is hashed, and complete with its acceptance (`in_review_queue`).
 * The device frees its bytes only after that answer.
 */
export const mediaRoutes = (access: BackendAccess): Hono => new Hono().post('/confirm', c => confirm(c, access));
