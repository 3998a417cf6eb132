import type { SupabaseClient } from '@supabase/supabase-js';
import { kindOf } from './error-class.ts';
import {
  BackendError,
  type Backend,
  type Digest,
  type FilePart,
  type SubmissionAnswer,
  type Mutation,
  type PullRequest,
  type PushAnswer,
  type ReceiptAnswer,
  type RepairAnswer,
  type Upload,
} from './backend.ts';
import { askDirectly, type DirectLine, type SignedLine } from './direct-line.ts';
import { pageText } from './page-line.ts';
import { withPacked, type PackedAnswer } from './packed-rows.ts';
import { resumableUpload } from './resumable-upload.ts';
import { authorizationOf, tokenOf, type Caller } from './whose-token.ts';

const BUCKET = 'media';
/** Events flow only 1-3 s after a channel says it is subscribed: pull then, and once more. */
export const PULL_AGAIN_AFTER = 5000;

/** Names the call and the server's code; never what was sent. */
const failure = (call: string, status: number, code: string) =>
  new BackendError(kindOf(status, code), `${call}: ${status} ${code}`.trim(), code || null);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

async function call<A>(caller: Caller, name: string, args: object, signal: AbortSignal): Promise<A> {
  const signed = await authorizationOf(caller);
  const request = caller.client.rpc(name, args).abortSignal(signal);
  for (const [header, value] of Object.entries(signed)) request.setHeader(header, value);
  const { data, error, status } = await request;
  if (error) throw failure(name, status, error.code ?? '');
  // A captive portal answers 200 with a page of its own.
  if (!isObject(data)) throw new BackendError('network', `${name}: the answer is not JSON of ours`);
  return data as A;
}

type StorageFailure = { status?: number | undefined; statusCode?: string | number | undefined };

function storageFailure(step: string, error: StorageFailure): BackendError {
  const named = Number(error.statusCode);
  const status = Number.isFinite(named) && named > 0 ? named : (error.status ?? 0);
  return failure(step, status, String(error.statusCode ?? ''));
}

const isThere = (error: StorageFailure): boolean =>
  Number(error.statusCode) === 409 || error.status === 409 || error.statusCode === 'Duplicate';

/** The code of a function's own answer; empty for what is none. */
async function codeIn(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  return isObject(body) && typeof body['code'] === 'string' ? body['code'] : '';
}

async function confirm(caller: Caller, id: string, signal: AbortSignal) {
  const headers = await authorizationOf(caller);
  const { data, error, response } = await caller.client.functions.invoke('media/confirm', {
    body: { id },
    headers,
    signal,
  });
  if (!error) {
    if (isObject(data) && typeof data['sha256'] === 'string')
      return { sha256: data['sha256'], bytes: Number(data['bytes']) };
    throw new BackendError('network', 'media/confirm: the answer is not JSON of ours');
  }
  const status = response?.status ?? 0;
  const code = response ? await codeIn(response) : '';
  if (code === 'hash_mismatch') throw new BackendError('mismatch', `media/confirm: ${id} differs`, code);
  // What stored it was not the backend, or the object was removed since: it goes up again.
  if (code === 'not_uploaded') throw new BackendError('busy', `media/confirm: ${id} is not stored`, code);
  throw failure('media/confirm', status, code);
}

function listen(client: SupabaseClient, scopes: string[], listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = new Set<string>();
  const subscribed = (scope: string) => {
    heard.add(scope);
    listener();
    clearTimeout(timer);
    timer = setTimeout(listener, PULL_AGAIN_AFTER);
  };
  // The socket broke: a pull tells whether the server is still there. Once for each time it was heard: a server that refuses to be
  // listened to is not asked again and again.
  const lost = (scope: string) => heard.delete(scope) && listener();
  const channels = scopes.map(scope =>
    client
      .channel(`scope:${scope}`, { config: { private: true } })
      .on('broadcast', { event: 'changed' }, listener)
      .subscribe((status: string) => {
        if (status === 'SUBSCRIBED') subscribed(scope);
        else if (status !== 'CLOSED') lost(scope);
      }),
  );
  return () => {
    clearTimeout(timer);
    for (const channel of channels) void client.removeChannel(channel);
  };
}

type QueueCall = 'submit_orphaned_edits' | 'submit_edits_on_behalf';

async function submitToQueue(caller: Caller, name: QueueCall, work: object, signal: AbortSignal) {
  const answer = await call<SubmissionAnswer>(caller, name, work, signal);
  if (!Array.isArray(answer.refused)) throw new BackendError('network', `${name}: no answer of ours`);
  return answer;
}

function reviewQueueCalls(caller: Caller): Pick<Backend, 'submitOrphanedEdits' | 'submitOnBehalf'> {
  const work = (p_organization: string, p_device: string, p_mutations: Mutation[]) => ({
    p_organization,
    p_device,
    p_mutations,
  });
  return {
    submitOrphanedEdits: (organizationId, device, mutations, signal) =>
      submitToQueue(caller, 'submit_orphaned_edits', work(organizationId, device, mutations), signal),
    submitOnBehalf: ({ organizationId, author, device, mutations }, signal) => {
      const args = { ...work(organizationId, device, mutations), p_author: author };
      return submitToQueue(caller, 'submit_edits_on_behalf', args, signal);
    },
  };
}

/** By which a device looks after its copy. */
const upkeepCalls = (caller: Caller): Pick<Backend, 'digest' | 'repair' | 'missing'> => ({
  digest: (tables, signal) => call<Digest>(caller, 'sync_digest', { p_tables: tables }, signal),
  repair: ({ scope, table, sums, device, limit }, signal) => {
    const args = { p_scope: scope, p_table: table, p_sums: sums, p_device: device, p_limit: limit };
    return call<RepairAnswer>(caller, 'sync_repair', args, signal);
  },
  async missing(mids, signal) {
    const answer = await call<string[]>(caller, 'sync_missing', { p_mids: mids }, signal);
    if (!Array.isArray(answer)) throw new BackendError('network', 'sync_missing: no answer of ours');
    return answer;
  },
});

const pullArguments = ({ cursors, device, limit }: PullRequest) => ({
  p_cursors: cursors,
  p_device: device,
  p_limit: limit,
  p_packed: true,
  p_snapshots: true,
  p_constant: true,
});

/** A page of changes, told of as it comes. */
async function pageThrough(line: SignedLine, request: PullRequest, signal: AbortSignal): Promise<PackedAnswer> {
  const name = 'sync_pull';
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'content-profile': 'public' };
  const body = JSON.stringify(pullArguments(request));
  const response = await askDirectly(line, name, `/rest/v1/rpc/${name}`, { method: 'POST', headers, body, signal });
  if (!response.ok) throw failure(name, response.status, await codeIn(response));
  try {
    const page: unknown = JSON.parse(await pageText(response, request));
    if (isObject(page)) return page as PackedAnswer;
  } catch (cause) {
    signal.throwIfAborted();
    throw Object.assign(new BackendError('network', `${name}: the answer broke off`), { cause });
  }
  throw new BackendError('network', `${name}: the answer is not JSON of ours`);
}

/** Smaller files go in one request: the two that ask before the first byte would take as long as the bytes. */
const RESUMABLE_FROM_BYTES = 128 * 1024;

/** Bytes as they are: a Blob would travel as a form, whose nameless field the local server does not find. */
async function uploadAtOnce(caller: Caller, file: Upload): Promise<void> {
  const path = `${file.organizationId}/${file.id}`;
  const options = { contentType: file.mime, upsert: false, headers: await authorizationOf(caller) };
  const { error } = await caller.client.storage.from(BUCKET).upload(path, file.bytes, options);
  if (error && !isThere(error)) throw storageFailure('upload', error);
}

async function partOf(part: FilePart, line: SignedLine, signal: AbortSignal): Promise<ArrayBuffer> {
  const { organizationId, mediaId, offset, length } = part;
  const path = `/storage/v1/object/${BUCKET}/${organizationId}/${mediaId}`;
  const headers = { range: `bytes=${offset}-${offset + length - 1}` };
  const answer = await askDirectly(line, 'download', path, { headers, cache: 'no-store', signal });
  if (!answer.ok) throw failure('download', answer.status, String(answer.status));
  // A whole file in answer to a part, or somebody else's page: neither is what was asked for.
  const isPart = answer.headers.get('content-range')?.startsWith(`bytes ${offset}-`) === true;
  if (answer.status !== 206 || !isPart) throw new BackendError('network', 'download: the answer is no part of a file');
  return answer.arrayBuffer();
}

type FileCalls = Pick<Backend, 'upload' | 'confirmUpload' | 'download' | 'downloadPart'>;

const fileCalls = (caller: Caller, line?: SignedLine): FileCalls => ({
  async upload(file, onProgress, signal) {
    signal.throwIfAborted();
    onProgress(file.resume?.at?.offset ?? 0);
    if (line && file.bytes.byteLength > RESUMABLE_FROM_BYTES) {
      await resumableUpload({ file, line, signal, onSent: onProgress });
    } else await uploadAtOnce(caller, file);
    onProgress(file.bytes.byteLength);
  },
  confirmUpload: (mediaId, signal) => confirm(caller, mediaId, signal),
  async download(organizationId, mediaId, signal) {
    await authorizationOf(caller);
    signal.throwIfAborted();
    const { data, error } = await caller.client.storage.from(BUCKET).download(`${organizationId}/${mediaId}`);
    if (error) throw storageFailure('download', error);
    return data.arrayBuffer();
  },
  async downloadPart(part, signal) {
    if (!line) throw new Error('downloadPart: this backend was opened without a line of its own');
    return partOf(part, line, signal);
  },
});

/**
 * The wire of docs/sync-protocol.md through the official client, which must ask through `onlyOurAnswers`.
 *
 * @param direct without it every file goes in one request, and a page of changes is heard of when all of it is here
 * @param owner whose work goes through it: a call with anybody else's token fails with `auth`. Without it any token will do
 */
export function supabaseBackend(client: SupabaseClient, direct?: DirectLine, owner?: string): Backend {
  const caller: Caller = { client, owner };
  const line = direct && { ...direct, token: () => tokenOf(caller) };
  return {
    ...upkeepCalls(caller),
    async pull(request, signal) {
      if (line) return withPacked(await pageThrough(line, request, signal));
      return withPacked(await call<PackedAnswer>(caller, 'sync_pull', pullArguments(request), signal));
    },
    async push(device, mutations, signal) {
      const answer = await call<PushAnswer>(caller, 'sync_push', { p_device: device, p_mutations: mutations }, signal);
      if (!Array.isArray(answer.results)) throw new BackendError('network', 'sync_push: the answer has no results');
      return answer;
    },
    ...reviewQueueCalls(caller),
    async receipt({ id, device, mids, deviceAt }, signal) {
      const args = { p_id: id, p_device: device, p_mids: mids, p_device_at: deviceAt };
      const answer = await call<ReceiptAnswer>(caller, 'sync_receipt', args, signal);
      if (typeof answer.complete !== 'boolean') throw new BackendError('network', 'sync_receipt: no answer of ours');
      return answer;
    },
    ...fileCalls(caller, line),
    onNudge: (scopes, listener) => listen(client, scopes, listener),
  };
}
