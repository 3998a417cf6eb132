import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { assetTree, withParts, type AssetNode } from './asset-tree.ts';
import { aboveOf, assetByCode, assetHistory, register, type Asset } from './queries.ts';
import { saveAsset, type AssetFields } from './save-asset.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const here = uuid(900);
const elsewhere = uuid(901);

const blank: AssetFields = {
  position: null,
  name: 'Forklift 3',
  category: '',
  code: '',
  barcode: '',
  location: '',
  siteId: null,
  parentId: null,
  status: 'operational',
  serialNumber: '',
  manufacturer: '',
  model: '',
  notes: '',
  tags: [],
};

const row = (n: number, parent: number | null = null) => ({
  id: uuid(n),
  organization_id: here,
  name: `Asset ${n}`,
  parent_id: parent === null ? null : uuid(parent),
});

const rowsOf = async (rows: ReturnType<typeof row>[]): Promise<Asset[]> =>
  (await memoryStore({ assets: rows }).read(register(here))).assets;

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof Failure ? (error.message.split(' ').at(-1) ?? '') : 'saved';
};

test('an asset is kept with what was typed, blanks trimmed and nothing left as an empty text', async () => {
  const store = memoryStore();
  const fields = { ...blank, name: ' Forklift 3 ', code: ' FL-3 ', tags: ['hired', ' hired ', ''] };
  await store.write('save', tx => saveAsset(tx, { id: uuid(1), organizationId: here, fields }));
  const [saved] = (await store.read(register(here))).assets;
  expect(saved).toMatchObject({ name: 'Forklift 3', code: 'FL-3', barcode: null, tags: ['hired'] });
});

test.each([
  ['nameNeeded', { name: '  ' }],
  ['codeTaken', { code: 'FL-1' }],
  ['barcodeTaken', { barcode: '4006381333931' }],
  ['partOfItself', { parentId: uuid(2) }],
] as const)('an asset is not saved: %s', async (problem, change) => {
  const store = memoryStore({
    assets: [
      { id: uuid(1), organization_id: here, name: 'Line' },
      { id: uuid(2), organization_id: here, name: 'Belt', parent_id: uuid(1), code: 'FL-1', barcode: '4006381333931' },
    ],
  });
  const save = store.write('save', tx =>
    saveAsset(tx, { id: uuid(1), organizationId: here, fields: { ...blank, ...change } }),
  );
  expect(await codeOf(save)).toBe(problem);
});

test('the code of another organisation may be used here, and one keeps its own', async () => {
  const store = memoryStore({
    assets: [
      { id: uuid(1), organization_id: elsewhere, name: 'Other', code: 'FL-1' },
      { id: uuid(2), organization_id: here, name: 'Mine', code: 'FL-2' },
    ],
  });
  const save = (code: string) =>
    store.write('save', tx => saveAsset(tx, { id: uuid(2), organizationId: here, fields: { ...blank, code } }));
  expect(await codeOf(save('FL-1'))).toBe('saved');
  expect(await codeOf(save('FL-1'))).toBe('saved');
});

test('a scan finds its asset by tag, by barcode and by what a hand types', async () => {
  const store = memoryStore({
    assets: [
      { id: uuid(1), organization_id: here, name: 'Forklift', code: 'NW-FL-003', barcode: '4006381333931' },
      { id: uuid(2), organization_id: elsewhere, name: 'Other', code: 'NW-FL-004' },
      { id: uuid(3), organization_id: here, name: 'No plate' },
    ],
  });
  const find = async (text: string) => (await store.read(assetByCode(here, text)))?.name ?? null;
  expect(await find('NW-FL-003')).toBe('Forklift');
  expect(await find('4006381333931')).toBe('Forklift');
  expect(await find('\u0002NW-FL-003\r\n')).toBe('Forklift');
  expect(await find(' nw fl 003 ')).toBe('Forklift');
  expect(await find('NW-FL-004')).toBeNull();
  expect(await find('')).toBeNull();
});

test('the history of an asset has its inspections, actions and reports, the newest first, and nothing of another', async () => {
  const made = (n: number, more: object) => ({ id: uuid(n), organization_id: here, ...more });
  const store = memoryStore({
    assets: [row(1), row(2, 1)],
    inspections: [
      {
        ...made(10, {}),
        form_id: uuid(5),
        form_version_id: uuid(6),
        title: 'Old',
        asset_id: uuid(2),
        created_at: '2026-01-01T00:00:00Z',
      },
      {
        ...made(11, {}),
        form_id: uuid(5),
        form_version_id: uuid(6),
        title: 'New',
        asset_id: uuid(2),
        created_at: '2026-02-01T00:00:00Z',
      },
      { ...made(12, {}), form_id: uuid(5), form_version_id: uuid(6), title: 'Other', asset_id: uuid(1) },
    ] as never,
    action_items: [{ ...made(20, {}), title: 'Mend', asset_id: uuid(2) }] as never,
    issue_reports: [{ ...made(30, {}), title: 'Leak', asset_id: uuid(2) }] as never,
  });
  const found = await store.read(assetHistory(uuid(2)));
  expect(found?.inspections.map(({ title }) => title)).toEqual(['New', 'Old']);
  expect(found?.actions.map(({ title }) => title)).toEqual(['Mend']);
  expect(found?.reports.map(({ title }) => title)).toEqual(['Leak']);
  expect(found?.above.map(({ name }) => name)).toEqual(['Asset 1']);
  expect((await store.read(assetHistory(uuid(1))))?.parts.map(({ name }) => name)).toEqual(['Asset 2']);
});

test('whatever is part of what, also in a ring, the tree shows every asset once, and every walk up ends', async () => {
  const count = 12;
  const parents = fc.array(fc.option(fc.nat(count - 1), { nil: null }), { minLength: count, maxLength: count });
  await fc.assert(
    fc.asyncProperty(parents, async given => {
      const all = await rowsOf(given.map((parent, n) => row(n, parent)));
      const ids = (nodes: AssetNode[]): string[] => nodes.flatMap(node => [node.asset.id, ...ids(node.parts)]);
      const shown = ids(assetTree(all));
      expect(shown.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
      for (const asset of all) {
        expect(aboveOf(asset, all).length).toBeLessThan(count);
        expect(withParts(asset.id, all).has(asset.id)).toBe(true);
      }
    }),
  );
});
