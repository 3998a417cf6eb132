import { expect, test } from 'vitest';
import { IndentedJson } from './indented-json.ts';

function indented(json: string, pieceBytes: number): string {
  const [bytes, writer] = [new TextEncoder().encode(json), new IndentedJson()];
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.byteLength; at += pieceBytes)
    pieces.push(writer.write(bytes.subarray(at, at + pieceBytes)));
  return Buffer.concat(pieces).toString('utf8');
}

const ROWS = {
  account: { id: 'a', phone: null },
  receipts: [],
  tables: { none: {}, tasks: [{ title: 'ü "{[,:]}" \\', n: 1.5 }, { n: 2 }] },
};

test.each([1, 2, 7, 1000])('in pieces of %i bytes it reads as JSON.stringify would write it', pieceBytes => {
  const wanted = JSON.stringify(ROWS, null, 2);
  expect(indented(JSON.stringify(ROWS), pieceBytes)).toBe(wanted);
  // As a database writes it, and what was indented already.
  expect(indented(JSON.stringify(ROWS, null, 1), pieceBytes)).toBe(wanted);
  expect(indented(wanted, pieceBytes)).toBe(wanted);
});

test('what lies deep stays on one line, so that it hardly grows', () => {
  const deep = `{"tables":{"forms":[{"body":${'['.repeat(500)}1,2${']'.repeat(500)},"n":1}]}}`;
  const written = indented(deep, 100);
  expect(JSON.parse(written)).toEqual(JSON.parse(deep));
  expect(written.length).toBeLessThan(deep.length + 100);
  expect(written.split('\n')).toContain('        "n": 1');
});
