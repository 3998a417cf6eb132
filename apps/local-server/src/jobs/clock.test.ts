import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SUPABASE = join(import.meta.dirname, '../../../../supabase');
const textsOf = (folder: string): string => {
  const files = readdirSync(join(SUPABASE, folder)).toSorted();
  return files.map(file => readFileSync(join(SUPABASE, folder, file), 'utf8')).join('\n');
};
/** The functions and procedures that a text calls by themselves, by name: `select a.b()`, `call a.b()`. */
const calledIn = (text: string): string[] =>
  [...text.matchAll(/(?:select|call|,) ([a-z_]+\.[a-z_]+)\(\)/g)].map(([, name]) => String(name)).toSorted();

const scheduled = [...textsOf('migrations').matchAll(/cron\.schedule\(.*\)/g)].map(([call]) => call).join('\n');
const scheduler = readFileSync(join(import.meta.dirname, 'scheduler.ts'), 'utf8');

test('what a hosted project calls by its clock, this server calls, and the other way round', () => {
  expect(calledIn(scheduled)).not.toEqual([]);
  expect(calledIn(scheduler)).toEqual(calledIn(scheduled));
});

test('each sweep is called by both', () => {
  const functions = textsOf('generated/functions').matchAll(
    /^CREATE OR REPLACE \w+ ([a-z_]+\.sweep(?:_\w+)?)\((.*)\)$/gm,
  );
  // Called by others are those that one cannot call without an argument, and what answers when a round ends.
  const sweeps = [...functions].filter(([, name, given]) => {
    const isWhole =
      given === '' ||
      String(given)
        .split(', ')
        .every(each => each.includes(' DEFAULT '));
    return isWhole && name !== 'inbox.sweep_deadline';
  });
  expect(sweeps.length).toBeGreaterThan(10);
  expect(sweeps.map(([, name]) => name).filter(name => !calledIn(scheduled).includes(String(name)))).toEqual([]);
});
