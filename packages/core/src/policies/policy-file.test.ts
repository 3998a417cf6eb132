import { beforeEach, expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { MAX_DOCUMENT_BYTES, PDF_MIME } from '../media/document-kind.ts';
import { filesInForce, filesToKeep } from '../offline/files-to-keep.ts';
import { attachDocument, detachDocument, policyFileOf, type ReadDocument } from './policy-file.ts';
import { policyHash } from './policy-hash.ts';
import { asRead, unfilled } from './policy-variables.ts';
import { policySearch, policyEntries } from './queries.ts';
import { beginNextVersion } from './write-policy.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const ME = uuid(9);
const ORG = uuid(1);
const POLICY = uuid(2);
const DRAFT = uuid(3);
const AT = '2026-11-21T08:00:00.000Z';
const document = (n: number, text = 'Isolate {{nothing}}'): ReadDocument => ({
  id: uuid(n),
  data: new TextEncoder().encode(`%PDF ${n}`).buffer,
  sha256: String(n % 10).repeat(64),
  mime: PDF_MIME,
  name: '../Lock/out.pdf',
  pages: 4,
  text,
});

const extent = {
  bytes: 1,
  tiles: 'vector',
  west: 9,
  south: 53,
  east: 10,
  north: 54,
  min_zoom: 1,
  max_zoom: 2,
} as const;

let store: Store;
beforeEach(() => {
  const draft = {
    id: DRAFT,
    organization_id: ORG,
    policy_id: POLICY,
    title: 'Lockout',
    body: '',
    state: 'draft',
  } as const;
  store = memoryStore(
    {
      policies: [{ id: POLICY, organization_id: ORG, title: 'Lockout', state: 'draft' }],
      policy_versions: [draft],
      site_maps: [
        { id: uuid(40), organization_id: ORG, site_id: uuid(41), media_id: uuid(42), name: 'Yard', ...extent },
      ],
    },
    ME,
  );
});
const attach = (file: ReadDocument, by = ME) =>
  store.write('t', tx => attachDocument(tx, { versionId: DRAFT, document: file, by, at: AT }), { together: true });
const row = async <T extends 'policy_versions' | 'media'>(table: T, id: string) =>
  store.read({ key: `${table}/${id}`, tables: [table], read: async tx => (await tx.get(table, id)) ?? null });

test('a draft rests on a file: its bytes wait for the server, and only those who read drafts will see them', async () => {
  await attach(document(11));
  const version = await row('policy_versions', DRAFT);
  expect(version && policyFileOf(version)).toEqual({
    id: uuid(11),
    sha256: '1'.repeat(64),
    bytes: 7,
    mime: PDF_MIME,
    name: '.._Lock_out.pdf',
    pages: 4,
  });
  expect(version).toMatchObject({ body: 'Isolate {{nothing}}', source: 'file' });
  expect(await row('media', uuid(11))).toMatchObject({ audience: 'policy.approve', kind: 'file', captured_by: ME });
});

test('another file takes its place, and the one nobody rests on goes with whoever brought it', async () => {
  await attach(document(11));
  await attach(document(12));
  expect(await row('media', uuid(11))).toBeNull();
  await attach(document(13), uuid(8));
  // Somebody else's stays for those who read drafts.
  expect(await row('media', uuid(12))).toMatchObject({ deleted_at: null });
});

test('taken away, it leaves its words to be written on', async () => {
  await attach(document(11));
  await store.write('t', tx => detachDocument(tx, DRAFT, ME), { together: true });
  expect(await row('policy_versions', DRAFT)).toMatchObject({
    file: null,
    body: 'Isolate {{nothing}}',
    source: 'written',
  });
});

test('what is too large, empty, or sent for approval is refused', async () => {
  for (const data of [new ArrayBuffer(0), new ArrayBuffer(MAX_DOCUMENT_BYTES + 1)])
    await expect(attach({ ...document(11), data })).rejects.toMatchObject({ code: 'invalid' });
  const frozen = memoryStore(
    {
      policy_versions: [
        { id: DRAFT, organization_id: ORG, policy_id: POLICY, title: 'L', body: '', state: 'in_review' },
      ],
    },
    ME,
  );
  await expect(
    frozen.write('t', tx => attachDocument(tx, { versionId: DRAFT, document: document(11), by: ME, at: AT })),
  ).rejects.toMatchObject({ code: 'stale_version' });
});

test('its hash is of its words and its file; braces in a file stand for themselves', async () => {
  await attach(document(11));
  const version = await row('policy_versions', DRAFT);
  if (!version) throw new Error('no draft');
  const { title, body, file } = version;
  expect(policyHash({ title, body, file })).not.toBe(policyHash({ title, body }));
  expect(policyHash({ title, body, file: null })).toBe(policyHash({ title, body }));
  expect(asRead(version, { nothing: 'filled' }).body).toBe('Isolate {{nothing}}');
  expect(unfilled(version, {})).toEqual([]);
});

test('the list finds a file by its words; in force it stays on the device, and the next version begins with it', async () => {
  const file = { id: uuid(11), sha256: 'a'.repeat(64), bytes: 9, mime: PDF_MIME, name: 'a.pdf', pages: 1 };
  const here = { organization_id: ORG, policy_id: POLICY };
  const inForce = memoryStore(
    {
      policies: [{ id: POLICY, organization_id: ORG, title: 'Lockout', state: 'published', current_version_id: DRAFT }],
      policy_versions: [
        { id: DRAFT, ...here, title: 'L', body: 'Try to start', state: 'published', major: 1, minor: 0, file },
      ],
      site_maps: [
        { id: uuid(40), organization_id: ORG, site_id: uuid(41), media_id: uuid(42), name: 'Yard', ...extent },
      ],
    },
    ME,
  );
  const entries = await inForce.read(policyEntries({ organizationId: ORG, userId: ME }));
  expect(policySearch()(entries, 'start')).toHaveLength(1);
  expect(await inForce.read(filesInForce)).toEqual([{ ...file, organizationId: ORG }]);
  expect(await inForce.read(filesToKeep)).toEqual(new Set([uuid(42), uuid(11)]));
  const next = await inForce.write('t', tx => beginNextVersion(tx, POLICY), { together: true });
  expect(
    await inForce.read({
      key: 'n',
      tables: ['policy_versions'],
      read: async tx => (await tx.get('policy_versions', next)) ?? null,
    }),
  ).toMatchObject({ file, source: 'file' });
  // What is not in force, or not any more, is fetched when it is opened.
  expect(await store.read(filesToKeep)).toEqual(new Set([uuid(42)]));
  const archived = {
    id: POLICY,
    organization_id: ORG,
    title: 'L',
    state: 'archived',
    current_version_id: DRAFT,
  } as const;
  const gone = memoryStore(
    {
      policies: [archived],
      policy_versions: [{ id: DRAFT, ...here, title: 'L', body: '', state: 'archived', major: 1, minor: 0, file }],
    },
    ME,
  );
  expect(await gone.read(filesInForce)).toEqual([]);
});
