// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import words from '../../shared/i18n/en/issue-reports.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { ServerRefusal } from '../../shared/server/server-calls.ts';
import { PublicReportScreen } from './public-report-screen.tsx';
import type { OutsideCalls } from '../../shared/server/send-stored.ts';
import { waitingReports } from './waiting-reports.ts';

beforeAll(async () => {
  await startI18n();
  addTexts('issueReports', words);
});
let asked: unknown[];
beforeEach(async () => {
  asked = [];
  for (const { key } of await waitingReports.all()) await waitingReports.forget(key);
});
afterEach(cleanup);

const PLACE = { organization: 'Northfield', site: 'Site North', asset: null, spot: 'Gate 2' };

/** A server that answers a call by its name; what is not named has no network. */
function show(answers: Record<string, unknown>) {
  const calls: OutsideCalls = {
    call: async (name, args) => {
      asked.push([name, args]);
      if (!Object.hasOwn(answers, name)) throw new Failure('offline', name);
      if (answers[name] instanceof Error) throw answers[name];
      return answers[name] as never;
    },
    send: () => Promise.reject(new Failure('offline', 'send')),
  };
  // One function for the life of the screen, as a route gives it.
  const reach = () => Promise.resolve(calls);
  return render(<PublicReportScreen token="t0ken" calls={reach} lookUpLink={null} />);
}
const write = async (text: string) => {
  await userEvent.type(await screen.findByLabelText(words.public.text), text);
  await userEvent.click(screen.getByRole('button', { name: words.send }));
};

test('tells whose place it is, asks for words and nothing else, and gives reference and code', async () => {
  show({ public_report_place: PLACE, submit_public_report: { reference: 'P-7Q2K-41AB' } });
  expect(await screen.findByText(/Site North · Gate 2/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: words.send }));
  expect((await screen.findByRole('alert')).textContent).toContain(words.public.textNeeded);
  await write('Oil on the stairs');
  expect(await screen.findByText('Reference: P-7Q2K-41AB')).toBeDefined();
  const [report] = await waitingReports.all();
  expect(screen.getByText(report?.code ?? 'none')).toBeDefined();
  expect(asked.at(-1)).toMatchObject([
    'submit_public_report',
    { p_token: 't0ken', p_key: report?.key, p_report: { text: 'Oil on the stairs', name: null, contact: null } },
  ]);
});

test('without a network one can report all the same; it is on the phone, and goes only when asked twice', async () => {
  show({});
  expect(await screen.findByText(words.public.noSignal)).toBeDefined();
  await write('Oil on the stairs');
  expect(await screen.findByText(words.public.waits)).toBeDefined();
  expect(screen.getByText('Oil on the stairs')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: words.public.forget }));
  expect(await waitingReports.all()).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: words.public.forgetReport }));
  expect(await screen.findByLabelText(words.public.text)).toBeDefined();
  expect(await waitingReports.all()).toEqual([]);
});

test('a code that opens nothing says so, and what was written by it before is kept to be sent again', async () => {
  const first = show({ public_report_place: PLACE, submit_public_report: null });
  await write('Oil on the stairs');
  expect(await screen.findByText(words.public.closedKept)).toBeDefined();
  first.unmount();
  show({ public_report_place: null, submit_public_report: { reference: 'P-7Q2K-41AB' } });
  expect(await screen.findByRole('heading', { level: 1, name: words.public.closed })).toBeDefined();
  expect(screen.queryByLabelText(words.public.text)).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: words.public.sendNow }));
  expect(await screen.findByText(words.public.thanks)).toBeDefined();
});

test('what the server refuses can be changed and sent again: the same report, under its own key', async () => {
  const answers: Record<string, unknown> = {
    public_report_place: PLACE,
    submit_public_report: new ServerRefusal('invalid', 'this is not a report'),
  };
  show(answers);
  await write('Oil on the stairs');
  expect(await screen.findByText(words.public.refusedKept)).toBeDefined();
  const [refused] = await waitingReports.all();
  answers['submit_public_report'] = { reference: 'P-7Q2K-41AB' };
  await userEvent.click(screen.getByRole('button', { name: words.public.change }));
  const field = await screen.findByLabelText(words.public.text);
  expect(field).toHaveProperty('value', 'Oil on the stairs');
  await userEvent.type(field, ' again');
  await userEvent.click(screen.getByRole('button', { name: words.send }));
  expect(await screen.findByText('Reference: P-7Q2K-41AB')).toBeDefined();
  expect(asked.at(-1)).toMatchObject([
    'submit_public_report',
    { p_key: refused?.key, p_report: { text: 'Oil on the stairs again' } },
  ]);
  expect(await waitingReports.all()).toHaveLength(1);
});
