// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { compileForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { parseFormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import type { Row } from '@cairn/schema';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import capture from '../../../shared/i18n/en/capture.json';
import field from '../../../shared/i18n/en/field.json';
import review from '../../../shared/i18n/en/review.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import type { InspectionRecord } from '../inspections/inspection-queries.ts';
import { ReportButtons } from './report-buttons.tsx';
import type { Review } from '../review/use-review.ts';

beforeAll(async () => {
  await startI18n();
  addTexts('capture', capture);
  addTexts('field', field);
  addTexts('review', review);
});

type SharePayload = { files: File[] };
let shared: SharePayload[];
/** What the platform's own sheet answers, one after the other; null: it was used. */
let answers: (DOMException | null)[];
let isPressed: boolean;

beforeEach(() => {
  shared = [];
  answers = [];
  isPressed = true;
  const share = (data: SharePayload) => {
    shared.push(data);
    const answer = answers.shift() ?? null;
    return answer ? Promise.reject(answer) : Promise.resolve();
  };
  const platform = {
    share,
    canShare: () => true,
    userActivation: {
      get isActive() {
        return isPressed;
      },
    },
  };
  for (const [name, value] of Object.entries(platform)) {
    Object.defineProperty(navigator, name, { configurable: true, value });
  }
});
afterEach(cleanup);

function show(): void {
  const parsed = parseFormDefinition({ format: 1, title: 'Check', items: [{ type: 'text', name: 'a', label: 'A' }] });
  if (!parsed.ok) throw new Error('no form');
  const compiled = compileForm(parsed.form);
  if (!compiled.ok) throw new Error('no form');
  const inspection = {
    id: 'c1',
    title: 'Forklift 3 / pre-use: check',
    status: 'finalised',
    finished_at: '2026-11-21T09:00:00Z',
    started_at: null,
    signed_by: 'Sam',
  } as Row<'inspections'>;
  const record = { inspection, answers: [], last: [], actions: [] } as unknown as InspectionRecord;
  render(
    <StoreContext.Provider value={memoryStore({})}>
      <ReportButtons
        record={record}
        compiled={compiled.compiled}
        review={{ trail: null, pending: { waits: false, late: null } } as Review}
      />
    </StoreContext.Provider>,
  );
}
const press = () => userEvent.click(screen.getByRole('button', { name: review.pdf.share }));

test('the report goes to the platform’s own sheet as a PDF with a name every system takes', async () => {
  show();
  await press();
  await waitFor(() => expect(shared).toHaveLength(1));
  const [file] = shared[0]?.files ?? [];
  expect([file?.name, file?.type]).toEqual(['Forklift 3  pre-use check.pdf', 'application/pdf']);
  expect(file?.size).toBeGreaterThan(500);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('where making it took longer than a press counts, one more press hands over the very same file', async () => {
  answers = [new DOMException('expired', 'NotAllowedError')];
  isPressed = false;
  show();
  await press();
  await screen.findByText(capture.share.again);
  isPressed = true;
  await press();
  await waitFor(() => expect(shared).toHaveLength(2));
  expect(shared[1]?.files[0]).toBe(shared[0]?.files[0]);
  await waitFor(() => expect(screen.queryByText(capture.share.again)).toBeNull());
});

test('whoever closes the sheet is told nothing; what the platform refuses is said', async () => {
  answers = [new DOMException('closed', 'AbortError'), new DOMException('no', 'DataError')];
  show();
  await press();
  await waitFor(() => expect(shared).toHaveLength(1));
  expect(screen.queryByRole('alert')).toBeNull();
  await press();
  expect(await screen.findByRole('alert')).toBeDefined();
});
