import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDataFolder } from './server-lock.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-lock-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a held folder is refused by the holder’s number, and free again once given back', () => {
  const release = lockDataFolder(folder);
  expect(() => lockDataFolder(folder)).toThrow(`Another Cairn server (process ${process.pid}) is using`);
  release();
  expect(readdirSync(folder)).toEqual([]);
  lockDataFolder(folder)();
});

test('the lock of a dead process is replaced', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  writeFileSync(join(folder, 'server.lock'), `${child.pid}\n12345\ntoken\n`);
  lockDataFolder(folder)();
  expect(readdirSync(folder)).toEqual([]);
});

test('a living process that only got the same number is not taken for the holder', () => {
  writeFileSync(join(folder, 'server.lock'), `${process.pid}\n1\ntoken\n`);
  expect(lockDataFolder(folder)).not.toThrow();
});

test('a lock that makes no sense is replaced', () => {
  writeFileSync(join(folder, 'server.lock'), '');
  expect(lockDataFolder(folder)).not.toThrow();
});

test('giving back does not take away the lock of somebody else', () => {
  const release = lockDataFolder(folder);
  writeFileSync(join(folder, 'server.lock'), 'of somebody else');
  release();
  expect(existsSync(join(folder, 'server.lock'))).toBe(true);
});
