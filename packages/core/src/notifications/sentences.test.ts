import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLine } from '@cairn/base/one-line.ts';
import { moduleName } from './module-names.ts';
import { sentenceOf } from './sentences.ts';

const chrome =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36';

test.each([
  ['action.assigned', { title: 'Brake', by: 'Ann' }, 'Ann assigned “Brake” to you', 'Ann hat dir „Brake“ zugewiesen'],
  ['action.assigned', { title: 'Brake' }, '“Brake” was assigned to you', '„Brake“ wurde dir zugewiesen'],
  ['security.new_device', { agent: chrome }, 'New sign-in from Chrome, Android', 'Neue Anmeldung mit Chrome, Android'],
  [
    'security.new_device',
    { agent: 'Win 500 EUR: evil.example/7' },
    'New sign-in from another device',
    'Neue Anmeldung von einem anderen Gerät',
  ],
  [
    'security.new_device',
    { agent: chrome, more: 2 },
    'New sign-in from Chrome, Android and 2 more',
    'Neue Anmeldung mit Chrome, Android und 2 weiteren',
  ],
  [
    'security.new_device',
    { agent: 'your own phone, all is well', more: 2 },
    'New sign-in from another device and 2 more',
    'Neue Anmeldung mit einem anderen Gerät und 2 weiteren',
  ],
  ['security.new_device', {}, 'New sign-in from another device', 'Neue Anmeldung von einem anderen Gerät'],
  ['member.joined', { organization: 'Acme' }, 'Someone new joined Acme', 'Bei Acme ist jemand Neues'],
  ['work.accepted', { organization: 'Acme' }, 'Acme accepted your work', 'Acme hat deine Arbeit angenommen'],
  ['work.declined', {}, 'Your work was declined', 'Deine Arbeit wurde abgelehnt'],
  ['from.a.later.version', { title: 'X' }, 'You have a new notification', 'Du hast eine neue Benachrichtigung'],
])('%s with %o', (type, params, english, german) => {
  expect(sentenceOf(type, params, 'en-GB')).toBe(english);
  expect(sentenceOf(type, params, 'de')).toBe(german);
});

test('names are put in on one line, whatever they hold', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (title, by) => {
      expect(sentenceOf('action.assigned', { title, by }, 'en')).toBe(
        `${oneLine(by)} assigned “${oneLine(title)}” to you`,
      );
    }),
  );
  const title = 'Rail\n\n--\nYour account ends today: https://evil.example\u2028';
  expect(sentenceOf('action.assigned', { title, by: 'Eve\r\nSam' }, 'en')).toBe(
    'Eve Sam assigned “Rail -- Your account ends today: https://evil.example” to you',
  );
});

test('a module without a name yet goes by its own', () => {
  expect([moduleName('field', 'de'), moduleName('novelty', 'en')]).toEqual(['Einsatz vor Ort', 'novelty']);
});
