// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { policyHash } from '@cairn/core/policies/policy-hash.ts';
import { ownAnswer } from '@cairn/core/support-circle/countersign.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import countersign from '../../shared/i18n/en/countersign.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../shared/session/session.ts';
import { PrincipleCard, type PrinciplePart } from './principle-card.tsx';

const [PIA, SAM, PAIR, VERSION, ASK] = [1, 2, 3, 4, 5].map(
  n => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
);
const AT = '2026-11-21T08:00:00.000Z';
const words = { title: 'I rest on Sundays', body: 'No work on Sundays.' };
const data = {
  ...words,
  version_id: String(VERSION),
  major: 1,
  minor: 0,
  content_hash: policyHash(words),
  is_current: true,
  name: 'Pia Person',
  decided_at: AT,
  received_at: AT,
};

beforeAll(async () => {
  await startI18n();
  addTexts('countersign', countersign);
});
afterEach(cleanup);

function show(part: Partial<typeof data> = {}) {
  const pair = { subject_id: String(PIA), helper_id: String(SAM), role: 'accountability_partner' as const };
  const shown = { scope: 'principles', level: 'countersign', item_ids: [String(VERSION)], valid_from: AT };
  const store = memoryStore(
    {
      circle_relationships: [{ id: String(PAIR), ...pair, state: 'active' as const }],
      consent_grants: [{ id: String(ASK), relationship_id: String(PAIR), ...pair, ...shown }],
    },
    String(SAM),
  );
  const engine = { watchOutbox: () => () => undefined };
  const signedIn = { user: { id: String(SAM) }, engine, verified: true } as never;
  const granted = { grant_id: String(ASK), until: null, scope: 'principles', level: 'countersign' } as const;
  const shared: PrinciplePart = { ...granted, data: { ...data, ...part } };
  const ports = { renderWords: (text: string) => text, renderSignature: () => null, renderDrawing: () => null };
  render(
    <StoreContext.Provider value={store}>
      <SignedInContext.Provider value={signedIn}>
        <PrincipleCard part={shared} other="Pia Person" ports={ports} />
      </SignedInContext.Provider>
    </StoreContext.Provider>,
  );
  return store;
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('a partner says no without a word, and the card says that they did', async () => {
  const store = show();
  await press('Decline to countersign');
  await press('Decline');
  await screen.findByText('You declined');
  expect(await store.read(ownAnswer(String(ASK)))).toMatchObject({ decision: 'declined', reason: '', helper_id: SAM });
  expect(screen.queryByRole('button', { name: 'Countersign' })).toBeNull();
});

test('a partner types their name under the words that are shown', async () => {
  const store = show();
  await press('Countersign');
  await screen.findByText('Enter your full name.');
  await userEvent.type(screen.getByLabelText('Your full name'), 'Sam Worker');
  await press('Countersign');
  await screen.findByText('You countersigned this');
  const kept = await store.read(ownAnswer(String(ASK)));
  expect(kept).toMatchObject({ decision: 'signed', signed_name: 'Sam Worker', content_hash: data.content_hash });
});

test('words that are not what their hash says are not signed, and a version out of force is said to be', async () => {
  show({ body: 'Other words.', is_current: false });
  await screen.findByText(countersign.altered);
  await screen.findByText(countersign.replaced);
  expect(screen.queryByRole('button')).toBeNull();
});
