import { expect, test } from 'vitest';
import { readSmallForm } from './small-form.ts';

const TYPE = 'multipart/form-data; boundary=x';
const part = (name: string, value: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const read = (text: string, type = TYPE) => readSmallForm(new TextEncoder().encode(text).buffer, type);

test('a form with a file is read, whoever wrote it', async () => {
  const sent = new FormData();
  sent.set('key', 'a');
  sent.set('photo', new File([new Uint8Array([1, 13, 10, 45, 45, 2])], 'p.jpg', { type: 'image/jpeg' }));
  const request = new Request('http://local', { method: 'POST', body: sent });
  const form = await readSmallForm(await request.arrayBuffer(), request.headers.get('Content-Type') ?? '');
  expect(form?.get('key')).toBe('a');
  const photo = form?.get('photo');
  expect(photo instanceof File && [...new Uint8Array(await photo.arrayBuffer())]).toEqual([1, 13, 10, 45, 45, 2]);
  const quoted = await read(`${part('a', '1')}--x--`, 'multipart/form-data; charset=utf-8; boundary="x"');
  expect(quoted?.get('a')).toBe('1');
});

test('sixteen parts are read, more are not', async () => {
  const of = (count: number) => `${part('a', '1').repeat(count)}--x--`;
  expect((await read(of(16)))?.getAll('a')).toHaveLength(16);
  expect(await read(of(17))).toBeNull();
  expect(await read(of(100_000))).toBeNull();
});

test.each([
  [
    'endless headers',
    `--x\r\n${'X-A: b\r\n'.repeat(10_000)}Content-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--`,
    TYPE,
  ],
  ['an endless name', `${part('a'.repeat(20_000), '1')}--x--`, TYPE],
  ['no form', '{}', 'application/json'],
  ['fields in a line', 'a=1&b=2', 'application/x-www-form-urlencoded'],
  ['no boundary', `${part('a', '1')}--x--`, 'multipart/form-data'],
  ['another boundary', `${part('a', '1')}--x--`, 'multipart/form-data; boundary=y'],
  ['nothing', '', TYPE],
])('%s is no such form', async (_, text, type) => expect(await read(text, type)).toBeNull());
