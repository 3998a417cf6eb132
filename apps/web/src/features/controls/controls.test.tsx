// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addDays, localDay } from '@cairn/base/local-day.ts';
import { frameworkList } from '@cairn/core/evidence/coverage.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { failingWrite } from '@cairn/testing/failing-write.ts';
import { indexedStore } from '@cairn/testing/indexed-store.ts';
import type { MemoryRows } from '@cairn/testing/memory-store.ts';
import actions from '../../shared/i18n/en/actions.json';
import texts from '../../shared/i18n/en/controls.json';
import failure from '../../shared/i18n/en/failure.json';
import { heardToasts, id, inEnglish, inGerman, ORG, showSignedIn } from '../../shared/signed-in-for-tests.tsx';
import { ControlScreen } from './control-screen.tsx';
import { FrameworkScreen } from './framework-screen.tsx';
import { FrameworksScreen } from './frameworks-screen.tsx';
import { PoamBackgroundCard } from './poam-background.tsx';

const [CODE, POLICY, DRAFT, FORM] = [id(10), id(30), id(31), id(32)];
const today = localDay(new Date());
const heard = heardToasts();
const titles = () => heard.map(({ title }) => title);
let saved: { name: string; blob: Blob }[] = [];

beforeAll(async () => {
  await inEnglish('controls', 'actions', 'failure');
  // What jsdom lacks: layout, and downloads.
  Element.prototype.scrollIntoView = () => undefined;
  Object.assign(globalThis, {
    ResizeObserver: class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  });
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => `blob:${saved.push({ name: '', blob })}`,
    revokeObjectURL: () => undefined,
  });
  HTMLAnchorElement.prototype.click = function click() {
    const last = saved.at(-1);
    if (last) last.name = this.download;
  };
});
afterEach(() => {
  cleanup();
  saved = [];
});

const control = (n: number, label: string, family: string) => ({
  id: id(n),
  organization_id: ORG,
  framework_id: CODE,
  code: label.toLowerCase(),
  label,
  title: `Rule ${n}`,
  family,
  position: n,
  statement: '',
});
const link = (
  n: number,
  controlId: string,
  target_table: 'policies' | 'forms' | 'action_items',
  target_id: string,
) => ({
  id: id(n),
  organization_id: ORG,
  control_id: controlId,
  target_table,
  target_id,
});
const proof = (n: number, controlId: string, more: Partial<Row<'evidence'>> = {}) => ({
  evidence: {
    id: id(n),
    organization_id: ORG,
    title: `Proof ${n}`,
    state: 'accepted' as const,
    series_id: id(n),
    collected_at: '2026-11-20T08:00:00.000Z',
    ...more,
  },
  link: {
    id: id(n + 100),
    organization_id: ORG,
    evidence_id: id(n),
    target_table: 'controls' as const,
    target_id: controlId,
  },
});
const holds = proof(50, id(20));
const ranOut = proof(51, id(21), { expires_on: addDays(today, -1) });
const waits = proof(52, id(22), { state: 'collected' });
/** Four controls: proven, answered though its evidence ran out, and two gaps, one of them with a policy that is a draft. */
const WORLD: MemoryRows = {
  frameworks: [{ id: CODE, organization_id: ORG, title: 'Fire code', edition: '2024' }],
  controls: [
    control(20, 'FC-1', 'Ways out'),
    control(21, 'FC-2', 'Ways out'),
    control(22, 'FC-3', 'Ways out'),
    control(23, 'FC-4', 'Drills'),
  ],
  control_links: [
    link(40, id(20), 'policies', POLICY),
    link(41, id(21), 'policies', POLICY),
    link(42, id(22), 'policies', DRAFT),
    link(43, id(20), 'forms', id(99)),
    link(44, id(20), 'action_items', id(60)),
  ],
  policies: [
    { id: POLICY, organization_id: ORG, title: 'Doors stay free', state: 'published' },
    { id: DRAFT, organization_id: ORG, title: 'Drills', state: 'draft' },
  ],
  forms: [{ id: FORM, organization_id: ORG, name: 'Round' }],
  evidence: [holds.evidence, ranOut.evidence, waits.evidence],
  evidence_links: [holds.link, ranOut.link, waits.link],
  action_items: [{ id: id(60), organization_id: ORG, title: 'Free gate 4', status: 'ready_for_verification' }],
};
const place = (store: Store, may: readonly string[]) => ({ store, may });
const MANAGE = ['control.manage'];

function framework(store: Store, may: readonly string[] = MANAGE) {
  const left: string[] = [];
  showSignedIn(
    <FrameworkScreen
      frameworkId={CODE}
      backLink={<a href="/frameworks">{texts.back}</a>}
      renderControl={(of, face) => <a href={`/controls/${of}`}>{face}</a>}
      onRemoved={() => left.push('removed')}
    />,
    place(store, may),
  );
  return left;
}
const one = (store: Store, controlId = id(20), may: readonly string[] = MANAGE) =>
  showSignedIn(
    <ControlScreen
      controlId={controlId}
      renderBack={of => <a href={`/frameworks/${of ?? ''}`}>{texts.backFramework}</a>}
      renderPolicy={(of, face) => <a href={`/policies/${of}`}>{face}</a>}
      renderAction={(of, face) => <a href={`/action-items/${of}`}>{face}</a>}
      evidence={null}
    />,
    place(store, may),
  );
const all = (store: Store, may: readonly string[] = MANAGE) =>
  showSignedIn(
    <FrameworksScreen
      backLink={null}
      renderFramework={(of, face) => <a href={`/frameworks/${of}`}>{face}</a>}
      renderAction={(of, face) => <a href={`/action-items/${of}`}>{face}</a>}
    />,
    place(store, may),
  );
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const inSheet = async () => within(await screen.findByRole('dialog'));
async function pick(content: unknown, name = 'file.json') {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const input = (await screen.findByRole('dialog')).querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('nowhere to choose a file');
  await userEvent.upload(input, new File([text], name, { type: 'application/json' }), { applyAccept: false });
}

describe('a framework', () => {
  test('is proven where accepted evidence holds today, answered by a policy in force, else a gap; a view shows one kind', async () => {
    framework(await indexedStore(WORLD));
    await screen.findByRole('heading', { level: 1, name: 'Fire code' });
    const chips = () => screen.getAllByRole('link', { name: /^FC-/ }).map(each => each.textContent);
    expect(chips()).toEqual(['FC-1 Rule 20Proven', 'FC-2 Rule 21Addressed', 'FC-3 Rule 22Gap', 'FC-4 Rule 23Gap']);
    expect(screen.getAllByText('1 of 4 proven')).toHaveLength(1);
    expect(screen.getByText('1 of 3 proven')).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: 'Gaps (2)' }));
    expect(chips()).toEqual(['FC-3 Rule 22Gap', 'FC-4 Rule 23Gap']);
    expect(screen.getByRole('list', { name: 'Drills' })).toBeTruthy();
  });

  test('with no control of a kind says so in that view', async () => {
    framework(await indexedStore({ ...WORLD, evidence: [] }));
    await userEvent.click(await screen.findByRole('radio', { name: 'Proven (0)' }));
    expect(screen.getByText(texts.coverage.none)).toBeTruthy();
  });

  test('is taken away after a question, by whoever manages controls; gone, it says so with the way back', async () => {
    const store = await indexedStore(WORLD);
    framework(store, []);
    await screen.findByRole('heading', { level: 1, name: 'Fire code' });
    expect(screen.queryByRole('button', { name: texts.remove.act })).toBeNull();
    cleanup();
    const left = framework(store);
    await press(texts.remove.act);
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByText(texts.remove.act));
    await waitFor(() => expect(left).toEqual(['removed']));
    await screen.findByRole('heading', { level: 1, name: texts.missing });
    expect(screen.getByRole('link', { name: texts.back })).toBeTruthy();
  });
});

describe('the frameworks', () => {
  test('are none yet: whoever manages them reads what to bring, everybody else who does', async () => {
    all(await indexedStore());
    await screen.findByText(texts.emptyText);
    expect(screen.getByText(texts.poam.none)).toBeTruthy();
    cleanup();
    all(await indexedStore(), []);
    await screen.findByText(texts.emptyRead);
    expect(screen.queryByRole('button', { name: texts.bring.act })).toBeNull();
    expect(screen.queryByRole('button', { name: texts.poam.bring.act })).toBeNull();
  });

  test('stand with their edition and how much is proven, in German too', async () => {
    all(await indexedStore(WORLD));
    expect((await screen.findByRole('link', { name: /^Fire code/ })).textContent).toBe(
      'Fire codeEdition 2024 · 1 of 4 proven',
    );
    cleanup();
    await inGerman(async () => {
      all(await indexedStore(WORLD));
      expect((await screen.findByRole('link', { name: /^Fire code/ })).textContent).toContain('1 von 4 belegt');
      cleanup();
    });
  });

  test.each([
    ['no JSON', '{', texts.bring.problem.not_json],
    ['another kind of JSON', '{"a":1}', texts.bring.problem.not_oscal],
    ['a plan of action', { 'plan-of-action-and-milestones': {} }, texts.bring.problem.is_poam],
    ['a catalogue with nothing in it', { catalog: { metadata: { title: 'X' } } }, texts.bring.problem.empty],
    [
      'two controls of one name',
      {
        catalog: {
          metadata: { title: 'X' },
          controls: [
            { id: 'a-1', title: 'A' },
            { id: 'a-1', title: 'B' },
          ],
        },
      },
      texts.bring.problem.twice,
    ],
  ])('do not take %s, and say what it is; nothing can be taken over', async (_what, content, words) => {
    all(await indexedStore());
    await press(texts.bring.act);
    await pick(content);
    const sheet = await inSheet();
    await sheet.findByText(words);
    expect(sheet.getByRole<HTMLButtonElement>('button', { name: texts.bring.take }).disabled).toBe(true);
  });

  test('take a catalogue that the device refuses at first at another press, once', async () => {
    const catalogue = { catalog: { metadata: { title: 'Fire code' }, controls: [{ id: 'fc-1', title: 'Drills' }] } };
    const store = await indexedStore();
    all(failingWrite(store, 'storage_full'));
    await press(texts.bring.act);
    await pick(catalogue);
    const sheet = await inSheet();
    await sheet.findByText('1 control in 1 family');
    await userEvent.click(sheet.getByRole('button', { name: texts.bring.take }));
    await sheet.findByText(failure.storage_full);
    expect(titles()).toEqual([]);
    cleanup();
    all(store);
    await press(texts.bring.act);
    await pick(catalogue);
    await userEvent.click((await inSheet()).getByRole('button', { name: texts.bring.take }));
    await waitFor(() => expect(titles()).toEqual(['Fire code imported']));
    expect((await store.read(frameworkList(ORG, today))).map(({ figures }) => figures.gap)).toEqual([1]);
  });
});

describe('a control', () => {
  test('names what answers to it: a policy by its link, what is not here as that, work by where it stands', async () => {
    one(await indexedStore(WORLD));
    await screen.findByRole('heading', { level: 1, name: 'FC-1 Rule 20' });
    expect(screen.getByText('Fire code · Ways out')).toBeTruthy();
    expect(screen.getByText(texts.control.noStatement)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Doors stay free' }).getAttribute('href')).toBe(`/policies/${POLICY}`);
    expect(screen.getByText(texts.control.unknown)).toBeTruthy();
    expect(screen.getByRole('link', { name: /^Free gate 4/ }).textContent).toContain(
      actions.status.ready_for_verification,
    );
  });

  test('is linked with a policy or form that is searched for, and the link is taken away again', async () => {
    const store = await indexedStore(WORLD);
    one(store, id(23));
    await screen.findByText(texts.control.none);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: texts.control.add }).disabled).toBe(true);
    await userEvent.click(screen.getByRole('combobox', { name: texts.control.field }));
    await userEvent.type(await screen.findByPlaceholderText(texts.control.search), 'rou');
    await userEvent.click(await screen.findByRole('option', { name: 'Round · Form' }));
    await press(texts.control.add);
    await press('Remove the link to Round');
    await waitFor(() => expect(titles()).toEqual([texts.control.removed]));
    await screen.findByText(texts.control.none);
  });

  test('is read by whoever manages nothing, without a way to change it; one that is gone says so', async () => {
    one(await indexedStore(WORLD), id(20), []);
    await screen.findByRole('link', { name: 'Doors stay free' });
    expect(screen.queryByRole('button', { name: /^Remove the link/ })).toBeNull();
    expect(screen.queryByRole('combobox', { name: texts.control.field })).toBeNull();
    cleanup();
    one(await indexedStore(), id(20));
    await screen.findByRole('heading', { level: 1, name: texts.missing });
  });
});

describe('a plan of action', () => {
  const RISK = {
    uuid: id(501),
    title: 'Cut off',
    description: 'Blocked',
    statement: 'Nobody gets out',
    status: 'open',
  };
  const ITEM = {
    uuid: id(502),
    title: 'Free the way out',
    description: 'Pallets',
    'related-risks': [{ 'risk-uuid': id(501) }],
  };
  const PLAN = {
    'plan-of-action-and-milestones': {
      uuid: id(500),
      metadata: {
        title: 'Assessment',
        'last-modified': '2026-11-21T09:00:00.000Z',
        version: '1.0',
        'oscal-version': '1.1.2',
      },
      risks: [RISK],
      'poam-items': [ITEM],
    },
  };
  const root = PLAN['plan-of-action-and-milestones'];
  const withItems = (...items: object[]) => ({ 'plan-of-action-and-milestones': { ...root, 'poam-items': items } });
  const bring = async (content: object) => {
    await press(texts.poam.bring.act);
    await pick(content);
  };
  const take = async () => userEvent.click((await inSheet()).getByRole('button', { name: texts.poam.bring.take }));

  test('that cannot be taken over says each thing that is wrong and where, and offers no way to take it', async () => {
    all(await indexedStore());
    await bring(withItems({ ...ITEM, uuid: 'x' }, { uuid: id(503), description: 'No title' }));
    const sheet = await inSheet();
    await sheet.findByText(texts.poam.bring.refused);
    expect(sheet.getAllByRole('listitem').map(each => each.textContent)).toEqual([
      `poam-items[0].uuid ${texts.poam.problem.not_uuid}`,
      expect.stringContaining('poam-items[1]'),
    ]);
    expect(sheet.queryByRole('button', { name: texts.poam.bring.take })).toBeNull();
  });

  test('warns of what comes otherwise than the plan has it before it is taken', async () => {
    const closed = { ...root, risks: [{ ...RISK, status: 'closed' }] };
    all(await indexedStore());
    await bring({ 'plan-of-action-and-milestones': closed });
    const sheet = await inSheet();
    await sheet.findByText(texts.poam.bring.notes);
    expect(sheet.getByText(texts.poam.note.ended, { exact: false })).toBeTruthy();
    expect(sheet.getByText('1 new corrective action')).toBeTruthy();
  });

  test('that lost an item in its next edition leaves the work of it, and says so', async () => {
    all(await indexedStore());
    await bring(withItems(ITEM, { ...ITEM, uuid: id(504), title: 'Paint the lines' }));
    await take();
    await waitFor(() => expect(titles()).toEqual(['Assessment imported']));
    await bring(withItems(ITEM));
    await (await inSheet()).findByText(/1 already exists$/);
    await take();
    await waitFor(() => expect(heard).toHaveLength(2));
    expect(heard[1]?.description).toBe('1 corrective action is only in the previous edition. It stays.');
  });

  test('is put away after a question, and listed no more', async () => {
    all(await indexedStore());
    await bring(PLAN);
    await take();
    await press(/^Assessment/);
    await (await inSheet()).findByText('0 of 1 done');
    await press(texts.poam.away.act);
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByText(texts.poam.away.act));
    await screen.findByText(texts.poam.none);
    expect(titles().at(-1)).toBe(texts.poam.away.done);
  });

  test('is opened and written by whoever manages nothing, and not put away', async () => {
    const document = JSON.stringify(PLAN);
    const poam = {
      id: id(500),
      organization_id: ORG,
      title: 'Assessment',
      edition: '1.0',
      source_id: id(500),
      document,
    };
    all(await indexedStore({ poams: [poam] }), []);
    await press(/^Assessment/);
    const sheet = await inSheet();
    expect(sheet.getByText(texts.poam.notHere)).toBeTruthy();
    expect(sheet.queryByRole('button', { name: texts.poam.away.act })).toBeNull();
    await press(texts.poam.export);
    await waitFor(() =>
      expect(saved.map(({ name }) => name)).toEqual([expect.stringMatching(/^assessment-\d{4}-\d\d-\d\d\.json$/)]),
    );
  });

  test('of one’s own action items needs some, and says so where there are none', async () => {
    all(await indexedStore(), []);
    await press(texts.poam.own.act);
    await screen.findByText(texts.poam.own.none);
    expect(saved).toEqual([]);
    cleanup();
    all(await indexedStore(WORLD), []);
    await press(texts.poam.own.act);
    await waitFor(() =>
      expect(saved.map(({ name }) => name)).toEqual([expect.stringMatching(/^corrective-actions-of-northfield-/)]),
    );
  });

  test('stands behind its action item with the risk it is about; behind any other there is nothing', async () => {
    const store = await indexedStore({ action_items: [{ id: id(61), organization_id: ORG, title: 'Other' }] });
    all(store);
    await bring(PLAN);
    await take();
    await waitFor(() => expect(titles()).toEqual(['Assessment imported']));
    const items = await store.read({ key: 'items', tables: ['action_items'], read: tx => tx.all('action_items') });
    const item = items.find(({ title }) => title === ITEM.title);
    if (!item) throw new Error('no work came of it');
    cleanup();
    showSignedIn(<PoamBackgroundCard actionId={item.id} />, place(store, []));
    await screen.findByText('Nobody gets out');
    expect(screen.queryByText(texts.poam.observations)).toBeNull();
    cleanup();
    showSignedIn(
      <>
        <PoamBackgroundCard actionId={id(61)} />
        <p>drawn</p>
      </>,
      place(store, []),
    );
    await screen.findByText('drawn');
    expect(screen.queryByText('Assessment')).toBeNull();
  });
});
