// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import texts from '../../shared/i18n/en/controls.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { SeveralNotice } from './several-notice.tsx';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const ME = uuid(3);
const [ORG, OTHER_ORG] = [uuid(1), uuid(2)];
const [ISO, SOC] = [uuid(10), uuid(11)];

beforeAll(async () => {
  await startI18n();
  addTexts('controls', texts);
});
afterEach(cleanup);

const control = (n: number, framework: string, label: string) => ({
  id: uuid(n),
  organization_id: ORG,
  framework_id: framework,
  code: label.toLowerCase(),
  label,
  title: 'Policies',
  family: 'Governance',
  position: n,
});
const link = (n: number, controlId: string, created_at: string, organization_id = ORG) => ({
  id: uuid(n),
  organization_id,
  control_id: controlId,
  target_table: 'policies' as const,
  target_id: uuid(30),
  created_at,
});

function show(created_at: string, { organization = ORG, manages = true } = {}) {
  const store = memoryStore(
    {
      frameworks: [
        { id: ISO, organization_id: ORG, title: 'ISO/IEC 27001' },
        { id: SOC, organization_id: ORG, title: 'Trust Services Criteria' },
      ],
      controls: [control(20, ISO, '5.1'), control(21, SOC, '5.1'), control(22, ISO, '8.2')],
      control_links: [link(40, uuid(20), created_at), link(41, uuid(21), created_at), link(42, uuid(22), created_at)],
      policies: [{ id: uuid(30), organization_id: ORG, title: 'Lockout' }],
    },
    ME,
  );
  const open = { userId: ME, organization: { id: organization } as Row<'organizations'>, may: () => manages };
  render(
    <StoreContext.Provider value={store}>
      <SpaceContext.Provider value={open as unknown as Space}>
        <SeveralNotice />
        <p>drawn</p>
      </SpaceContext.Provider>
    </StoreContext.Provider>,
  );
  return store;
}

const BEFORE = '2026-11-20T08:00:00Z';
const settled = async () => {
  await screen.findByText('drawn');
  await waitFor(() => expect(screen.queryByText(texts.several.title)).toBeNull());
};

test('nobody is told of links made since, of another organisation, or who may not mend them', async () => {
  show('2026-12-04T08:00:00Z');
  await settled();
  cleanup();
  show(BEFORE, { organization: OTHER_ORG });
  await settled();
  cleanup();
  show(BEFORE, { manages: false });
  await settled();
});

test('links that an earlier build guessed in several frameworks are named, taken away one by one, and told of once', async () => {
  const store = show(BEFORE);
  await screen.findByText(texts.several.title);
  expect(screen.getByText('5.1 of ISO/IEC 27001')).toBeDefined();
  expect(screen.getByText('5.1 of Trust Services Criteria')).toBeDefined();
  expect(screen.queryByText(/^8\.2/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /5\.1 of Trust Services Criteria.*Lockout/ }));
  await settled();
  const links = await store.read({ key: 'links', tables: ['control_links'], read: tx => tx.all('control_links') });
  expect(links.map(({ control_id: id }) => id).toSorted()).toEqual([uuid(20), uuid(22)]);
  cleanup();

  show(BEFORE);
  await userEvent.click(await screen.findByRole('button', { name: texts.several.read }));
  await settled();
  cleanup();
  show(BEFORE);
  await settled();
});
