import { beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { changeActionItem } from '../action-items/change-action-item.ts';
import { register } from '../assets/queries.ts';
import { holdsOf, serviceStatus } from '../assets/service-status.ts';
import { answerQuestion } from './answer-question.ts';
import { type CompiledForm, compileForm } from '../forms/definition/compiled-form.ts';
import { finishInspection } from './finish-inspection.ts';
import { type ItemDraft, parseFormDefinition } from '../forms/definition/form-definition.ts';
import { failedActionId } from './inspection-rows.ts';
import { startInspection } from './start-inspection.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [organization, site, asset, form, version, inspection] = [1, 2, 3, 4, 5, 6].map(uuid) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const [worker, mate, lead, head] = [11, 12, 13, 14].map(uuid) as [string, string, string, string];
const at = '2026-11-21T09:00:00.000Z';
const moment = { today: '2026-11-21', now: at };

let store: Store;
beforeEach(() => {
  const member = (n: number, user_id: string, role: 'member' | 'manager' | 'admin') => ({
    id: uuid(n),
    organization_id: organization,
    user_id,
    role,
  });
  const atSite = (n: number, user_id: string) => ({
    id: uuid(n),
    organization_id: organization,
    site_id: site,
    user_id,
  });
  const allowed = (n: number, role: string, permission: string) => ({
    id: uuid(n),
    role_kind: 'organization' as const,
    role,
    permission,
  });
  store = memoryStore(
    {
      assets: [{ id: asset, organization_id: organization, site_id: site, name: 'Forklift 3' }],
      forms: [
        { id: form, organization_id: organization, name: 'Check', state: 'published', current_version_id: version },
      ],
      organization_members: [
        member(21, worker, 'member'),
        member(22, mate, 'member'),
        member(23, lead, 'manager'),
        member(24, head, 'admin'),
      ],
      site_members: [atSite(31, worker), atSite(32, mate), atSite(33, lead)],
      role_permissions: [
        ...['member', 'manager', 'admin'].map((role, n) => allowed(41 + n, role, 'action.work')),
        ...['manager', 'admin'].map((role, n) => allowed(51 + n, role, 'action.manage')),
        allowed(61, 'admin', 'place.all'),
      ],
    },
    worker,
  );
});

function compiled(items: ItemDraft[]): CompiledForm {
  const parsed = parseFormDefinition({ format: 1, title: 'Check', items });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const result = compileForm(parsed.form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
}

const passFail = (more: object): ItemDraft => ({ type: 'pass_fail', name: 'brake', label: 'Brake', ...more });

const action = async (): Promise<Row<'action_items'>> => {
  const id = failedActionId(inspection, 'brake');
  const row = await store.read({ key: id, tables: ['action_items'], read: tx => tx.get('action_items', id) });
  if (!row) throw new Error('no action item');
  return row;
};
const start = () =>
  store.write('start', tx =>
    startInspection(tx, { id: inspection, formId: form, playbookId: null, assetId: asset, by: worker, at }),
  );
async function finish(of: CompiledForm, value: 'pass' | 'fail' = 'fail', note = ''): Promise<void> {
  await store.write('answer', tx =>
    answerQuestion(tx, { inspectionId: inspection, form: of, question: 'brake', value, note, by: worker, at, moment }),
  );
  const signed = { id: inspection, form: of, signature: null, by: worker, byName: 'Wim', at, moment };
  await store.write('finish', async tx => void (await finishInspection(tx, signed)));
}
const sendBack = () => store.write('back', tx => tx.change('inspections', inspection, { status: 'has_issues' }));
const statusNow = async () => {
  const { assets, holds } = await store.read(register(organization));
  return assets.map(each => serviceStatus(each, holds.get(each.id)));
};

describe('a critical failure', () => {
  test('takes its asset out of service at once, on the device alone; whoever verifies the action releases it', async () => {
    await start();
    expect(await statusNow()).toEqual(['operational']);
    await finish(compiled([passFail({ on_fail: { priority: 'critical' } })]));
    expect(await statusNow()).toEqual(['down']);
    expect((await store.read(holdsOf(asset))).map(({ action: { title }, since }) => [title, since])).toEqual([
      ['Brake', at],
    ]);
    const { id } = await action();
    for (const status of ['in_progress', 'ready_for_verification', 'closed'] as const) {
      expect(await statusNow()).toEqual(['down']);
      await store.write('move', tx => changeActionItem(tx, { id, changes: { status }, by: lead, at }));
    }
    expect(await statusNow()).toEqual(['operational']);
  });

  test('of a question that is critical makes a critical action item, whatever its author asked for otherwise', async () => {
    await start();
    const asked = { priority: 'low', action: false, due_in_days: 1, photo: 'optional' };
    await finish(compiled([passFail({ scoring: { critical: true }, on_fail: asked })]));
    expect(await action()).toMatchObject({ priority: 'critical', title: 'Brake' });
    expect(await statusNow()).toEqual(['down']);
  });

  test('leaves a retired asset retired, and what is not critical takes nothing out of service', async () => {
    await start();
    await finish(compiled([passFail({ on_fail: { priority: 'high' } })]));
    expect(await statusNow()).toEqual(['operational']);
    const { id } = await action();
    await store.write('up', tx => changeActionItem(tx, { id, changes: { priority: 'critical' }, by: lead, at }));
    expect(await statusNow()).toEqual(['down']);
    await store.write('retire', tx => tx.change('assets', asset, { status: 'retired' }));
    expect(await statusNow()).toEqual(['retired']);
  });

  test('stays critical when the inspection is finished again with a lesser finding', async () => {
    const rules = (priority: string) => [{ when: `. = 'fail' and \${how} = '${priority}'`, action: true, priority }];
    const both = compiled([
      { type: 'text', name: 'how', default: 'critical' },
      passFail({ rules: [...rules('critical'), ...rules('low')] }),
    ]);
    await start();
    await finish(both);
    expect(await action()).toMatchObject({ priority: 'critical' });
    await sendBack();
    const less = { inspectionId: inspection, form: both, question: 'how', value: 'low', by: worker, at, moment };
    await store.write('less', tx => answerQuestion(tx, less));
    await finish(both, 'fail', 'only squeaks');
    expect(await action()).toMatchObject({ priority: 'critical', description: 'only squeaks' });
    expect(await statusNow()).toEqual(['down']);
  });
});

describe('the rule of a form', () => {
  const given = async (asked: object): Promise<Row<'action_items'>> => {
    await start();
    await finish(compiled([passFail({ on_fail: asked })]));
    return action();
  };

  test('gives the action item to a person, to a role of the place, or to the manager of who inspected, with no signal', async () => {
    expect(await given({ assignee: `person:${mate}` })).toMatchObject({ assignee_id: mate, status: 'assigned' });
  });
  test('of a role takes who is at the place before who sees every place, and who inspected last', async () => {
    expect(await given({ assignee: 'role:member' })).toMatchObject({ assignee_id: mate, status: 'assigned' });
  });
  test('takes the manager at a site of who inspected before one who is not', async () => {
    expect(await given({ assignee: 'conductors_manager' })).toMatchObject({ assignee_id: lead, status: 'assigned' });
  });
  test('names nobody where the person is not there, and the server may look again', async () => {
    const made = await given({ assignee: `person:${uuid(99)}` });
    expect(made).toMatchObject({ assignee_id: null, status: 'open' });
    expect(made.source_fields).toMatchObject({ assignee: `person:${uuid(99)}`, assignee_id: null });
  });
  test('that says nothing of it leaves the action item to nobody, as before', async () => {
    expect(await given({ due_in_days: 2 })).toMatchObject({ assignee_id: null, status: 'open' });
  });
  test('in hours is due so many hours after the finish; of days and hours the earlier counts', async () => {
    expect(await given({ due_in_hours: 4, due_in_days: 3 })).toMatchObject({ due_at: '2026-11-21T13:00:00.000Z' });
  });

  test('never takes back what a person gave or took away when the inspection is finished again', async () => {
    const of = compiled([passFail({ on_fail: { assignee: `person:${mate}`, due_in_hours: 4 } })]);
    await start();
    await finish(of);
    const { id } = await action();
    await store.write('take', tx =>
      changeActionItem(tx, { id, changes: { assigneeId: null, dueAt: null }, by: lead, at }),
    );
    await sendBack();
    await finish(of, 'fail', 'worse');
    expect(await action()).toMatchObject({ assignee_id: null, due_at: null, status: 'open', description: 'worse' });
  });

  test('gives it to the person whom only the corrected answer names', async () => {
    const of = compiled([
      { type: 'text', name: 'how', default: 'bad' },
      passFail({
        on_fail: {},
        rules: [{ when: "${how} = 'worse'", action: true, assignee: `person:${mate}`, due_in_hours: 1 }],
      }),
    ]);
    await start();
    await finish(of);
    expect(await action()).toMatchObject({ assignee_id: null, due_at: null });
    await sendBack();
    const worse = { inspectionId: inspection, form: of, question: 'how', value: 'worse', by: worker, at, moment };
    await store.write('worse', tx => answerQuestion(tx, worse));
    await finish(of);
    expect(await action()).toMatchObject({ assignee_id: mate, status: 'assigned', due_at: '2026-11-21T10:00:00.000Z' });
  });
});
