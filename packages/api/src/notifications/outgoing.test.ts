import { expect, test } from 'vitest';
import { mailOf, pushOf, textOf, type OutgoingNotification } from './outgoing.ts';

const row = (more: Partial<OutgoingNotification> = {}): OutgoingNotification => ({
  delivery: 'd1',
  person: 'p1',
  cadence: 'immediate',
  email: 'ann@example.test',
  phone: null,
  language: 'en',
  notification: 'n1',
  type: 'action.assigned',
  module: 'action-items',
  private: false,
  params: { title: 'Mend\nthe brake', by: 'Bob' },
  path: '/action-items/1',
  ...more,
});

test('a mail at once says what happened, and where to see it', () => {
  const { subject, text } = mailOf([row()], 'https://cairn.example');
  expect(subject).toBe('Bob assigned “Mend the brake” to you');
  expect(text).toContain('https://cairn.example/action-items/1');
  expect(text).toContain('https://cairn.example/notifications?view=settings');
});

test('a digest is one mail, by module, in the language of the person', () => {
  const daily = { cadence: 'daily', language: 'de' } as const;
  const inspection = { type: 'inspection.failed', module: 'field', params: { title: 'Stapler 3' }, path: '/field/2' };
  const { subject, text } = mailOf([row(daily), row({ ...daily, ...inspection }), row(daily)], 'https://c');
  expect(subject).toBe('Du hast 3 neue Benachrichtigungen in Cairn');
  expect(text.indexOf('Einsatz vor Ort')).toBeGreaterThan(text.lastIndexOf('Mend'));
  expect(text).toContain('„Stapler 3“ ist nicht bestanden');
});

test('of private things neither mail nor push says more than the module', () => {
  const secret = row({ private: true, module: 'wellness', params: { title: 'Low mood' } });
  expect(JSON.stringify([mailOf([secret], 'https://c'), pushOf(secret)])).not.toContain('Low mood');
  expect(pushOf(secret)).toMatchObject({ title: 'Wellness', path: '/action-items/1' });
});

test('a text message is one line with an address, bounded, and says of private things only where they come from', () => {
  expect(textOf(row(), 'https://cairn.example')).toBe(
    'Cairn: Bob assigned “Mend the brake” to you https://cairn.example/action-items/1',
  );
  const long = textOf(row({ params: { title: 'x'.repeat(2000), by: 'Bob' } }), 'https://cairn.example');
  expect([long.length <= 400, long.endsWith(' https://cairn.example/action-items/1')]).toEqual([true, true]);
  const hidden = textOf(row({ private: true, module: 'wellness', language: 'de' }), 'https://cairn.example');
  expect(hidden).not.toContain('brake');
  expect(hidden).toContain('Du hast eine neue Benachrichtigung');
});

test('what others wrote begins no line of its own in a mail, a push message or a text message', () => {
  const crafted = row({
    params: { by: 'Ann\n\nBob', title: 'Brake\r\n- Your password ends today\u2028\u202Ehttps://elsewhere.test' },
  });
  const one = 'Ann Bob assigned “Brake - Your password ends today https://elsewhere.test” to you';
  const { text } = mailOf([crafted], 'https://cairn.test');
  expect(text.split('\n').filter(line => line.includes('password'))).toEqual([`- ${one}`]);
  expect(pushOf(crafted).body).toBe(one);
  expect(textOf(crafted, 'https://cairn.test')).toContain(one);
});
