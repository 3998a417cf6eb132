import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Handler } from 'hono';
import { errorCode } from '@cairn/database/error-code.ts';
import { keptForAll } from './paced-response.ts';

type Bytes = Buffer<ArrayBuffer>;
type CompressedFile = { etag: string; bytes: Map<string, Promise<Bytes>> };

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

const NOT_WORTH_PACKING = new Set(['.png', '.jpg', '.webp', '.woff2', '.ico']);
/** Vite puts a hash of the content into these names: what they hold never changes. */
const HASHED = /^\/assets\/.+-[\w-]{6,}\.\w+$/;
const A_YEAR = 'public, max-age=31536000, immutable';
const ASK_FIRST = 'no-cache';

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

function pack(encoding: string, bytes: Bytes): Promise<Bytes> {
  if (encoding === 'br') return brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return gzipAsync(bytes, { level: 9 });
}

function encodingFor(c: Context, path: string): 'br' | 'gzip' | 'identity' {
  if (NOT_WORTH_PACKING.has(extname(path))) return 'identity';
  const accepted = c.req.header('Accept-Encoding') ?? '';
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}

/** The file a request path names inside the folder, or null: no way out, no hidden file, no NUL. */
function fileOf(folder: string, requestPath: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(requestPath);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
  if (path.includes('\0') || path.includes('\\') || path.split('/').some(part => part.startsWith('.'))) return null;
  const file = normalize(join(folder, path));
  return file.startsWith(folder + sep) ? file : null;
}

async function factsOf(file: string): Promise<Stats | null> {
  try {
    const facts = await stat(file);
    return facts.isFile() ? facts : null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error))) return null;
    throw error;
  }
}

async function modified(file: string): Promise<string | null> {
  const facts = await factsOf(file);
  return facts && `"${facts.size.toString(36)}-${Math.round(facts.mtimeMs).toString(36)}"`;
}

/** What the build packed already, unless the file was changed after it. */
async function packedByBuild(file: string): Promise<Bytes | null> {
  const [packed, plain] = await Promise.all([factsOf(`${file}.br`), factsOf(file)]);
  return packed && plain && packed.mtimeMs >= plain.mtimeMs ? readFile(`${file}.br`) : null;
}

async function inEncoding(encoding: string, file: string): Promise<Bytes> {
  const packed = encoding === 'br' ? await packedByBuild(file) : null;
  if (packed) return packed;
  const plain = await readFile(file);
  return encoding === 'identity' ? plain : pack(encoding, plain);
}

/**
 * A path without a dot in its last part is a screen of the app, also below `/assets`, which is asset management as well as
 * the folder of built files; anything else is a file and must be there.
 */
const isScreen = (path: string) => !/\.[^/]*$/.test(path);

/** Whether a person opens the address, not a page fetching one of its parts. */
const isLookedAt = (c: Context): boolean => (c.req.header('Accept') ?? '').includes('text/html');

/**
 * Serves the built app: its files, and index.html for the address of any screen. What the build did not pack
 * (`<file>.br`) is compressed once per encoding; all of it is kept in memory, and handed out as it lies there.
 *
 * @param folder the build's output; may be missing, then every answer says how to build
 */
export function staticApp(folder: string): Handler {
  const kept = new Map<string, CompressedFile>();

  function bytesOf(file: string, etag: string, encoding: string): Promise<Bytes> {
    const known = kept.get(file);
    const entry = known?.etag === etag ? known : { etag, bytes: new Map<string, Promise<Bytes>>() };
    kept.set(file, entry);
    const have = entry.bytes.get(encoding);
    if (have) return have;
    // Of many that ask at first one has it read and packed.
    const bytes = inEncoding(encoding, file).then(keptForAll);
    entry.bytes.set(encoding, bytes);
    bytes.catch(() => entry.bytes.delete(encoding));
    return bytes;
  }

  return async c => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD')
      return c.text('Method not allowed', 405, { Allow: 'GET, HEAD' });
    const wanted = c.req.path === '/' ? '/index.html' : c.req.path;
    const exact = fileOf(folder, wanted);
    const exactTag = exact ? await modified(exact) : null;
    const isMissing = !exactTag && !isScreen(wanted);
    // Whoever follows an old link to a file meets the app's own page for that; everything else just hears 404.
    const page = isMissing ? isLookedAt(c) : true;
    const file = exact && exactTag ? exact : page ? join(folder, 'index.html') : null;
    const etag = exactTag ?? (file ? await modified(file) : null);
    if (!file) return c.text('Not found', 404, { 'Cache-Control': ASK_FIRST });
    if (!etag) return c.text('The app is not built yet: run "npm run build".', 503);
    const encoding = encodingFor(c, file);
    c.header('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
    c.header('Cache-Control', exactTag && HASHED.test(wanted) ? A_YEAR : ASK_FIRST);
    c.header('ETag', etag);
    c.header('Vary', 'Accept-Encoding');
    if (!isMissing && c.req.header('If-None-Match') === etag) return c.body(null, 304);
    if (encoding !== 'identity') c.header('Content-Encoding', encoding);
    const bytes = await bytesOf(file, etag, encoding);
    c.header('Content-Length', String(bytes.byteLength));
    if (isMissing) c.status(404);
    return c.req.method === 'HEAD' ? c.body(null) : c.body(bytes);
  };
}
