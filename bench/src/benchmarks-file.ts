import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const REPORT = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
/** Where the part of `npm run bench:shell` begins; it stands last. */
const SHELL = '# The shell\n';

const parts = (): { sync: string; shell: string } => {
  const text = existsSync(REPORT) ? readFileSync(REPORT, 'utf8') : '';
  const at = text.indexOf(SHELL);
  return at === -1 ? { sync: text, shell: '' } : { sync: text.slice(0, at), shell: text.slice(at) };
};

const put = ({ sync, shell }: { sync: string; shell: string }): void =>
  writeFileSync(REPORT, [sync.trim(), shell.trim()].filter(part => part !== '').join('\n\n') + '\n');

/** Writes one part of docs/benchmarks.md and keeps the other. */
export const writeSyncPart = (sync: string): void => put({ ...parts(), sync });
export const writeShellPart = (body: string): void => put({ ...parts(), shell: `${SHELL}\n${body}` });
