import { expect, test } from 'vitest';
import { lookUpHash } from './look-up-code.ts';
import { submissionKey, VISITOR_LIMITS, visitorFault, visitorReportBody } from './public-report.ts';

const reportText = {
  severity: 'high' as const,
  text: '  Oil under the mast \n',
  name: ' ',
  contact: '',
  photos: [],
  code: '7Q2K-41AB-9XYZ',
  at: '2026-11-21T10:00:00+02:00',
};

test('a visitor says something, and no more than the server takes', () => {
  expect(visitorFault(reportText)).toBeNull();
  expect(visitorFault({ ...reportText, text: ' \n ' })).toBe('empty');
  expect(visitorFault({ ...reportText, text: 'x'.repeat(VISITOR_LIMITS.text + 1) })).toBe('long');
  expect(visitorFault({ ...reportText, contact: 'x'.repeat(VISITOR_LIMITS.contact + 1) })).toBe('long');
  const photo = { bytes: 1, sha256: 'a'.repeat(64) };
  expect(visitorFault({ ...reportText, photos: Array.from({ length: 6 }, () => photo) })).toBe('long');
});

test('a text that shows nothing is empty, and a name that shows nothing is none', () => {
  for (const text of ['\u200b\u2060', '\0', '\ud83d', '\u3164'])
    expect(visitorFault({ ...reportText, text })).toBe('empty');
  expect(visitorReportBody({ ...reportText, name: '\u200b', contact: '\u2800' })).toMatchObject({
    name: null,
    contact: null,
  });
});

test('what no database holds is taken out before it is sent', () => {
  const body = visitorReportBody({ ...reportText, text: 'Oil\0 \ud83dhere', name: 'S\0am' });
  expect(body).toMatchObject({ text: 'Oil here', name: 'Sam' });
});

test('without a name none is sent, and of the code its hash only', () => {
  const body = visitorReportBody(reportText);
  expect(body).toEqual({
    severity: 'high',
    text: 'Oil under the mast',
    name: null,
    contact: null,
    photos: [],
    look_up_hash: lookUpHash(reportText.code),
    reported_at: '2026-11-21T08:00:00.000Z',
  });
  expect(JSON.stringify(body)).not.toContain('7Q2K');
});

test('a key is made of 256 random bits, or not at all', () => {
  expect(submissionKey(new Uint8Array(32).fill(0xab))).toBe('ab'.repeat(32));
  expect(() => submissionKey(new Uint8Array(31))).toThrow(RangeError);
});
