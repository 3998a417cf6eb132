import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { documentProblem } from './document-check.ts';
import { PDF_MIME, WORD_MIME } from './document-kind.ts';

const ours = fileURLToPath(new URL('ordinary-documents', import.meta.url));
/** What the converter's own tests read: files that Word wrote. */
const converter = dirname(
  createRequire(new URL('../../../../apps/web/package.json', import.meta.url)).resolve('mammoth/package.json'),
);
const written = join(converter, 'test', 'test-data');

const filesIn = (folder: string): [string, string][] =>
  readdirSync(folder)
    .filter(name => /\.(docx|pdf)$/.test(name))
    .map(name => [name, join(folder, name)]);

describe('ordinary documents are taken', () => {
  test.each([...filesIn(ours), ...filesIn(written)])('%s', async (name, path) => {
    const mime = name.endsWith('.pdf') ? PDF_MIME : WORD_MIME;
    expect(await documentProblem(new Uint8Array(readFileSync(path)), mime)).toBeNull();
  });

  test('of each writer we could get, and of Word itself', () => {
    expect(filesIn(ours).length).toBeGreaterThanOrEqual(9);
    expect(filesIn(written).length).toBeGreaterThanOrEqual(15);
  });
});
