import { expect, test } from 'vitest';
import { readDocument } from './read-document.ts';

/** A file of that size that nobody may read more of than its beginning. */
function unread(size: number, beginning: readonly number[]): File {
  const file = new File([], 'policy.docx');
  const forbidden = () => Promise.reject(new Error('all of it was read'));
  return Object.defineProperties(file, {
    size: { value: size },
    arrayBuffer: { value: forbidden },
    stream: { value: forbidden },
    slice: { value: (from: number, to: number) => new Blob([new Uint8Array(beginning).slice(from, to)]) },
  });
}
const ZIP = [0x50, 0x4b, 0x03, 0x04, 0, 0, 0, 0];

test('a Word file of 200 MB is refused before a byte of it is read', async () => {
  expect(await readDocument(unread(200_000_000, ZIP))).toEqual({ ok: false, problem: 'too_large' });
});

test('what is no document is refused after its first bytes, whatever it is called', async () => {
  const page = Array.from('<script>', char => char.charCodeAt(0));
  expect(await readDocument(unread(20_000_000, page))).toEqual({ ok: false, problem: 'unknown' });
  const old = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
  expect(await readDocument(unread(20_000_000, old))).toEqual({ ok: false, problem: 'old_word' });
  expect(await readDocument(new File([], 'policy.pdf'))).toEqual({ ok: false, problem: 'empty' });
});

test('a document that would run something is refused before anything opens it', async () => {
  const text = '%PDF-1.7\n1 0 obj\n<< /OpenAction << /S /JavaScript /JS (x) >> >>\nendobj\n%%EOF\n';
  expect(await readDocument(new File([text], 'policy.pdf'))).toEqual({ ok: false, problem: 'active' });
});
