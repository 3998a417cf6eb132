import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './root.ts';

type Chunk = {
  file: string;
  name?: string;
  src?: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
};
type Manifest = Record<string, Chunk>;

/** 1 kB = 1000 bytes, compressed with gzip as a server would. */
const LIMITS = { initial: 150_000, signIn: 125_000 };
const DIST = join(ROOT, 'apps/web/dist');

/** First lines of chunks by which Chromium compiles them whole, beside the page's thread (decision 38). */
const COMPILED_AHEAD = ['frame', 'device', 'shell'];
const HINT = '//# allFunctionsCalledOnLoad\n';

/** What is wrong with these first lines: something else came before the comment, or a chunk is gone. */
function withoutHint(manifest: Manifest): string[] {
  return COMPILED_AHEAD.filter(name => {
    const chunk = Object.values(manifest).find(each => each.name === name && each.file.endsWith('.js'));
    return !chunk || !readFileSync(join(DIST, chunk.file), 'utf8').startsWith(HINT);
  }).map(name => `chunk ${name}: does not begin with ${HINT.trim()}`);
}

/** Pages for somebody who is not signed in, and what comes after the dashboard's first picture: the parts of other screens stay away. */
const WITHOUT_PARTS =
  /routes\/(auth-\w+|invitation|public-report|verify|debug)\.tsx$|\/((notification|circle)-watch|(goals|habits|mood)-card|lost-work-alarm|install-banner)\.tsx$/;

/** Those of them that draw the parts in all the same (decision 38). */
function drawingPartsIn(manifest: Manifest): string[] {
  const parts = Object.values(manifest).find(({ name, file }) => name === 'parts' && file.endsWith('.js'));
  if (!parts) return ['chunk parts: is gone'];
  return Object.keys(manifest)
    .filter(key => WITHOUT_PARTS.test(manifest[key]?.src ?? '') && filesOf(manifest, key).has(parts.file))
    .map(key => `${key}: draws in chunk parts; put what it shares into its list in apps/web/chunk-groups.ts`);
}

/** The file of a chunk and of everything it imports statically. */
function filesOf(manifest: Manifest, key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const each of chunk.imports ?? []) filesOf(manifest, each, seen);
  return seen;
}

const gzipped = (file: string): number => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length;
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

function sum(files: Iterable<string>): number {
  return [...files].filter(file => file.endsWith('.js')).reduce((total, file) => total + gzipped(file), 0);
}

/**
 * Weighs the built app: what must arrive before the first screen (entry and its static imports), and that plus the
 * sign-in page. Sizes are gzip; scripts outside the module graph (first-paint) count as initial.
 *
 * @returns lines to print, and those that exceed their limit, with what is wrong with a chunk of a start or draws too much in
 * @throws {Error} when the app has not been built
 */
export function checkBundle(): { lines: string[]; over: string[] } {
  const path = join(DIST, 'asset-manifest.json');
  if (!existsSync(path)) throw new Error('apps/web/dist has no asset-manifest.json: build first');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Vite writes this file a moment earlier
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const entry = Object.keys(manifest).find(key => manifest[key]?.isEntry);
  const auth = Object.keys(manifest).find(key => manifest[key]?.src?.endsWith('routes/auth.tsx'));
  if (!entry || !auth) throw new Error('the manifest lacks the entry or the sign-in page');
  const initial = filesOf(manifest, entry);
  for (const name of readdirSync(join(DIST, 'assets')))
    if (/^first-paint-.*\.js$/.test(name)) initial.add(`assets/${name}`);
  const weighed = [
    { name: 'initial JavaScript', bytes: sum(initial), limit: LIMITS.initial },
    { name: 'sign-in page', bytes: sum(filesOf(manifest, auth, new Set(initial))), limit: LIMITS.signIn },
  ];
  const lines = weighed.map(({ name, bytes, limit }) => `${name}: ${kilobytes(bytes)} gz of ${kilobytes(limit)}`);
  const over = lines.filter((_, index) => (weighed[index]?.bytes ?? 0) > (weighed[index]?.limit ?? 0));
  return { lines, over: [...over, ...withoutHint(manifest), ...drawingPartsIn(manifest)] };
}
