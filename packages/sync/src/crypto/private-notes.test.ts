import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { newId } from '@cairn/base/id.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { openDevice, type Device } from '../device.ts';
import { newRecoveryCode } from './private-notes.ts';

const SAM = '00000000-0000-4000-8000-000000000001';
const PASSWORD = 'a long password';
const NOTE = 'Slept badly, worried about Tuesday';

const device = (): Promise<Device> => openDevice({ name: newId(), platform: virtualPlatform() });

async function written() {
  const phone = await device();
  const notes = await phone.privateNotes(SAM);
  const code = newRecoveryCode();
  const record = newId();
  const key = await notes.make({ id: newId(), password: PASSWORD, code });
  const closed = await notes.close({ key: key.id, record }, NOTE);
  return { phone, notes, code, key, record, closed };
}

test('a private note is opened where it was written, and what leaves the device holds no word of it', async () => {
  const { notes, key, record, closed, code } = await written();
  expect(await notes.read(record, closed)).toBe(NOTE);
  const sent = JSON.stringify([key, closed]);
  for (const secret of [NOTE, btoa(NOTE), PASSWORD, code, code.replaceAll('-', '')]) expect(sent).not.toContain(secret);
});

test('a second device opens it with the password, or with the recovery code however it is copied, and with nothing else', async () => {
  const { key, code, record, closed } = await written();
  for (const secret of [PASSWORD, code, ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')} `]) {
    const other = await (await device()).privateNotes(SAM);
    expect(await other.read(record, closed)).toBeNull();
    await expect(other.unlock(key, 'another password')).rejects.toMatchObject({ code: 'decrypt' });
    expect([...(await other.open())]).toEqual([]);
    await other.unlock(key, secret);
    expect(await other.read(record, closed)).toBe(NOTE);
  }
});

test('a note moved to another record, or changed by a bit, does not open', async () => {
  const { notes, record, closed } = await written();
  expect(await notes.read(newId(), closed)).toBeNull();
  const [format, id, iv, body = ''] = closed.split('.');
  const bytes = Uint8Array.from(atob(body), char => char.charCodeAt(0));
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  expect(await notes.read(record, [format, id, iv, btoa(String.fromCharCode(...bytes))].join('.'))).toBeNull();
});

test('a changed password opens the key that was closed anew, the old one does not', async () => {
  const { notes, key, record, closed } = await written();
  const anew = { ...key, by_password: await notes.closeKey(key.id, 'the next password') };
  const other = await (await device()).privateNotes(SAM);
  await expect(other.unlock(anew, PASSWORD)).rejects.toMatchObject({ code: 'decrypt' });
  await other.unlock(anew, 'the next password');
  expect(await other.read(record, closed)).toBe(NOTE);
});

test('a sign-out closes the notes on the device, and forgets what others let the person see', async () => {
  const { phone, notes, record, closed } = await written();
  const copies = await phone.sharedCopies(SAM);
  await copies.keep('one', { parts: [] });
  expect(await copies.get('one')).toEqual({ parts: [] });
  await phone.dataKeys.letGo(SAM);
  expect(await notes.read(record, closed)).toBeNull();
  expect(await copies.names()).toEqual([]);
});

test('recovery codes are 100 random bits that can be read aloud', () => {
  const codes = Array.from({ length: 50 }, newRecoveryCode);
  expect(new Set(codes).size).toBe(50);
  for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
});
