// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import failure from '../i18n/en/failure.json';
import { startI18n } from '../i18n/start-i18n.ts';
import { CsvExport } from './csv-export.tsx';

beforeAll(async () => {
  await startI18n();
});
afterEach(cleanup);

const press = () => userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));

test('why there is no file stands on the screen, and goes when the next one is made', async () => {
  // jsdom has no downloads: what the browser is handed is read from the address it is given.
  const saved: string[] = [];
  const { createObjectURL } = URL;
  URL.createObjectURL = file => `blob:${saved.push(file instanceof Blob ? file.type : '')}`;
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = () => {};
  let isFull = true;
  const csv = () => (isFull ? Promise.reject(new Failure('storage_full', 'read')) : Promise.resolve('a,b'));
  render(<CsvExport label="Export CSV" file="own.csv" csv={csv} />);
  await press();
  expect((await screen.findByRole('alert')).textContent).toBe(failure.storage_full);
  expect(saved).toEqual([]);
  isFull = false;
  await press();
  await expect.poll(() => saved).toEqual(['text/csv']);
  expect(screen.queryByRole('alert')).toBeNull();
  URL.createObjectURL = createObjectURL;
  HTMLAnchorElement.prototype.click = click;
});
