import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workbook } from '@cairn/testing/workbook-builder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pinned = join(root, 'node_modules', '.bin', 'node');
const node = existsSync(pinned) ? pinned : process.execPath;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-import-'));
  await writeFile(
    join(folder, 'good.xlsx'),
    new Uint8Array(
      workbook({
        survey: [
          ['type', 'name'],
          ['text', 'a'],
          ['start', 's'],
        ],
      }),
    ),
  );
  await writeFile(
    join(folder, 'bad.xlsx'),
    new Uint8Array(
      workbook({
        survey: [
          ['type', 'name', 'relevant'],
          ['text', 'a', 'magic()'],
        ],
      }),
    ),
  );
  await writeFile(join(folder, 'text.xlsx'), 'no workbook');
  await writeFile(join(folder, 'policy.md'), 'name: Access\nacronym: AC\n---\na. First\n');
  const item = { uuid: '00000000-0000-4000-8000-000000000001', title: 'Mend', description: 'It' };
  const plan = (...items: object[]) =>
    JSON.stringify({
      'plan-of-action-and-milestones': { uuid: item.uuid, metadata: { title: 'Plan' }, 'poam-items': items },
    });
  await writeFile(join(folder, 'plan.json'), plan(item));
  await writeFile(join(folder, 'plan-bad.json'), plan({ ...item, title: 7 }));
  await writeFile(join(folder, 'empty.md'), '---\ntitle: x\n---\n');
});
afterAll(() => rm(folder, { recursive: true }));

type RunResult = { code: number; out: string; err: string };

function importTry(...args: string[]): Promise<RunResult> {
  return new Promise(resolve => {
    const child = execFile(node, [join(root, 'tools', 'import-try.ts'), ...args], (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

test('one line per file: what was imported, or where it is wrong', async () => {
  const { code, out } = await importTry(folder);
  expect(out.trim().split('\n')).toEqual([
    'bad.xlsx: survey row 2, relevant: unknown function magic() (character 1 of: magic())',
    'empty.md: refused: There are no words in it.',
    'good.xlsx: imported, 1 question; note: survey row 3, type: "start" was left out: Cairn itself records who inspected, when and on which form',
    'plan-bad.json: refused: poam-items[0].title is no text, or empty.',
    'plan.json: imported, Plan, 1 action item',
    'policy.md: imported, Access, AC, 9 characters; note: Lettered lists became numbered ones.',
    'text.xlsx: This file is not an Excel workbook (.xlsx, .xls).',
  ]);
  expect(code).toBe(0);
});

test('several folders are read one after the other, and one that is missing does not keep the others from it', async () => {
  const { code, out } = await importTry(folder, join(folder, 'none'), folder);
  expect(out.trim().split('\n')).toHaveLength(14);
  expect(code).toBe(2);
});

test('a folder that is missing, or not named, is said in one sentence', async () => {
  expect(await importTry(join(folder, 'none'))).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^The folder .*none cannot be read: .*\n$/),
  });
  expect(await importTry()).toMatchObject({ code: 2, err: 'Say which folder: npm run import:try -- FOLDER …\n' });
});
