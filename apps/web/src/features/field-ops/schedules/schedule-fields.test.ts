import { expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import { draftOf, fieldsOf, freshFields } from './schedule-fields.ts';

const fresh = { ...freshFields('2026-11-21', 'Europe/Berlin', ''), title: 'Check', formId: 'f' };

test('a schedule opened and saved unchanged is the same schedule', () => {
  const rules = [
    'FREQ=DAILY;COUNT=7',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH',
    'RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD',
  ];
  for (const recurrence of [
    ...rules,
    'FREQ=MONTHLY;BYDAY=-1FR;SKIP=OMIT',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3',
  ]) {
    const draft = draftOf('s', { ...fresh, who: 'team/t', opens: '60' });
    const row = { ...draft, recurrence } as Row<'schedules'>;
    const again = draftOf('s', fieldsOf(row));
    expect(again).toEqual({ ...row, recurrence: draftOf('s', fieldsOf({ ...row, ...again }))?.recurrence });
    expect(again?.recurrence.replace(/^RSCALE=GREGORIAN;/, '').split(';')).toEqual(
      expect.arrayContaining(
        recurrence
          .replace(/^RSCALE=GREGORIAN;/, '')
          .replace(';SKIP=OMIT', '')
          .split(';'),
      ),
    );
  }
});

test('a duty of every month falls on the last day of months that are too short', () => {
  expect(draftOf('s', { ...fresh, every: 'month', startDay: '2026-01-31' })?.recurrence).toContain('SKIP=BACKWARD');
});

test('nothing is saved while something is missing', () => {
  const missing = [
    { title: ' ' },
    { formId: '' },
    { startDay: null },
    { dueTime: null },
    { interval: null },
    { interval: 0 },
  ];
  for (const change of missing) expect(draftOf('s', { ...fresh, ...change })).toBeNull();
  expect(draftOf('s', fresh)).toMatchObject({ recurrence: 'FREQ=DAILY', assigned_to: null, assigned_team: null });
});
