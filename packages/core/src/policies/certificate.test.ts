import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signatureOf, trailOf, type Certificate } from './certificate.ts';
import { isSameHash, normalCertificateCode, shownCertificateCode } from './certificate-code.ts';

const CODE = '7Q2K41AB9XYZ0123456789MNPQRS';
const signed: Certificate = {
  organization: 'Northfield',
  title: 'Lockout',
  version: '1.0',
  content_hash: 'ab'.repeat(32),
  file: null,
  signed_name: 'Sam Worker',
  account_name: 'Sam Reed',
  method: 'typed',
  signature: null,
  code: CODE,
  status: 'in_force',
  requested_at: '2026-11-20T08:00:00Z',
  // The phone's clock is days behind.
  opened_at: '2026-11-18T09:00:00Z',
  sections_read: 2,
  sections: 3,
  decided_at: '2026-11-18T09:05:00Z',
  received_at: '2026-11-21T10:00:00Z',
  replaced_at: null,
  archived_at: null,
  quiz: null,
  kiosk: null,
};
const kinds = (more: Partial<Certificate>) => trailOf({ ...signed, ...more }).map(({ kind }) => kind);

describe('the trail of a word', () => {
  test('tells what happened in its order, whatever the clock of the phone said, and whose clock it was', () => {
    expect(trailOf(signed)).toEqual([
      { kind: 'requested', at: signed.requested_at, clock: 'server' },
      { kind: 'opened', at: signed.opened_at, clock: 'device' },
      { kind: 'read', at: null, clock: null },
      { kind: 'signed', at: signed.decided_at, clock: 'device' },
      { kind: 'received', at: signed.received_at, clock: 'server' },
    ]);
  });

  test('tells when the quiz was answered last, between reading and signing', () => {
    const quiz = { attempts: 2, right: 3, of: 3, needed: 3, at: '2026-11-18T09:04:00Z' };
    expect(trailOf({ ...signed, quiz })).toContainEqual({ kind: 'answered', at: quiz.at, clock: 'device' });
    expect(kinds({ quiz })).toEqual(['requested', 'opened', 'read', 'answered', 'signed', 'received']);
  });

  test('leaves out what never was: nobody asked, a text without sections', () => {
    expect(kinds({ requested_at: null, sections: 0 })).toEqual(['opened', 'signed', 'received']);
  });

  test('ends with what came after it; a word that came too late was superseded before it was received', () => {
    const replaced_at = '2026-11-20T12:00:00Z';
    expect(kinds({ status: 'superseded', replaced_at, archived_at: '2026-12-01T00:00:00Z' }).slice(3)).toEqual([
      'signed',
      'received',
      'superseded',
      'archived',
    ]);
    expect(kinds({ status: 'void', replaced_at }).slice(3)).toEqual(['signed', 'superseded', 'received', 'voided']);
  });
});

describe('a code', () => {
  test('is taken as it is shown, in small letters, with letters that look alike, and as the whole address', () => {
    const shown = shownCertificateCode(CODE);
    expect(shown).toBe('7Q2K-41AB-9XYZ-0123-4567-89MN-PQRS');
    for (const typed of [
      shown,
      shown.toLowerCase().replaceAll('-', ' '),
      CODE.replaceAll('0', 'o').replaceAll('1', 'l'),
      `https://cairn.example/verify/${CODE}/`,
    ])
      expect(normalCertificateCode(typed)).toBe(CODE);
  });

  test('is nothing shorter, longer or written in other letters', () => {
    for (const typed of ['', CODE.slice(1), `${CODE}0`, CODE.replace('7', 'U'), CODE.replace('7', '%')])
      expect(normalCertificateCode(typed)).toBeNull();
    fc.assert(
      fc.property(fc.string(), typed => {
        expect(normalCertificateCode(typed) ?? CODE).toMatch(/^[0-9A-HJKMNP-TV-Z]{28}$/);
      }),
    );
  });
});

test('hashes are compared however they were copied, and only where one is whole', () => {
  const hash = `${'ab'.repeat(31)}0f`;
  expect(isSameHash(` SHA-256: ${hash.toUpperCase()}\n`, hash)).toBe(true);
  expect(isSameHash(hash.replace(/f$/, 'e'), hash)).toBe(false);
  expect(isSameHash(hash.slice(1), hash)).toBeNull();
  expect(isSameHash('9f2c 71d0 … 41ab', hash)).toBeNull();
});

test('of a stored signature only what can be drawn is drawn', () => {
  const drawn = {
    width: 10,
    height: 5,
    strokes: [
      [
        [1, 2],
        [3, 4],
      ],
      [],
      [['x', 1]],
    ],
  };
  expect(signatureOf(drawn)).toEqual({
    width: 10,
    height: 5,
    strokes: [
      [
        [1, 2],
        [3, 4],
      ],
    ],
  });
  for (const value of [null, 'x', [], { width: 1, height: 1, strokes: [] }, { strokes: [[[1, 2]]] }])
    expect(signatureOf(value)).toBeNull();
});
