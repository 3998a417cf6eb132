import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BREAKPOINTS } from '@cairn/ui/tokens/breakpoints.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const sheets = globSync(['packages/ui/src/**/*.css', 'apps/web/src/**/*.css'], { cwd: ROOT });

/** Of a page that is printed nothing comes or goes. */
const PRINT = /@media print \{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g;

/** Selectors of a sheet, each with the sheet's name. */
const selectorsOf = (name: string): string[] =>
  readFileSync(ROOT + name, 'utf8')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(PRINT, '')
    .split(/[{}]/)
    .filter(part => !part.includes(';') && !part.trim().startsWith('@'))
    .flatMap(part => part.split(',').map(selector => `${name}: ${selector.trim().replaceAll(/\s+/g, ' ')}`));

const selectors = sheets.flatMap(selectorsOf);

test('no rule is about whatever stands behind something: with one, each row that leaves a list restyles all the others', () => {
  expect(selectors.length).toBeGreaterThan(1000);
  expect(selectors.filter(selector => /[+~] ?(\*|:(?!is\())/.test(selector))).toEqual([]);
});

test('no rule asks what the whole page holds: with one, each element that comes or goes restyles the page', () => {
  expect(selectors.filter(selector => /: (#root|html|:root|body):has/.test(selector))).toEqual([]);
});

test('R9.21 a width that a sheet asks for is a breakpoint of the one table, or the pixel below it', () => {
  const widths = [...new Set(Object.values(BREAKPOINTS).flatMap(from => [from, from - 1]))];
  const asked = sheets.flatMap(name =>
    [...readFileSync(ROOT + name, 'utf8').matchAll(/@media[^{]*width: (\d+)px/g)].map(match => `${name}: ${match[1]}`),
  );
  expect(asked.length).toBeGreaterThan(30);
  expect(asked.filter(each => !widths.includes(Number(each.split(': ')[1])))).toEqual([]);
});
