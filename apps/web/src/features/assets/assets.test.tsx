// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@cairn/base/id.ts';
import { register } from '@cairn/core/assets/queries.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import assets from '../../shared/i18n/en/assets.json';
import capture from '../../shared/i18n/en/capture.json';
import field from '../../shared/i18n/en/field.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { AssetScreen } from './asset-screen.tsx';
import { AssetsScreen } from './assets-screen.tsx';
import { ScanScreen } from './scan-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const FORKLIFT = '00000000-0000-4000-8000-0000000000e3';
let store: Store;
let opened: string[];

beforeAll(async () => {
  await startI18n();
  addTexts('assets', assets);
  addTexts('capture', capture);
  addTexts('field', field);
});
beforeEach(() => {
  opened = [];
  store = memoryStore({ assets: [{ id: FORKLIFT, organization_id: ORG, name: 'Forklift 3', code: 'NW-FL-003' }] }, ME);
});
afterEach(cleanup);

const organization = { id: ORG, name: 'Northfield' } as Row<'organizations'>;
const space = (may: boolean): Space => ({ userId: ME, organization, playbook: null, world: 'company', may: () => may });

const show = (child: React.ReactNode, may = true) =>
  render(
    <StoreContext.Provider value={store}>
      <SpaceContext.Provider value={space(may)}>{child}</SpaceContext.Provider>
    </StoreContext.Provider>,
  );
const scan = () => (
  <ScanScreen
    backLink={null}
    onFound={id => opened.push(id)}
    renderAdd={code => <a href={`/assets?scanned=${code}`}>{assets.scan.add}</a>}
  />
);
const list = (code?: string) => (
  <AssetsScreen
    title="Assets"
    code={code}
    onMaking={() => undefined}
    renderAsset={(id, face) => <a href={`/assets/${id}`}>{face}</a>}
    scanLink={null}
    onMade={id => opened.push(id)}
  />
);

test('a typed code opens its asset; one that is unknown says so, and who may adds it', async () => {
  show(scan());
  await userEvent.type(screen.getByLabelText('Code'), 'XX-1{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('No asset has the code XX-1');
  expect(screen.getByText(assets.scan.add).getAttribute('href')).toBe('/assets?scanned=XX-1');
  await userEvent.clear(screen.getByLabelText('Code'));
  await userEvent.type(screen.getByLabelText('Code'), 'nw fl 003{Enter}');
  await waitFor(() => expect(opened).toEqual([FORKLIFT]));
});

test('where there is no camera it is said, and the other ways stay', async () => {
  show(scan());
  await userEvent.click(screen.getByRole('button', { name: capture.code.start }));
  await screen.findByText(capture.code.none);
  expect(screen.getByLabelText('Code')).toBeDefined();
});

test('who may not add assets is offered no way to', async () => {
  show(scan(), false);
  await userEvent.type(screen.getByLabelText('Code'), 'XX-1{Enter}');
  await screen.findByRole('alert');
  expect(screen.queryByText(assets.scan.add)).toBeNull();
  cleanup();
  show(list(), false);
  await screen.findByText('Forklift 3');
  expect(screen.queryByRole('button', { name: assets.new })).toBeNull();
});

test('a scanned code stands in the form; a taken one is refused at its field and what was typed stays', async () => {
  show(list('NW-FL-003'));
  const sheet = await screen.findByRole('dialog');
  await userEvent.type(screen.getByLabelText('Name'), 'Ladder');
  await userEvent.click(screen.getByRole('button', { name: assets.add }));
  expect((await screen.findByRole('alert')).textContent).toContain(assets.problem.codeTaken);
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ladder');
  expect(sheet).toBeDefined();
  await userEvent.type(screen.getByLabelText(assets.field.code), 'b');
  await userEvent.click(screen.getByRole('button', { name: assets.add }));
  await waitFor(() => expect(opened).toHaveLength(1));
  expect((await store.read(register(ORG))).assets.map(({ code }) => code)).toEqual(['NW-FL-003', 'NW-FL-003b']);
});

const asset = () => (
  <AssetScreen
    assetId={FORKLIFT}
    backLink={null}
    reportLink={null}
    renderStart={() => null}
    renderDue={() => null}
    renderAsset={(id, face) => <a href={`/assets/${id}`}>{face}</a>}
    renderPast={(_kind, id, face) => <a href={`/past/${id}`}>{face}</a>}
    renderAction={(id, words) => <a href={`/action-items/${id}`}>{words}</a>}
  />
);

test('an asset with a critical failure is out of service in the register and on its page, until the failure is closed', async () => {
  const failure = { id: newId(), organization_id: ORG, asset_id: FORKLIFT, title: 'Brake does not hold' };
  const item = { ...failure, priority: 'critical' as const, source_type: 'inspection' as const };
  await store.write('fail', tx => tx.put('action_items', item));
  show(list());
  expect((await screen.findByRole('link', { name: /Forklift 3/ })).textContent).toContain(assets.status.down);
  cleanup();
  show(asset());
  const told = await screen.findByRole('alert');
  expect(told.textContent).toContain('Forklift 3 is out of service');
  expect(told.textContent).toContain('Brake does not hold');
  expect(screen.getByRole('link', { name: field.service.open }).getAttribute('href')).toBe(
    `/action-items/${failure.id}`,
  );
  screen.getByText(assets.status.down);
  await act(() => store.write('close', tx => tx.change('action_items', failure.id, { status: 'closed' })));
  await screen.findByText(assets.status.operational);
  expect(screen.queryByRole('alert')).toBeNull();
});
