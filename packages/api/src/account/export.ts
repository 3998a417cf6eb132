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

/** The files this person brought, as far as they may see them now; null when the database did not answer. */
async function filesOf(caller: SupabaseClient, person: string): Promise<File[] | null> {
  const files: File[] = [];
  for (;;) {
    const after = files.at(-1)?.id ?? '00000000-0000-0000-0000-000000000000';
    const { data, error } = await caller
      .from('media')
      .select('id, organization_id, mime, bytes')
      .eq('captured_by', person)
      .eq('state', 'complete')
      .gt('id', after)
      .order('id')
      .limit(PAGE)
      .returns<File[]>();
    if (error) return null;
    files.push(...data);
    if (data.length < PAGE) return files;
  }
}

const nameOf = ({ id, mime }: File): string => `files/${id}.${ENDINGS[mime] ?? 'bin'}`;

/** The parts of the archive, one after the other; a file that cannot be read is named in `missing.json`. */
async function* write(zip: Zip, caller: SupabaseClient, { person, files }: Content): AsyncGenerator<void> {
  const about = new ZipDeflate('about-me.json', { level: 6 });
  zip.add(about);
  about.push(strToU8(JSON.stringify({ ...person, exported_at: new Date().toISOString() }, null, 2)), true);
  yield;
  const missing: string[] = [];
  for (const file of files) {
    const { data, error } = await caller.storage.from(BUCKET).download(`${file.organization_id}/${file.id}`);
    if (error) {
      missing.push(nameOf(file));
      continue;
    }
    // Photos are compressed already: they go in as they are.
    const part = new ZipPassThrough(nameOf(file));
    zip.add(part);
    part.push(new Uint8Array(await data.arrayBuffer()), true);
    yield;
  }
  if (missing.length > 0) {
    const list = new ZipDeflate('missing.json');
    zip.add(list);
    list.push(strToU8(JSON.stringify(missing, null, 2)), true);
  }
  zip.end();
}

type Content = { person: Person; files: File[] };

/** The archive as it is made: one file in memory at a time, none read before the receiver has room. */
function archive(caller: SupabaseClient, content: Content): ReadableStream<Uint8Array> {
  const state: { made: Uint8Array[]; failure: Error | null; isWhole: boolean } = {
    made: [],
    failure: null,
    isWhole: false,
  };
  const zip = new Zip((error, piece, final) => {
    if (error) state.failure = error;
    else state.made.push(piece);
    state.isWhole = final;
  });
  const steps = write(zip, caller, content);
  return new ReadableStream<Uint8Array>({
    async pull(receiver) {
      while (state.made.length === 0 && !state.isWhole && !state.failure) await steps.next();
      if (state.failure) return receiver.error(state.failure);
      for (const piece of state.made.splice(0)) receiver.enqueue(piece);
      if (state.isWhole) receiver.close();
    },
    async cancel() {
      await steps.return(undefined);
    },
  });
}

/**
 * `GET /account/export`: everything about the caller as one zip: `about-me.json` (their rows by table) and `files/`.
 * The header `x-cairn-bytes` says about how large it will be.
 */
export async function exportPerson(c: Context, access: BackendAccess): Promise<Response> {
  const authorization = c.req.header('Authorization');
  if (!authorization) return c.json({ code: 'signed_out', message: 'Sign in first' }, 401);
  const caller = asCaller(access, authorization);
  const { data: person, error, status } = await caller.rpc('export_person');
  if (error && (status === 401 || error.code === '42501'))
    return c.json({ code: 'signed_out', message: 'Sign in first' }, 401);
  const files = error ? null : await filesOf(caller, (person as Person).account.id);
  if (!files) return c.json({ code: 'unavailable', message: 'The database did not answer' }, 502);
  const content = { person: person as Person, files };
  const bytes = files.reduce((sum, file) => sum + file.bytes, JSON.stringify(person).length / 4);
  return new Response(archive(caller, content), {
    headers: {
      // Not application/zip: the official client hands out the bytes of this type only.
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': 'attachment; filename="cairn-export.zip"',
      'Cache-Control': 'no-store',
      'X-Cairn-Bytes': String(Math.round(bytes)),
    },
  });
}
