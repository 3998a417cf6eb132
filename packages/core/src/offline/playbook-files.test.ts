import { memoryStore } from '@cairn/testing/memory-store.ts';
import { expect, test } from 'vitest';
import { playbookFiles } from './playbook-files.ts';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const ORG = id(1);
const of = { organization_id: ORG };
const bounds = { west: 7, south: 46, east: 8, north: 47, min_zoom: 1, max_zoom: 3 };
const yard = { site_id: id(60), bytes: 9, tiles: 'image' as const, ...bounds };
const check = { form_id: id(40), form_version_id: id(41), title: 'Forklift' };
const photo = (n: number, fields: object = {}) => ({
  id: id(n),
  ...of,
  inspection_id: id(20),
  mime: 'image/jpeg',
  bytes: 1000 + n,
  sha256: 'a'.repeat(64),
  state: 'complete' as const,
  captured_at: '2026-11-21T09:00:00Z',
  ...fields,
});

test('files the server has, by the playbook of their inspection; maps are kept by themselves', async () => {
  const store = memoryStore({
    organizations: [{ id: ORG, name: 'Northfield', slug: 'n' }],
    playbooks: [
      { id: id(10), ...of, name: 'Safety' },
      { id: id(11), ...of, name: 'Daily' },
    ],
    inspections: [
      { id: id(20), ...of, playbook_id: id(10), ...check },
      { id: id(21), ...of, playbook_id: id(11), ...check },
      { id: id(22), ...of, ...check },
    ],
    media: [
      photo(30),
      photo(31, { inspection_id: id(21) }),
      photo(32, { inspection_id: id(22) }),
      photo(33, { inspection_id: null }),
      photo(34),
      photo(35, { state: 'pending' }),
      photo(36, { deleted_at: '2026-11-22T09:00:00Z' }),
      photo(37, { inspection_id: null }),
      photo(38, { organization_id: id(2), inspection_id: null }),
    ],
    site_maps: [{ id: id(50), ...of, media_id: id(37), name: 'Yard', ...yard }],
  });
  const found = await store.read(playbookFiles);
  expect(found.map(({ name, isRest, bytes, files }) => [name, isRest, bytes, files.map(file => file.id)])).toEqual([
    ['Daily', false, 1031, [id(31)]],
    ['Safety', false, 2064, [id(30), id(34)]],
    ['Northfield', true, 2065, [id(32), id(33)]],
  ]);
  expect(found[0]?.files).toEqual([{ id: id(31), organizationId: ORG, size: 1031 }]);
});
