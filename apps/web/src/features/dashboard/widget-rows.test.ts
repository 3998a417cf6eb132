import { expect, test } from 'vitest';
import type { Widget } from '@cairn/core/dashboard/widgets.ts';
import { widgetRows } from './widget-rows.ts';

const rows = (...names: Widget[]) => widgetRows(names.map(name => ({ name }))).map(row => row.map(({ name }) => name));

test('what takes the whole width stands alone, the rest shares rows between', () => {
  expect(rows('next', 'tiles', 'duties', 'arrivals', 'overdue')).toEqual([
    ['next'],
    ['tiles'],
    ['duties', 'arrivals', 'overdue'],
  ]);
  expect(rows('duties', 'tiles', 'arrivals')).toEqual([['duties'], ['tiles'], ['arrivals']]);
  expect(rows()).toEqual([]);
});
