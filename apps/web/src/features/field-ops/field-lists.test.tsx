// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Json, Row } from '@cairn/schema';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { LargeFileStore } from '@cairn/sync/files/lazy-large-files.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore, type MemoryRows } from '@cairn/testing/memory-store.ts';
import capture from '../../shared/i18n/en/capture.json';
import field from '../../shared/i18n/en/field.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { FormRow } from './forms/form-row.tsx';
import { InspectionRows } from './inspections/inspection-rows.tsx';
import type { FormEntry } from './inspections/inspection-queries.ts';
import { NearbyCard } from './on-site/nearby-card.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

beforeAll(async () => {
  await startI18n();
  addTexts('capture', capture);
  addTexts('field', field);
});
afterEach(cleanup);

const organization = { id: ORG, name: 'Northfield' } as Row<'organizations'>;
const space: Space = { userId: ME, organization, playbook: null, world: 'company', may: () => true };
const user = { id: ME, email: 'sam@cairn.test', fullName: 'Sam Worker' };
/** A device without a map. */
const kept: Partial<LargeFileStore> = { held: async () => new Map() };
const engine = { largeFiles: kept } as Partial<SyncEngine> as SyncEngine;
const show = (rows: MemoryRows, child: React.ReactNode) =>
  render(
    <StoreContext.Provider value={memoryStore(rows, ME)}>
      <SignedInContext.Provider value={{ user, engine, verified: false }}>
        <SpaceContext.Provider value={space}>{child}</SpaceContext.Provider>
      </SignedInContext.Provider>
    </StoreContext.Provider>,
  );
const asset = (n: number, name: string, at: [number, number] | null) => ({
  id: uuid(n),
  organization_id: ORG,
  name,
  latitude: at?.[0] ?? null,
  longitude: at?.[1] ?? null,
});
const inspection = (n: number, more: Partial<Row<'inspections'>> = {}) => ({
  id: uuid(n),
  organization_id: ORG,
  form_id: uuid(90),
  form_version_id: uuid(91),
  title: `Check ${n}`,
  status: 'scheduled' as const,
  ...more,
});

type PositionStub = (found: (place: unknown) => void, failed: (error: unknown) => void) => void;
const positions = (ask: PositionStub) =>
  Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition: ask } });
const here: PositionStub = found => found({ coords: { latitude: 48.4, longitude: 10.2, altitude: null, accuracy: 8 } });
const nearby = () => <NearbyCard renderAsset={(id, face) => <a href={`/assets/${id}`}>{face}</a>} />;

test('assets around the person stand in order of distance, with what is to be done there; no network is asked', async () => {
  positions(here);
  show(
    {
      assets: [
        asset(1, 'Far pump', [49.4, 10.2]),
        asset(2, 'Gate', [48.402, 10.2]),
        asset(3, 'Crane', [48.4005, 10.2]),
        asset(4, 'Unmeasured', null),
      ],
      inspections: [inspection(10, { asset_id: uuid(2) }), inspection(11, { asset_id: uuid(2), status: 'approved' })],
    },
    nearby(),
  );
  const links = await screen.findAllByRole('link');
  expect(links.map(link => link.textContent)).toEqual([
    expect.stringMatching(/^Crane.*183 ft away$/),
    expect.stringMatching(/^Gate.*1 inspection to do.*730 ft away$/),
  ]);
});

test.each([
  { why: 'nothing was measured yet', rows: { assets: [asset(4, 'Unmeasured', null)] }, message: capture.nearby.none },
  {
    why: 'all is far',
    rows: { assets: [asset(1, 'Far pump', [49.4, 10.2])] },
    message: 'No assets within 12.4 mi of you.',
  },
])('where $why it is said', async ({ rows, message }) => {
  positions(here);
  show(rows, nearby());
  expect(await screen.findByText(message)).toBeDefined();
});

test('a refused position is explained, and measuring again is one press away', async () => {
  positions((_found, failed) => failed({ code: 1 }));
  show({ assets: [asset(3, 'Crane', [48.4005, 10.2])] }, nearby());
  expect((await screen.findByRole('alert')).textContent).toBe(capture.nearby.refused);
  positions(here);
  await userEvent.click(screen.getByRole('button', { name: capture.nearby.again }));
  expect(await screen.findByRole('link', { name: /Crane/ })).toBeDefined();
});

test('a list says which inspections can be done with no signal, and what the others miss', async () => {
  const rows = [
    inspection(10),
    inspection(11, { form_version_id: uuid(92) }),
    inspection(12, { asset_id: uuid(5) }),
    inspection(13, { status: 'finalised', form_version_id: uuid(92) }),
  ];
  show(
    { form_versions: [{ id: uuid(91), organization_id: ORG, form_id: uuid(90), number: 1, definition: {} }] },
    <InspectionRows
      sections={[{ title: null, rows: rows as Row<'inspections'>[] }]}
      now={new Date()}
      renderInspection={(id, face) => <a href={`/field/${id}`}>{face}</a>}
    />,
  );
  expect(await screen.findByRole('link', { name: new RegExp(`Check 10.*${capture.ready.ready}`) })).toBeDefined();
  expect(screen.getByRole('link', { name: /Check 11/ }).textContent).toContain(capture.ready.form);
  expect(screen.getByRole('link', { name: /Check 12/ }).textContent).toContain(capture.ready.asset);
  expect(screen.getByRole('link', { name: /Check 13/ }).textContent).not.toContain(capture.ready.form);
});

test('a form in the list has as many questions as can be asked: a note is none', async () => {
  const items = [
    { type: 'note', name: 'hello', label: 'Read this first' },
    { type: 'text', name: 'a', label: 'A' },
    { type: 'text', name: 'b', label: 'B' },
  ];
  const definition = { format: 1, title: 'Check', items } as Json;
  const form = { id: uuid(90), name: 'Check', state: 'published', current_version_id: uuid(91) } as Row<'forms'>;
  const newest = { id: uuid(91), form_id: uuid(90), number: 1, definition } as Row<'form_versions'>;
  const entry: FormEntry = { form, newest, draft: undefined };
  show({}, <FormRow entry={entry} renderEdit={(_id, face) => face} onBuilt={() => {}} />);
  expect(await screen.findByText(/^2 questions/)).toBeDefined();
});
