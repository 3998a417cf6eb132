import { expect, test } from 'vitest';
import { guestEmail } from './guest-email.ts';

const asked = { to: 'bo@contractor.example', link: 'https://cairn.example/guest/abc', until: '2026-12-07' };

test('an email to a guest speaks the language of whoever gave the link, and says until when it opens', () => {
  const english = guestEmail({ ...asked, organization: 'Acme', german: false });
  expect(english).toMatchObject({ to: asked.to, subject: 'Work request from Acme' });
  expect(english.text).toContain(`${asked.link}\n\nThe link is valid until 7 December 2026.`);
  const german = guestEmail({ ...asked, organization: 'Acme', german: true });
  expect(german.subject).toBe('Acme bittet dich, etwas zu erledigen');
  expect(german.text).toContain(`${asked.link}\n\nDer Link gilt bis 7. Dezember 2026.`);
});

test('the name of the organisation stays on its line, and is cut', () => {
  const organization = `Acme\r\nBcc: all@acme.example ${'x'.repeat(300)}`;
  const { subject, text } = guestEmail({ ...asked, organization, german: false });
  expect(subject).not.toMatch(/[\r\n]/);
  expect(subject).toHaveLength(150);
  expect(text).not.toContain('Acme');
});
