import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Context } from 'hono';
import { asCaller, type BackendAccess } from '../backend-access.ts';

type Person = { account: { id: string; email: string }; tables: Record<string, unknown[]> };
type File = { id: string; organization_id: string; mime: string; bytes: number };

const BUCKET = 'media';
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

class NoAnswerError extends Error {
  override name = 'NoAnswerError';
}

/** The files this person brought, as far as they may see them now, a page at a time. @throws {NoAnswerError} by the database */
async function* filesOf(caller: SupabaseClient, person: string): AsyncGenerator<File> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { data, error } = await caller
      .from('media')
      .select('id, organization_id, mime, bytes')
      .eq('captured_by', person)
      .eq('state', 'complete')
      .gt('id', after)
      .order('id')
      .limit(PAGE)
      .returns<File[]>();
    if (error) throw new NoAnswerError(error.message);
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

/** The parts of the archive, one after the other; a file that cannot be read is named in `missing.json`. */
async function* write(zip: Zip, caller: SupabaseClient, person: Person): AsyncGenerator<void> {
  packText(zip, 'about-me.json', { ...person, exported_at: new Date().toISOString() });
  yield;
  const missing: string[] = [];
  for await (const file of filesOf(caller, person.account.id)) {
    const path = `${file.organization_id}/${file.id}`;
    const { data, error } = await caller.storage.from(BUCKET).download(path).asStream();
    if (error) missing.push(nameOf(file));
    else yield* pack(zip, nameOf(file), data);
  }
  if (missing.length > 0) packText(zip, 'missing.json', missing);
  zip.end();
}

/** The archive as it is made: a piece of a file in memory at a time, none read before the receiver has room. */
function archive(caller: SupabaseClient, person: Person): ReadableStream<Uint8Array> {
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
  const steps = write(zip, caller, person);
  return new ReadableStream<Uint8Array>(
    {
      async pull(receiver) {
        while (state.made.length === 0 && !state.isWhole && !state.failure) await steps.next();
        if (state.failure) return receiver.error(state.failure);
        for (const chunk of state.made.splice(0)) receiver.enqueue(chunk);
        if (state.isWhole) receiver.close();
      },
      async cancel() {
        await steps.return(undefined);
      },
    },
    // Nothing is made before it is asked for.
    { highWaterMark: 0 },
  );
}

/** About how large it will be; null when the database did not answer. */
async function sizeOf(caller: SupabaseClient, person: Person): Promise<number | null> {
  let sum = JSON.stringify(person).length / 4;
  try {
    for await (const { bytes } of filesOf(caller, person.account.id)) sum += bytes;
  } catch (error) {
    if (error instanceof NoAnswerError) return null;
    throw error;
  }
  return Math.round(sum);
}

/**
 * `GET /account/export`: everything about the caller as one zip: `about-me.json` (their rows by table) and `files/`.
 * The header `x-cairn-bytes` says about how large it will be.
 */
export async function exportPerson(c: Context, access: BackendAccess): Promise<Response> {
  const authorization = c.req.header('Authorization');
  if (!authorization) return c.json({ code: 'signed_out', message: 'Sign in first' }, 401);
  const caller = asCaller(access, authorization);
  const { data, error, status } = await caller.rpc('export_person');
  if (error && (status === 401 || error.code === '42501'))
    return c.json({ code: 'signed_out', message: 'Sign in first' }, 401);
  const person = data as Person;
  const bytes = error ? null : await sizeOf(caller, person);
  if (bytes === null) return c.json({ code: 'unavailable', message: 'The database did not answer' }, 502);
  return new Response(archive(caller, person), {
    headers: {
      // Not application/zip: the official client hands out the bytes of this type only.
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': 'attachment; filename="cairn-export.zip"',
      'Cache-Control': 'no-store',
      'X-Cairn-Bytes': String(bytes),
    },
  });
}
