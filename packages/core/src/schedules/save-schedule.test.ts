import { Failure } from '@cairn/base/failure.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { expect, test } from 'vitest';
import { saveSchedule, type ScheduleDraft } from './save-schedule.ts';

const ORG = '00000000-0000-4000-8000-0000000000a1';
const FORM = '00000000-0000-4000-8000-0000000000f1';
const draft: ScheduleDraft = {
  id: '00000000-0000-4000-8000-0000000000b1',
  title: 'Every morning',
  form_id: FORM,
  site_id: null,
  asset_id: null,
  assigned_to: null,
  assigned_team: null,
  recurrence: 'FREQ=DAILY',
  start_day: '2027-03-10',
  due_time: '09:00',
  zone: 'Europe/Berlin',
  based_on: 'scheduled',
  opens_minutes: null,
  closes_minutes: null,
};
const saved = (recurrence: string) => {
  const store = memoryStore({ forms: [{ id: FORM, organization_id: ORG, name: 'Check' }] });
  return store.write('save', tx => saveSchedule(tx, { ...draft, recurrence }, { playbookId: null }));
};

test('a schedule that ends before its first day is not saved; one of a single day is', async () => {
  await expect(saved('FREQ=DAILY;UNTIL=20270309')).rejects.toThrow(Failure);
  await saved('FREQ=DAILY;UNTIL=20270310');
});

test('a rule that comes every so many days takes 1 to 1000 of them', async () => {
  await expect(saved('FREQ=DAILY;INTERVAL=1001')).rejects.toThrow(Failure);
  await saved('FREQ=DAILY;INTERVAL=1000');
});
