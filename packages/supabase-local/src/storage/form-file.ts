import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { UPLOAD_LIMIT_BYTES } from '../requests/body-limit.ts';
import { LineBroken } from '../requests/upload-line.ts';
import { invalidRequest, StorageError, tooLarge } from './storage-error.ts';

/** The file of a form, its bytes still on their way, and the fields that stood before it. */
export type FormFile = {
  bytes: AsyncIterable<Uint8Array>;
  mimetype: string;
  fields: Map<string, string>;
  /** For who takes no bytes after all. */
  stop(): void;
};

const MAX_FIELD_BYTES = 1024 * 1024;
const LIMITS = {
  parts: 16,
  fieldNameSize: 100,
  fieldSize: MAX_FIELD_BYTES,
  headerPairs: 16,
  headerSize: 16_384,
};
/** All of a form: a file as large as one may be, and fields beside it. */
const MAX_FORM_BYTES = UPLOAD_LIMIT_BYTES + 2 * MAX_FIELD_BYTES;

const unreadable = (cause?: unknown) => new StorageError('InvalidRequest', 400, 'The form cannot be read', { cause });

type Parser = InstanceType<typeof Busboy>;

function parserOf(type: string): Parser {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: LIMITS });
  } catch (error) {
    throw unreadable(error);
  }
}

/** Hands the pieces on as fast as the file is taken off, and no faster. */
async function feed(parser: Parser, chunks: AsyncIterable<Uint8Array>, letGo: AbortSignal): Promise<void> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    if (length > MAX_FORM_BYTES) throw tooLarge();
    letGo.throwIfAborted();
    if (!parser.write(chunk)) await once(parser, 'drain', { signal: letGo });
  }
  const ended = once(parser, 'finish', { signal: letGo });
  parser.end();
  await ended;
}

const worded = (error: unknown) =>
  error instanceof StorageError || error instanceof LineBroken ? error : unreadable(error);

/** The bytes of the file, then whether the form ends as it should. Whoever stops taking them stops the form. */
async function* bytesOf(file: Readable, fed: Promise<void>, stop: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* file as AsyncIterable<Uint8Array>;
    await fed;
  } catch (error) {
    throw worded(error);
  } finally {
    stop();
  }
}

class FormReader {
  private readonly fields = new Map<string, string>();
  private readonly letGo = new AbortController();
  private readonly found = Promise.withResolvers<FormFile>();
  private readonly parser: Parser;
  private file: Readable | null = null;

  constructor(type: string) {
    this.parser = parserOf(type);
  }

  private readonly fail = (error: unknown): void => {
    const told = worded(error);
    this.found.reject(told);
    this.file?.destroy(told);
    this.letGo.abort(told);
  };

  private readonly stop = (): void => {
    this.letGo.abort();
    this.file?.destroy();
  };

  read(chunks: AsyncIterable<Uint8Array>): Promise<FormFile> {
    this.parser.on('field', (name, value, isNameCut, isCut) => {
      if (isNameCut || isCut) this.fail(invalidRequest('A field of the form is too large'));
      else this.fields.set(name, value);
    });
    this.parser.on('partsLimit', () => this.fail(unreadable()));
    this.parser.on('error', this.fail);
    const fed = feed(this.parser, chunks, this.letGo.signal);
    this.parser.on('file', (_name, stream, _filename, _encoding, mimetype) => this.take(stream, mimetype, fed));
    fed.then(() => this.found.reject(invalidRequest('No content provided')), this.fail);
    return this.found.promise;
  }

  private take(stream: Readable, mimetype: string, fed: Promise<void>): void {
    // What breaks off is told by whoever takes the bytes.
    stream.on('error', () => undefined);
    if (this.file) return void stream.resume();
    this.file = stream;
    const bytes = bytesOf(stream, fed, this.stop);
    this.found.resolve({ bytes, mimetype, fields: this.fields, stop: this.stop });
  }
}

/**
 * Reads a multipart form as it comes, up to its first file: nothing of the file is kept here. Fields behind it are not read.
 *
 * @param type the request's Content-Type @throws {StorageError} where it is no such form, has more than 16 parts or no file
 */
export const fileInForm = async (chunks: AsyncIterable<Uint8Array>, type: string): Promise<FormFile> =>
  new FormReader(type).read(chunks);
