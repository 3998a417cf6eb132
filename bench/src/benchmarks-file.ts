import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const REPORT = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

/** The parts in their order, each with the line it begins with; the first has none of these and begins the file. */
const HEADS = { sync: '', shell: '# The shell\n', form: '# A large form\n' } as const;
type Part = keyof typeof HEADS;

function parts(): Record<Part, string> {
  const text = existsSync(REPORT) ? readFileSync(REPORT, 'utf8') : '';
  const at = (part: Part): number => (text.indexOf(HEADS[part]) === -1 ? text.length : text.indexOf(HEADS[part]));
  const [shell, form] = [at('shell'), at('form')];
  return {
    sync: text.slice(0, Math.min(shell, form)),
    shell: text.slice(shell, form > shell ? form : undefined),
    form: text.slice(form),
  };
}

const put = (all: Record<Part, string>): void =>
  writeFileSync(
    REPORT,
    [all.sync, all.shell, all.form]
      .map(part => part.trim())
      .filter(part => part !== '')
      .join('\n\n') + '\n',
  );

/** Writes one part of docs/benchmarks.md and keeps the others. */
export const writePart = (part: Part, body: string): void =>
  put({ ...parts(), [part]: HEADS[part] === '' ? body : `${HEADS[part]}\n${body}` });
export const writeSyncPart = (sync: string): void => writePart('sync', sync);
export const writeShellPart = (body: string): void => writePart('shell', body);
