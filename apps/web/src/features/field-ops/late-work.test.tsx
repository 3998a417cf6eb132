// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Json, Row } from '@cairn/schema';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import field from '../../shared/i18n/en/field.json';
import review from '../../shared/i18n/en/review.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { InspectionScreen } from './inspection-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const MARA = '00000000-0000-4000-8000-000000000002';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const FORM = '00000000-0000-4000-8000-0000000000f1';
const VERSION = '00000000-0000-4000-8000-0000000000f2';
const CHECK = '00000000-0000-4000-8000-0000000000c1';
const at = '2026-11-21T09:00:00.000Z';

beforeAll(async () => {
  await startI18n();
  addTexts('field', field);
  addTexts('review', review);
});
afterEach(cleanup);

/** The finish of this phone that the server did not take, as its outbox tells of it. */
const refused = {
  key: `record/inspections/${CHECK}`,
  table: 'inspections',
  recordId: CHECK,
  kind: 'record',
  aggregateKey: `inspections/${CHECK}`,
  state: 'failed',
  lastError: '42501',
  detail: 'a decided inspection stays as it was signed',
  reason: 'CN269',
} as OutboxItem;

const event = (id: string, after: string, created: string): Partial<Row<'inspection_events'>> & { id: string } => ({
  id: `00000000-0000-4000-8000-0000000000${id}`,
  organization_id: ORG,
  inspection_id: CHECK,
  kind: 'state',
  after,
  created_at: created,
});

/** The phone's own row says finished, whatever the server decided: its change lies over the server's. */
function show(outbox: OutboxItem[], decision: string | null) {
  const of = { organization_id: ORG, form_id: FORM };
  const definition = { format: 1, title: 'Check', items: [{ type: 'text', name: 'q1', label: 'Which?' }] } as Json;
  const store = memoryStore({
    people: [{ id: MARA, display_name: 'Mara Voss' }],
    forms: [{ id: FORM, organization_id: ORG, name: 'Check' }],
    form_versions: [{ id: VERSION, ...of, number: 1, definition }],
    inspections: [
      {
        id: CHECK,
        ...of,
        form_version_id: VERSION,
        title: 'Forklift 3',
        status: 'finalised',
        conducted_by: ME,
        reviewed_by: MARA,
        reviewed_at: at,
        finished_at: at,
        received_at: at,
        round: 1,
      },
    ],
    inspection_events: [
      event('e1', 'has_issues', at),
      ...(decision ? [event('e2', decision, '2026-11-21T10:00:00.000Z')] : []),
    ],
  });
  const none = () => () => {};
  const engine = {
    watchOutbox: (tell: (items: OutboxItem[]) => void) => {
      tell(outbox);
      return () => {};
    },
    watchConflicts: none,
    watchReceipts: none,
  } as unknown as SyncEngine;
  const organization = { id: ORG, name: 'Northfield' } as Row<'organizations'>;
  const space: Space = { userId: ME, organization, playbook: null, world: 'company', may: () => false };
  const user = { id: ME, email: 'sam@cairn.test', fullName: 'Sam Worker' };
  return render(
    <SignedInContext.Provider value={{ user, engine, verified: false }}>
      <StoreContext.Provider value={store}>
        <SpaceContext.Provider value={space}>
          <InspectionScreen
            inspectionId={CHECK}
            onClose={() => {}}
            renderAction={(_id, face) => <div>{face}</div>}
            renderComments={() => null}
            renderSyncLink={words => <a href="/sync">{words}</a>}
          />
        </SpaceContext.Provider>
      </StoreContext.Provider>
    </SignedInContext.Provider>,
  );
}

test('work that came after the approval: approved is said, and that this phone’s version stays on it', async () => {
  show([refused], 'approved');
  expect(await screen.findByText(review.late.refused)).toBeTruthy();
  expect((await screen.findAllByText('Approved')).length).toBeGreaterThan(0);
  expect(screen.getByText('Approved by Mara Voss')).toBeTruthy();
  expect(screen.getByText(review.late.kept)).toBeTruthy();
  expect(screen.getByText(/On the server, the inspection is unchanged: Approved\.$/)).toBeTruthy();
  expect(screen.queryByText(field.report.saved)).toBeNull();
  expect(screen.queryByText(new RegExp(review.notSeen))).toBeNull();
});

test('the way to refused work promises no two versions: there are none', async () => {
  show([refused], 'rejected');
  expect(await screen.findByRole('link', { name: review.late.lookRefused })).toBeTruthy();
  expect(screen.queryByText(review.late.look)).toBeNull();
});

test('what was refused for another reason is not said to have come after a decision', async () => {
  const { reason: _, ...unnamed } = refused;
  show([{ ...unnamed, detail: 'row-level security' }], null);
  expect(await screen.findByText(review.late.elsewhere)).toBeTruthy();
  expect(screen.queryByText(review.late.refused)).toBeNull();
  expect(screen.getByText(review.late.keptMixed)).toBeTruthy();
});

test('what only waits is said to go out by itself', async () => {
  show([{ ...refused, state: 'waiting', lastError: null, detail: null }], null);
  expect(await screen.findByText(new RegExp(review.notSeen))).toBeTruthy();
  expect(screen.queryByText(review.late.kept)).toBeNull();
});

/** A photo of the inspection as the outbox tells of its bytes. */
const photo = (id: string, state: OutboxItem['state']) =>
  ({
    key: `file/${id}`,
    table: 'media',
    recordId: id,
    kind: 'file',
    aggregateKey: `inspections/${CHECK}`,
    state,
    mime: 'image/jpeg',
  }) as OutboxItem;

test('received is not said of an inspection whose photo has not arrived: it waits, with the way to it', async () => {
  show([photo('p1', 'sending')], null);
  expect(await screen.findByText('Received · 1 photo still to send')).toBeTruthy();
  expect(screen.queryByText(field.report.receivedText)).toBeNull();
  expect(screen.getByRole('link', { name: review.files.look })).toBeTruthy();
});

test('a photo whose row and bytes are both here is one; a refused one is said to be refused', async () => {
  const row = { ...photo('p1', 'failed'), key: 'record/media/p1', kind: 'record' } as OutboxItem;
  show([row, photo('p1', 'waiting'), photo('p2', 'waiting'), photo('p3', 'waiting')], null);
  expect(await screen.findByText('Received · 1 photo refused, 2 photos still to send')).toBeTruthy();
  expect(screen.getByRole('link', { name: review.late.lookRefused })).toBeTruthy();
});

test('photos of another inspection do not count', async () => {
  show([{ ...photo('p1', 'waiting'), aggregateKey: 'inspections/another' }], null);
  expect(await screen.findByText(field.report.receivedText)).toBeTruthy();
});

test('refused work over what another phone signed is no report: it is said, and made into no file', async () => {
  show([{ ...refused, detail: 'a finished inspection stays as it was signed', reason: 'CN113' }], null);
  expect(await screen.findByText(review.late.keptMixed)).toBeTruthy();
  expect(screen.queryByText(field.report.serverTime)).toBeNull();
  expect(screen.queryByRole('button', { name: review.pdf.save })).toBeNull();
  cleanup();
  show([], null);
  expect(await screen.findByRole('button', { name: review.pdf.save })).toBeTruthy();
  expect(screen.getByText(field.report.serverTime)).toBeTruthy();
});
