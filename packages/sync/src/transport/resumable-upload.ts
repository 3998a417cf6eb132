import { BackendError, type BackendErrorKind, type Upload, type UploadPlace } from './backend.ts';
import { askDirectly, type SignedLine } from './direct-line.ts';
import { retryAfterOf } from './error-class.ts';
import type { TellingInit } from './telling-progress.ts';

type Step = { file: Upload; line: SignedLine; signal: AbortSignal; onSent: (sent: number) => void };

const VERSION = '1.0.0';
/** The only size Supabase takes for pieces before the last, bytes. */
export const CHUNK_BYTES = 6 * 1024 * 1024;
/** Failures in a row, none of which brought a byte more to the server, before the caller has to wait and try again. */
const PATIENCE = 3;
/** ms before the first of them is tried again; doubled for each. */
const SHORT_WAIT = 250;
const BUCKET = 'media';
const PLACE = '/storage/v1/upload/resumable';

function kindOf(status: number): BackendErrorKind {
  if (status === 401) return 'auth';
  if (status === 413) return 'too_large';
  // 404, 410: it is not there any more; 409: it is further than we know; 423: another request holds it.
  if ([404, 408, 409, 410, 423, 429].includes(status) || status >= 500) return 'busy';
  return status >= 400 ? 'refused' : 'network';
}

function failure(name: string, { status, headers }: Response): BackendError {
  const wait = retryAfterOf(headers.get('retry-after'), Date.now());
  return new BackendError(kindOf(status), `${name}: ${status}`, String(status), wait);
}

type RequestOptions = Omit<TellingInit, 'headers'> & { headers?: Record<string, string> };

/** One request of the protocol. @throws {BackendError} as `askDirectly` does */
const say = (
  { line, signal }: Step,
  name: string,
  path: string,
  { headers, ...init }: RequestOptions,
): Promise<Response> =>
  askDirectly(line, name, path, { ...init, headers: { 'Tus-Resumable': VERSION, ...headers }, signal });

const encode = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''));

/** @returns where the pieces go; null when the server has the file already */
async function announce(step: Step): Promise<string | null> {
  const { file } = step;
  const about = { bucketName: BUCKET, objectName: `${file.organizationId}/${file.id}`, contentType: file.mime };
  const metadata = Object.entries(about).map(([key, value]) => `${key} ${encode(value)}`);
  const headers = { 'Upload-Length': String(file.bytes.byteLength), 'Upload-Metadata': metadata.join(',') };
  const answer = await say(step, 'announce', PLACE, { method: 'POST', headers });
  if (answer.status === 409) return null;
  const location = answer.headers.get('location');
  if (answer.status !== 201 || !location) throw failure('announce', answer);
  // Its host is as seen from behind a proxy; ours is the one that carries the token.
  return new URL(location, step.line.url).pathname;
}

const countIn = ({ headers }: Response): number | null => {
  const value = headers.get('upload-offset');
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
};

/** @returns the bytes the server has; null when it knows nothing of this upload (any more) */
async function offsetAt(step: Step, path: string): Promise<number | null> {
  const answer = await say(step, 'resume', path, { method: 'HEAD' });
  if (answer.status === 404 || answer.status === 410) return null;
  const offset = countIn(answer);
  if (!answer.ok || offset === null || offset > step.file.bytes.byteLength) throw failure('resume', answer);
  return offset;
}

async function sendChunk(step: Step, { path, offset }: UploadPlace): Promise<UploadPlace> {
  const body = new Blob([step.file.bytes.slice(offset, offset + CHUNK_BYTES)]);
  const headers = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset) };
  const onSent = (bytes: number) => step.onSent(offset + Math.min(bytes, body.size));
  const answer = await say(step, 'piece', path, { method: 'PATCH', headers, body, onSent });
  const taken = countIn(answer);
  if (!answer.ok || taken === null || taken < offset) throw failure('piece', answer);
  step.onSent(taken);
  return { path, offset: taken };
}

/** The upload as it stands between two attempts. */
class Journey {
  place: UploadPlace | null;
  private readonly step: Step;

  constructor(step: Step) {
    this.step = step;
    this.place = step.file.resume?.at ?? null;
  }

  /** From where the server is to the end. */
  async run(): Promise<void> {
    const { step } = this;
    if (!(await this.findPlace()) || !this.place) return;
    step.onSent(this.place.offset);
    const length = step.file.bytes.byteLength;
    if (this.place.offset === length) return this.finish(this.place);
    while (this.place.offset < length) await this.move(await sendChunk(step, this.place));
  }

  /** @returns whether there is anything to send */
  private async findPlace(): Promise<boolean> {
    const { step, place } = this;
    const offset = place && (await offsetAt(step, place.path));
    if (place && offset !== null) {
      if (offset !== place.offset) await this.move({ ...place, offset });
      return true;
    }
    // Expired, or finished before the phone heard of it: the announcement tells which.
    if (place) await this.move(null);
    const path = await announce(step);
    if (path === null) return false;
    await this.move({ path, offset: 0 });
    return true;
  }

  /** All bytes are there, but their end was never answered: asked once more, then the confirmation decides. */
  private async finish(place: UploadPlace): Promise<void> {
    try {
      await sendChunk(this.step, place);
    } catch (error) {
      if (!(error instanceof BackendError) || error.kind === 'network') throw error;
      await this.move(null);
    }
  }

  private async move(place: UploadPlace | null): Promise<void> {
    this.place = place;
    await this.step.file.resume?.moved(place);
  }
}

/** Worth another attempt at once. A server that asked to be left alone for a while is left to the retry loop. */
const passes = (error: unknown): boolean =>
  error instanceof BackendError && (error.kind === 'network' || error.kind === 'busy') && error.retryAfter === null;

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/**
 * Brings a file in pieces over the tus protocol 1.0.0, going on from what the server has each time the line breaks.
 * A line that breaks is no reason to rest as long as more arrives each time.
 *
 * @throws {BackendError} when the server refuses, or when nothing more arrived for some attempts
 */
export async function resumableUpload(step: Step): Promise<void> {
  const journey = new Journey(step);
  let [reached, idle] = [journey.place?.offset ?? 0, 0];
  for (;;) {
    try {
      return await journey.run();
    } catch (error) {
      const offset = journey.place?.offset ?? 0;
      idle = offset > reached ? 1 : idle + 1;
      reached = Math.max(reached, offset);
      if (step.signal.aborted || !passes(error) || idle > PATIENCE) throw error;
      await wait(SHORT_WAIT * 2 ** (idle - 1));
    }
  }
}
