import { expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { knownPerson, presenceOf } from './person-profile.ts';

test('somebody seen within two hours is here; where nothing is shown, nothing is said', () => {
  const now = new Date('2026-11-23T12:59:00Z');
  expect(presenceOf('2026-11-23T11:00:00Z', now)).toBe('here');
  expect(presenceOf('2026-11-23T10:00:00Z', now)).toBe('gone');
  expect(presenceOf(null, now)).toBeNull();
});

test('a person is known by the company or by the circle, with what they are here', async () => {
  const store = memoryStore({
    people: [{ id: 'ada', display_name: 'Ada' }],
    organization_members: [
      { id: '1', organization_id: 'north', user_id: 'ada', role: 'manager' },
      { id: '2', organization_id: 'south', user_id: 'ada', role: 'admin', deleted_at: '2026-11-01T00:00:00Z' },
    ],
    circle_relationships: [
      {
        id: 'help',
        subject_id: 'sam',
        helper_id: 'tom',
        role: 'mentor_coach',
        subject_name: 'Sam',
        helper_name: 'Tom',
      },
    ],
  });
  expect(await store.read(knownPerson('ada', 'north'))).toEqual({ name: 'Ada', role: 'manager' });
  expect(await store.read(knownPerson('ada', 'south'))).toEqual({ name: 'Ada', role: null });
  expect(await store.read(knownPerson('tom', 'north'))).toEqual({ name: 'Tom', role: null });
  expect(await store.read(knownPerson('sam', 'north'))).toEqual({ name: 'Sam', role: null });
  expect(await store.read(knownPerson('eve', 'north'))).toEqual({ name: null, role: null });
});
