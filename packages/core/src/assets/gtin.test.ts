import { expect, test } from 'vitest';
import { isTagOf } from '../on-site/presence.ts';
import { gtins } from './gtin.ts';
import { isSameCode } from './scanned-code.ts';

test.each([
  // A UPC-A label is read as EAN-13 with a zero in front, in front of a box as GTIN-14.
  ['012345678905', '0012345678905'],
  ['0012345678905', '012345678905'],
  ['012345678905', '00012345678905'],
  ['012345 678905', '0012345678905'],
  ['4006381333931', '04006381333931'],
  ['96385074', '00000096385074'],
  // UPC-E and the UPC-A it stands for, each way of leaving zeros out (GS1 General Specifications, 5.2.2.4.2).
  ['01234505', '012000003455'],
  ['01234531', '012300000451'],
  ['01234543', '012340000053'],
  ['01234558', '0012345000058'],
  // GS1-128 and DataMatrix: behind (01), with a batch after it or none.
  ['4006381333931', '(01)04006381333931'],
  ['4006381333931', ']C101040063813339311726113010AB'],
  ['036000291452', '0100036000291452'],
])('%s is the tag that is read as %s', (tag, scanned) => {
  expect(isSameCode(tag, scanned)).toBe(true);
  expect(isTagOf({ code: null, barcode: tag, latitude: null, longitude: null }, scanned)).toBe(true);
});

test.each([
  ['012345678905', '0012345678912'],
  ['12345', '0012345'],
  ['NW-0012', 'NW-012'],
  ['01234505', '012300000451'],
  ['4006381333931', '0104006381333932'],
  ['4006381333931', '(10)04006381333931'],
  ['', ''],
])('%j is not %j', (tag, scanned) => {
  expect(isSameCode(tag, scanned)).toBe(false);
});

test('eight digits may be an EAN-8 and a UPC-E, and nothing but digits of those lengths is a trade number', () => {
  expect(gtins('01234505')).toEqual(['00000001234505', '00012000003455']);
  expect(['123', '12345678901', '1234567890123456', '01234567x905'].flatMap(gtins)).toEqual([]);
});
