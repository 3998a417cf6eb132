import { randomUUID } from 'node:crypto';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PDF_MIME, WORD_MIME } from '@cairn/core/media/document-kind.ts';
import { bodyOf, TYPES, word } from '@cairn/core/media/word-files-for-tests.ts';
import { testDevice } from './device.ts';
import { serveWorld, type ServedWorld } from './people-by-client.ts';

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld();
});
afterAll(() => served.stop());

const latin = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0));
const pdf = (objects = '') =>
  latin(`%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n${objects}\ntrailer\n<< >>\n%%EOF\n`);
/** Brings a document as a manager's device does: its row, its bytes, and the question whether the server has it. */
async function bring(bytes: Uint8Array<ArrayBuffer>, mime: string) {
  const { world, db, clients } = served;
  const id = randomUUID();
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  const fields = { kind: 'file', mime, bytes: bytes.byteLength, sha256, name: 'policy', audience: 'policy.approve' };
  const taken = { captured_at: '2026-11-21T08:00:00Z', captured_by: world.manager };
  const patch = { organization_id: world.organization, ...fields, ...taken };
  const [row] = await testDevice(db, world.manager).push({ t: 'media', id, op: 'insert', patch });
  expect(row).toMatchObject({ st: 'applied' });
  const path = `${world.organization}/${id}`;
  const { error } = await clients.manager.storage.from('media').upload(path, bytes.buffer, { contentType: mime });
  if (error) throw error;
  const { data, response } = await clients.manager.functions.invoke('media/confirm', { body: { id } });
  return { path, answer: data ?? { status: response?.status, ...(await response?.json()) } };
}

describe('the server looks at all of a document before it says that it has it', () => {
  test('a PDF and a Word file that only say what to read are taken', async () => {
    expect((await bring(pdf(), PDF_MIME)).answer).toMatchObject({ state: 'complete' });
    expect((await bring(word(), WORD_MIME)).answer).toMatchObject({ state: 'complete' });
  });

  test.each<[string, () => Uint8Array<ArrayBuffer>, string]>([
    ['a PDF with a program', () => pdf('3 0 obj\n<< /OpenAction << /S /JavaScript /JS (x) >> >>\nendobj'), PDF_MIME],
    ['a PDF that is an archive too', () => new Uint8Array([...pdf(), ...word()]), PDF_MIME],
    ['a Word file with macros', () => word({ 'word/vbaProject.bin': strToU8('x') }), WORD_MIME],
    [
      'a Word file that unpacks to a hundred times its size',
      () => word({ 'word/a.bin': new Uint8Array(40_000_000) }),
      WORD_MIME,
    ],
    ['any archive', () => zipSync({ 'a.txt': strToU8('a') }), WORD_MIME],
  ])('%s is refused, and nothing of it stays', async (_, bytes, mime) => {
    const { path, answer } = await bring(bytes(), mime);
    expect(answer).toMatchObject({ status: 415, code: 'wrong_type' });
    const kept = await served.db.asAdmin(`select name from storage.objects where bucket_id = 'media' and name = $1`, [
      path,
    ]);
    expect(kept).toEqual([]);
  });

  test('while it does, it answers others', async () => {
    const runs = '<w:r><w:t>x</w:t></w:r>'.repeat(100_000);
    const over = new AbortController();
    let longest = 0;
    const begun = performance.now();
    const uploading = bring(word({}, TYPES, bodyOf(`<w:p>${runs}</w:p>`)), WORD_MIME).finally(() => over.abort());
    while (!over.signal.aborted) {
      const asked = performance.now();
      expect((await fetch(`${served.url}/healthz`)).ok).toBe(true);
      longest = Math.max(longest, performance.now() - asked);
    }
    expect((await uploading).answer).toMatchObject({ state: 'complete' });
    // On the thread that answers all of the check would be one answer's time.
    expect(longest).toBeLessThan((performance.now() - begun) / 2);
  });
});
