// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import words from '../../../shared/i18n/en/schedules.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SpaceContext, type Space } from '../../../shared/session/space.ts';
import { ScheduleSheet } from './schedule-sheet.tsx';

const ORG = '00000000-0000-4000-8000-0000000000a1';
const FORM = '00000000-0000-4000-8000-0000000000f1';

beforeAll(async () => {
  await startI18n();
  addTexts('schedules', words);
});
afterEach(cleanup);

const schedule = (recurrence: string) =>
  ({
    id: '00000000-0000-4000-8000-0000000000b1',
    organization_id: ORG,
    title: 'Every morning',
    form_id: FORM,
    site_id: null,
    asset_id: null,
    assigned_to: null,
    assigned_team: null,
    recurrence,
    start_day: '2027-03-10',
    due_time: '09:00',
    zone: 'Europe/Berlin',
    based_on: 'scheduled',
    opens_minutes: null,
    closes_minutes: null,
    state: 'active',
  }) as Row<'schedules'>;

function show(recurrence = 'FREQ=DAILY') {
  const row = schedule(recurrence);
  const store = memoryStore({
    forms: [{ id: FORM, organization_id: ORG, name: 'Check', state: 'published', current_version_id: FORM }],
    schedules: [row],
  });
  const organization = { id: ORG, name: 'Northfield' } as Row<'organizations'>;
  const space: Space = { userId: 'me', organization, playbook: null, world: 'company', may: () => true };
  render(
    <StoreContext.Provider value={store}>
      <SpaceContext.Provider value={space}>
        <ScheduleSheet schedule={row} onClose={() => {}} />
      </SpaceContext.Provider>
    </StoreContext.Provider>,
  );
  return async () => (await store.read({ key: 's', tables: ['schedules'], read: tx => tx.all('schedules') }))[0];
}

const save = () => userEvent.click(screen.getByRole('button', { name: words.form.save }));
const WHOLE = 'Enter a whole number from 1 to 1000.';

test.each(['1.5', '1,5', '0', '999999999', '-2', 'often'])(
  'every %s days is told at the field, with the numbers it takes, and is not saved',
  async typed => {
    const kept = show();
    const field = await screen.findByLabelText(words.form.interval);
    await userEvent.clear(field);
    await userEvent.type(field, typed);
    await save();
    expect(screen.getByText(WHOLE)).toBeTruthy();
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(await kept()).toMatchObject({ recurrence: 'FREQ=DAILY' });
    expect(screen.queryByText(words.form.noPreview)).toBeNull();
  },
);

test('a last day before the first is told at the last day, and is not saved', async () => {
  const kept = show('FREQ=DAILY;UNTIL=20270301');
  await screen.findByLabelText(words.form.interval);
  await userEvent.type(screen.getByLabelText(words.form.name), '!');
  await save();
  expect(screen.getByText(words.form.untilEarly)).toBeTruthy();
  expect(await kept()).toMatchObject({ title: 'Every morning' });
});
