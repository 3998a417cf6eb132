import { expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { packContents, packFiles, type PackTexts } from './evidence-pack.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const here = { organization_id: uuid(1) };
const words: PackTexts = {
  evidence: ['Number'],
  controls: ['Framework'],
  policies: ['Policy'],
  coverage: { proven: 'proven', addressed: 'answered', gap: 'gap' },
  missing: 'not here',
  readme: 'Read',
};
const file = (n: number, name: string | null) => {
  const facts = { kind: 'file', mime: 'application/pdf', bytes: 1, sha256: String(n).repeat(64).slice(0, 64) } as const;
  return { id: uuid(n), ...here, ...facts, name, captured_at: '2026-11-20T08:00:00Z', captured_by: uuid(9) };
};
const evidenceRow = (n: number, more: object) => ({
  id: uuid(n),
  ...here,
  series_id: uuid(n),
  title: `Piece ${n}`,
  state: 'accepted' as const,
  collected_at: '2026-11-20T08:00:00Z',
  received_at: `2026-11-20T08:00:0${n % 10}Z`,
  ...more,
});

const store = memoryStore(
  {
    evidence: [
      evidenceRow(21, { title: '=cmd|x', media_ids: [uuid(31), uuid(32), uuid(33)] }),
      evidenceRow(22, { state: 'collected' }),
      evidenceRow(23, { expires_on: '2026-01-01' }),
    ],
    evidence_links: [
      { id: uuid(41), ...here, evidence_id: uuid(21), target_table: 'controls', target_id: uuid(51) },
      { id: uuid(42), ...here, evidence_id: uuid(23), target_table: 'controls', target_id: uuid(52) },
    ],
    media: [file(31, '../../etc/pass:wd.pdf'), file(32, null), file(33, 'late.pdf')],
    frameworks: [{ id: uuid(50), ...here, title: 'Basics' }],
    controls: [51, 52].map(n => ({
      id: uuid(n),
      ...here,
      framework_id: uuid(50),
      code: `a-${n}`,
      label: `A-${n}`,
      title: 'Locks',
      family: 'A',
      position: n,
    })),
  },
  uuid(9),
);

test('a package holds what was accepted, under numbers, with names that lead nowhere, and says what could not be had', async () => {
  const contents = await store.read(packContents(uuid(1), '2026-11-21'));
  expect(contents.evidence.map(({ number, evidence }) => [number, evidence.title])).toEqual([
    ['EV-001', '=cmd|x'],
    ['EV-002', 'Piece 23'],
  ]);
  const had = new Map([31, 32].map(n => [uuid(n), new Uint8Array([n])]));
  const files = packFiles(contents, had, words);
  expect(files.map(({ name }) => name)).toEqual([
    'readme.txt',
    'evidence.csv',
    'controls.csv',
    'evidence/EV-001/1 etc pass wd.pdf',
    'evidence/EV-001/2 file.pdf',
  ]);
  const index = new TextDecoder().decode(files[1]?.bytes);
  expect(index).toContain("EV-001,'=cmd|x");
  expect(index).toContain(`${'33'.repeat(32)}: not here`);
  const coverageLines = new TextDecoder().decode(files[2]?.bytes).split('\r\n');
  expect(coverageLines.slice(1, 3)).toEqual(['Basics,A-51,Locks,A,proven,EV-001', 'Basics,A-52,Locks,A,gap,EV-002']);
});

test('a package holds the policies in force that are files, each with its bytes and the hash people signed for', async () => {
  const facts = {
    id: uuid(61),
    sha256: 'a'.repeat(64),
    bytes: 3,
    mime: 'application/pdf',
    name: 'Lock:out.pdf',
    pages: 2,
  };
  const version = (n: number, file: typeof facts | null) => ({
    id: uuid(n),
    ...here,
    policy_id: uuid(n + 10),
    title: `Policy ${n}`,
    body: 'Words',
    state: 'published' as const,
    major: 2,
    minor: 0,
    content_hash: 'c'.repeat(64),
    file,
  });
  const policy = (n: number) => ({
    id: uuid(n + 10),
    ...here,
    title: `Policy ${n}`,
    state: 'published' as const,
    current_version_id: uuid(n),
  });
  const filed = memoryStore(
    { policies: [policy(70), policy(71)], policy_versions: [version(70, facts), version(71, null)] },
    uuid(9),
  );
  const contents = await filed.read(packContents(uuid(1), '2026-11-21'));
  const files = packFiles(contents, new Map([[uuid(61), new Uint8Array(3)]]), words);
  expect(files.map(({ name }) => name).slice(3)).toEqual(['policies.csv', 'policies/POL-001/Lock out.pdf']);
  expect(new TextDecoder().decode(files[3]?.bytes)).toContain(
    `POL-001,Policy 70,2.0,${'c'.repeat(64)},policies/POL-001/Lock out.pdf (${'a'.repeat(64)})`,
  );
  const without = packFiles(contents, new Map(), words);
  expect(without.map(({ name }) => name).slice(3)).toEqual(['policies.csv']);
  expect(new TextDecoder().decode(without[3]?.bytes)).toContain(`not here (${'a'.repeat(64)})`);
});
