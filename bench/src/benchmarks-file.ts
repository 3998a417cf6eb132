import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const REPORT = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

/** The chapters of docs/benchmarks.md in their order, before those written by hand; each is written by a command of its own and keeps the others. */
const CHAPTERS = [
  'Benchmarks',
  'Beside its peers: what goes wrong',
  'Beside its peers: local network',
  'Beside its peers: 150 ms, 2/1 Mbit/s',
  'Beside its peers: 600 ms, 256 kbit/s, 5 % loss',
  'An idle device',
  'The shell',
  'A large form',
  'Five years of days',
  'Ten thousand tasks',
  'Policies of five thousand people',
  // Written by hand from what `npm run soak -- ONLY=load` says.
  'Fifty people at once',
] as const;
export type Chapter = (typeof CHAPTERS)[number];

const headOf = (chapter: Chapter): string => `# ${chapter}`;

function chapters(): Map<string, string> {
  const text = existsSync(REPORT) ? readFileSync(REPORT, 'utf8') : '';
  const parts = `\n${text}`.split(/\n(?=# )/).map(part => part.trim());
  return new Map(
    parts.filter(part => part !== '').map(part => [part.slice(2, part.indexOf('\n')).trim(), part] as const),
  );
}

/** Writes one chapter of docs/benchmarks.md and keeps the others. */
export function writeChapter(chapter: Chapter, body: string): void {
  const all = chapters().set(chapter, `${headOf(chapter)}\n\n${body.trim()}`);
  const texts = [...new Set<string>([...CHAPTERS, ...all.keys()])].flatMap(name => all.get(name) ?? []);
  writeFileSync(REPORT, `${texts.join('\n\n')}\n`);
}
