// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { lookUpHash } from '@cairn/core/issue-reports/look-up-code.ts';
import { issueReports as reports } from '@cairn/core/issue-reports/queries.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import field from '../../shared/i18n/en/field.json';
import issueReports from '../../shared/i18n/en/issue-reports.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SpaceContext, type Space } from '../../shared/session/space.ts';
import { LookUpScreen } from './look-up-screen.tsx';
import type { Progress } from './progress.tsx';
import { NewReportScreen } from './new-report-screen.tsx';
import { ReportScreen } from './report-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const REPORT = '00000000-0000-4000-8000-0000000000b1';
let store: Store;
let done: string[];

beforeAll(async () => {
  await startI18n();
  addTexts('issueReports', issueReports);
  addTexts('field', field);
});
beforeEach(() => {
  done = [];
  store = memoryStore({}, ME);
});
afterEach(cleanup);

const named = { id: ORG, name: 'Northfield', allows_anonymous_reports: true } as Row<'organizations'>;
const show = (child: React.ReactNode, { organization = named, may = true } = {}) => {
  const space: Space = { userId: ME, organization, playbook: null, world: 'company', may: () => may };
  return render(
    <StoreContext.Provider value={store}>
      <SpaceContext.Provider value={space}>{child}</SpaceContext.Provider>
    </StoreContext.Provider>,
  );
};
const filling = () => (
  <NewReportScreen assetId={undefined} backLink={null} onReported={id => done.push(id)} doneLink={null} />
);
const kept = async () => (await store.read(reports(ORG))).open;

test('one line is enough for a report, and without it nothing is kept', async () => {
  show(filling());
  await userEvent.click(await screen.findByRole('button', { name: issueReports.send }));
  expect((await screen.findByRole('alert')).textContent).toContain(issueReports.field.titleNeeded);
  expect(await kept()).toEqual([]);
  await userEvent.type(screen.getByLabelText(issueReports.field.title), 'Oil on the floor');
  await userEvent.click(screen.getByRole('button', { name: issueReports.send }));
  await waitFor(() => expect(done).toHaveLength(1));
  expect(await kept()).toMatchObject([{ id: done[0], title: 'Oil on the floor', reported_by: ME }]);
});

test('without a name the code is shown once and kept nowhere; who wants names offers no such choice', async () => {
  const view = show(filling());
  await userEvent.type(await screen.findByLabelText(issueReports.field.title), 'He shouts');
  await userEvent.click(screen.getByLabelText(issueReports.field.anonymous));
  await userEvent.click(screen.getByRole('button', { name: issueReports.send }));
  await screen.findByText(issueReports.kept.title);
  const code = view.container.querySelector('.report-code')?.textContent ?? '';
  expect(await kept()).toMatchObject([{ reported_by: null, look_up_hash: lookUpHash(code) }]);
  cleanup();
  show(filling(), { organization: { ...named, allows_anonymous_reports: false } });
  await screen.findByLabelText(issueReports.field.title);
  expect(screen.queryByLabelText(issueReports.field.anonymous)).toBeNull();
});

test('who triages makes work and settles it with a word; others only read', async () => {
  store = memoryStore({ issue_reports: [{ id: REPORT, organization_id: ORG, title: 'Leak' }] }, ME);
  const screenOf = () => (
    <ReportScreen
      reportId={REPORT}
      backLink={null}
      renderAction={(id, face) => <a href={`/${id}`}>{face}</a>}
      renderAsset={() => null}
    />
  );
  show(screenOf(), { may: false });
  await screen.findByRole('heading', { name: 'Leak' });
  expect(screen.queryByRole('button', { name: issueReports.move.dismissed })).toBeNull();
  cleanup();
  show(screenOf());
  await userEvent.click(await screen.findByRole('button', { name: issueReports.move.dismissed }));
  expect((await screen.findByRole('alert')).textContent).toContain(issueReports.field.answerNeeded);
  await userEvent.type(screen.getByLabelText(issueReports.field.work), 'Change the hose');
  await userEvent.click(screen.getByRole('button', { name: issueReports.makeWork }));
  await screen.findByText('Change the hose');
  await screen.findByText(issueReports.openWork);
  expect(screen.queryByRole('button', { name: issueReports.move.resolved })).toBeNull();
  await userEvent.type(screen.getByLabelText(issueReports.field.answer), 'Known already.');
  await userEvent.click(screen.getByRole('button', { name: issueReports.move.dismissed }));
  await waitFor(async () =>
    expect((await store.read(reports(ORG))).ended).toMatchObject([{ answer: 'Known already.' }]),
  );
});

test('a code that is none is told apart from one nobody has, and from no network', async () => {
  const asked: string[] = [];
  const told: (Progress | null | Error)[] = [
    null,
    new Error('no network'),
    { status: 'resolved', answer: 'Mended.', reportedAt: '2026-11-21T08:00:00Z', decidedAt: null },
  ];
  const lookUp = async (code: string) => {
    asked.push(code);
    const next = told.shift();
    if (next instanceof Error) throw next;
    return next ?? null;
  };
  show(<LookUpScreen backLink={null} lookUp={lookUp} />);
  const ask = () => userEvent.click(screen.getByRole('button', { name: issueReports.lookUp.ask }));
  await userEvent.type(screen.getByLabelText(issueReports.lookUp.code), '7q2k');
  await ask();
  await screen.findByText(issueReports.lookUp.notACode);
  await userEvent.type(screen.getByLabelText(issueReports.lookUp.code), '-41ab-9xyz');
  await ask();
  await screen.findByText(issueReports.lookUp.unknown);
  await ask();
  await screen.findByText(issueReports.lookUp.offline);
  await ask();
  await screen.findByText('Mended.');
  expect(asked).toEqual(['7Q2K41AB9XYZ', '7Q2K41AB9XYZ', '7Q2K41AB9XYZ']);
});
