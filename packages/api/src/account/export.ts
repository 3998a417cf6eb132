import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Context } from 'hono';
import { claimsOf } from '@cairn/base/token-claims.ts';
import { asCaller, type BackendAccess } from '../backend-access.ts';
import { NoAnswerError } from '../no-answer-error.ts';
import { yieldToOthers } from '../yield-to-others.ts';
import { IndentedJson } from './indented-json.ts';

type File = { id: string; organization_id: string; mime: string; bytes: number };

const BUCKET = 'media';
/** Bytes of rows, about: how many they are is known once they are made, and nobody makes them before somebody reads. */
const ROW_BYTES = 64 * 1024;
/** Bytes of rows that are packed in one go: some milliseconds, in which nobody else is answered. */
const SLICE = 32 * 1024;
/** Rows of a page; backends answer at most 1000 at once. */
const PAGE = 500;
/** Names by kind of file, so that a double click opens it. */
const ENDINGS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'audio/webm': 'webm',
  'audio/mp4': 'm4a',
  'video/mp4': 'mp4',
};

/** One person's export as it is asked for. */
type ExportRequest = { access: BackendAccess; authorization: string; caller: SupabaseClient; id: string };

/** Where the next page begins, as the database names it. */
type ExportPosition = { table: string; shared: boolean; key: string };
type Page = { tables: Record<string, unknown[]>; next: ExportPosition | null; account?: unknown; receipts?: unknown };

/** @throws {NoAnswerError} by the database */
async function ask(
  { access, authorization }: ExportRequest,
  after: ExportPosition | null,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const { url, publishableKey: apikey, fetch: send = fetch } = access;
  const headers = { apikey, authorization, 'content-type': 'application/json' };
  const body = JSON.stringify(after === null ? {} : { p_after: after });
  const answer = await send(`${url}/rest/v1/rpc/export_person`, { method: 'POST', headers, body });
  if (!answer.ok || !answer.body) throw new NoAnswerError('export_person', answer.status);
  return answer.body.getReader();
}

/** A page of the rows, some half a megabyte. Whoever asked may go away at any piece of it. @throws {NoAnswerError} by the database */
async function* pageOf(asked: ExportRequest, after: ExportPosition | null): AsyncGenerator<undefined, Page> {
  const reader = await ask(asked, after);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += decoder.decode(next.value, { stream: true });
      await yieldToOthers();
      yield undefined;
    }
  } finally {
    await reader.cancel();
  }
  return JSON.parse(text + decoder.decode()) as Page;
}

/** The files this person brought, as far as they may see them now, a page at a time. @throws {NoAnswerError} by the database */
async function* filesOf(caller: SupabaseClient, person: string): AsyncGenerator<File> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { data, error, status } = await caller
      .from('media')
      .select('id, organization_id, mime, bytes')
      .eq('captured_by', person)
      .eq('state', 'complete')
      .gt('id', after)
      .order('id')
      .limit(PAGE)
      .returns<File[]>();
    if (error) throw new NoAnswerError('media', status);
    yield* data;
    const last = data.at(-1);
    if (!last || data.length < PAGE) return;
    after = last.id;
  }
}

const nameOf = ({ id, mime }: File): string => `files/${id}.${ENDINGS[mime] ?? 'bin'}`;

/** Adds a file piece by piece, as it is read; null is an empty one. Photos are compressed already: they go in as they are. */
async function* pack(zip: Zip, name: string, bytes: ReadableStream<Uint8Array> | null): AsyncGenerator<void> {
  const part = new ZipPassThrough(name);
  zip.add(part);
  const reader = bytes?.getReader();
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      part.push(next.value);
      yield;
    }
    part.push(new Uint8Array(), true);
  } finally {
    // Whoever asked may have gone away in the middle of it.
    await reader?.cancel();
  }
}

function packText(zip: Zip, name: string, content: unknown): void {
  const part = new ZipDeflate(name, { level: 6 });
  zip.add(part);
  part.push(strToU8(JSON.stringify(content, null, 2)), true);
}

/** The text of the rows, page by page: tables follow each other by name, and one may go on in the next page. Undefined: more is on its way. */
async function* textOf(asked: ExportRequest): AsyncGenerator<string | undefined> {
  let table: string | null = null;
  let after: ExportPosition | null = null;
  do {
    const page: Page = yield* pageOf(asked, after);
    if (after === null) {
      const { account, receipts } = page;
      const head = JSON.stringify({ exported_at: new Date().toISOString(), account, receipts });
      yield `${head.slice(0, -1)},"tables":{`;
    }
    for (const name of Object.keys(page.tables).toSorted()) {
      const rows = page.tables[name] ?? [];
      const begin = name === table ? ',' : `${table === null ? '' : '],'}${JSON.stringify(name)}:[`;
      yield begin + rows.map(row => JSON.stringify(row)).join(',');
      table = name;
    }
    after = page.next;
  } while (after !== null);
  yield table === null ? '}}' : ']}}';
}

/** Asks for the rows and packs them piece by piece, with the instant as the first member. */
async function* packRows(zip: Zip, asked: ExportRequest): AsyncGenerator<void> {
  const part = new ZipDeflate('about-me.json', { level: 6 });
  const text = new IndentedJson();
  let isAdded = false;
  for await (const piece of textOf(asked)) {
    if (piece === undefined) {
      yield;
      continue;
    }
    if (!isAdded) zip.add(part);
    isAdded = true;
    const bytes = strToU8(piece);
    for (let at = 0; at < bytes.byteLength; at += SLICE) {
      part.push(text.write(bytes.subarray(at, at + SLICE)));
      await yieldToOthers();
      yield;
    }
  }
  part.push(new Uint8Array(), true);
}

/** The parts of the archive, one after the other; a file that cannot be read is named in `missing.json`. */
async function* write(zip: Zip, asked: ExportRequest): AsyncGenerator<void> {
  const { caller, id } = asked;
  yield* packRows(zip, asked);
  const missing: string[] = [];
  for await (const file of filesOf(caller, id)) {
    const path = `${file.organization_id}/${file.id}`;
    const { data, error } = await caller.storage.from(BUCKET).download(path).asStream();
    if (error) missing.push(nameOf(file));
    else yield* pack(zip, nameOf(file), data);
  }
  if (missing.length > 0) packText(zip, 'missing.json', missing);
  zip.end();
}

/** The archive as it is made: nothing is asked for before the receiver wants it, and of a file there is a piece in memory at a time. */
function archive(asked: ExportRequest): ReadableStream<Uint8Array> {
  const state: { made: Uint8Array[]; failure: Error | null; isWhole: boolean } = {
    made: [],
    failure: null,
    isWhole: false,
  };
  const zip = new Zip((error, chunk, final) => {
    if (error) state.failure = error;
    else if (chunk.length > 0) state.made.push(chunk);
    state.isWhole = final;
  });
  const steps = write(zip, asked);
  return new ReadableStream<Uint8Array>(
    {
      async pull(receiver) {
        while (state.made.length === 0 && !state.isWhole && !state.failure) {
          const { done } = await steps.next();
          // Whoever asked went away in the middle of a step: nothing is made any more, however often it is asked for.
          if (done && !state.isWhole) return undefined;
        }
        if (state.failure) return receiver.error(state.failure);
        for (const chunk of state.made.splice(0)) receiver.enqueue(chunk);
        if (state.isWhole) receiver.close();
        return undefined;
      },
      async cancel() {
        await steps.return(undefined);
      },
    },
    // Nothing is made before it is asked for.
    { highWaterMark: 0 },
  );
}

/** Whose token it is, by its own word: what is asked for with it is asked of the database. Null for what is none, as a key of the API. */
function personOf(authorization: string): string | null {
  const [, token] = /^Bearer\s+([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization) ?? [];
  const sub = token === undefined ? null : claimsOf(token)?.['sub'];
  return typeof sub === 'string' ? sub : null;
}

const signedOut = (c: Context): Response => c.json({ code: 'signed_out', message: 'Sign in first' }, 401);

/** About how large it will be. @throws {NoAnswerError} by the database */
async function sizeOf({ caller, id }: ExportRequest): Promise<number> {
  let sum = ROW_BYTES;
  for await (const { bytes } of filesOf(caller, id)) sum += bytes;
  return sum;
}

/**
 * `GET /account/export`: everything about the caller as one zip: `about-me.json` (their rows by table) and `files/`.
 * The header `x-cairn-bytes` says about how large it will be, and that nothing of it is made before somebody reads.
 */
export async function exportPerson(c: Context, access: BackendAccess): Promise<Response> {
  const authorization = c.req.header('Authorization') ?? '';
  const id = personOf(authorization);
  if (id === null) return signedOut(c);
  const asked = { access, authorization, caller: asCaller(access, authorization), id };
  try {
    const bytes = await sizeOf(asked);
    return new Response(archive(asked), {
      headers: {
        // Not application/zip: the official client hands out the bytes of this type only.
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': 'attachment; filename="cairn-export.zip"',
        'Cache-Control': 'no-store',
        'X-Cairn-Bytes': String(bytes),
      },
    });
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    if (error.status === 401 || error.status === 403) return signedOut(c);
    return c.json({ code: 'unavailable', message: 'The database did not answer' }, 502);
  }
}
