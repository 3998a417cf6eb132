import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cairn-folder-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test('every missing level is made, and making it again is no error', () => {
  const deep = join(root, 'a folder', 'b', 'c');
  makeFolder(deep, 0o700);
  makeFolder(deep, 0o700);
  expect(existsSync(deep)).toBe(true);
});

test('below a file it says so', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file', 'x'), 0o700)).toThrow('ENOTDIR');
});

test.runIf(existsSync('/proc/version'))(
  'where the file system takes no folders it gives up instead of trying for ever',
  () => {
    expect(() => makeFolder('/proc/cairn/data', 0o700)).toThrow('ENOENT');
  },
);
