import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterEach, describe, expect, test } from 'vitest';
import type { AuditPortion, ExportedEntry } from './audit-log.ts';
import { auditFiles } from './audit-package.ts';
import { sealedPackage, textFile } from './sealed-package.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach(folder => rmSync(folder, { recursive: true })));

const ORGANIZATION = '9a1f7a52-0000-4000-8000-000000000001';

function logOf(count: number): AuditPortion {
  const entries: ExportedEntry[] = [];
  let before = '0'.repeat(64);
  for (let seq = 1; seq <= count; seq++) {
    const entry = {
      seq,
      at: `2026-11-21T08:00:00.00000${seq}Z`,
      actor_id: seq % 2 ? null : ORGANIZATION,
      act: 'member.added',
      subject_table: 'people',
      subject_id: ORGANIZATION,
      detail: '{"role": "admin"}',
    };
    const words = [before, seq, ORGANIZATION, entry.at, entry.actor_id ?? '-', entry.act, 'people', ORGANIZATION];
    before = createHash('sha256')
      .update([...words, entry.detail].join('\n'))
      .digest('hex');
    entries.push({ ...entry, hash: before });
  }
  const head = { seq: count, hash: before };
  return { organization_id: ORGANIZATION, entries, next: null, head, heads: [] };
}

const files = () => [
  textFile('readme.txt', 'Read me'),
  textFile('evidence/EV-1/grüße.txt', 'One'),
  ...auditFiles([logOf(6)]),
];

/** Unpacks a package, does something to it, and runs the program in it. */
function verified(
  zip: Uint8Array,
  harm: (folder: string) => void = () => {},
): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-package-'));
  folders.push(folder);
  for (const [name, bytes] of Object.entries(unzipSync(zip))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  harm(folder);
  return new Promise(done =>
    execFile(process.execPath, [join(folder, 'verify.mjs')], (error, out, problems) =>
      done({ code: error ? 1 : 0, output: out + problems }),
    ),
  );
}

describe('the program in a package', () => {
  test('finds a package whole, and says which manifest it looked at', async () => {
    const { zip, manifestHash } = sealedPackage(files());
    const { code, output } = await verified(zip);
    expect(output).toContain('Intact');
    expect(output).toContain(manifestHash);
    expect(output).toContain('6 entries of the audit log');
    expect(code).toBe(0);
  });

  test.each([
    ['altered: evidence/EV-1/grüße.txt', (at: string) => writeFileSync(join(at, 'evidence/EV-1/grüße.txt'), 'Two')],
    ['missing: readme.txt', (at: string) => rmSync(join(at, 'readme.txt'))],
    ['not in the manifest: more.txt', (at: string) => writeFileSync(join(at, 'more.txt'), 'x')],
    ['altered: verify.mjs', (at: string) => writeFileSync(join(at, 'verify.mjs'), '\n', { flag: 'a' })],
  ])('says %s', async (words, harm) => {
    const { code, output } = await verified(sealedPackage(files()).zip, harm);
    expect(output).toContain(`PROBLEM: ${words}`);
    expect(code).toBe(1);
  });

  test.each([
    ['an altered entry', (log: AuditPortion) => void (log.entries[2]!.act = 'member.removed'), 'entry 3 was altered'],
    ['an entry taken out', (log: AuditPortion) => void log.entries.splice(3, 1), 'entry 4 is missing'],
    ['an end that was cut off', (log: AuditPortion) => void log.entries.splice(4), '6 entries expected, 4 found'],
    ['a beginning that was cut off', (log: AuditPortion) => void log.entries.splice(0, 1), 'entry 1 is missing'],
  ])('finds %s of the log though its manifest was made anew', async (_, harm, words) => {
    const log = logOf(6);
    harm(log);
    const { code, output } = await verified(sealedPackage(auditFiles([log])).zip);
    expect(output).toContain(words);
    expect(code).toBe(1);
  });
});

test('no file of a package lands outside it, and none hides another', () => {
  for (const name of ['../x', '/etc/x', 'a/../../x', 'a\\..\\x', 'a\nb'])
    expect(() => sealedPackage([textFile(name, '')])).toThrow(RangeError);
  expect(() => sealedPackage([textFile('a', '1'), textFile('a', '2')])).toThrow('one name');
});
