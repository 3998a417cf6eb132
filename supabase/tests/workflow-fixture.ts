import { randomUUID } from 'node:crypto';
import type { Condition, Step, Trigger } from '@cairn/core/workflows/rule.ts';
import type { Simulation, WorkflowRun } from '@cairn/core/workflows/runs.ts';
import { addRow } from './add-row.ts';
import { push } from './edits.ts';
import { db, world } from './set-up-world.ts';

export type RuleInput = {
  trigger: Trigger;
  steps: Step[];
  conditions?: Condition[];
  matching?: 'all' | 'any';
};

/** Makes a rule by a device of the manager's, or of somebody else's, and switches it on. */
export async function rule(of: RuleInput, by = world.manager): Promise<string> {
  const id = randomUUID();
  const words = { title: 'A rule', matching: 'all', conditions: [], is_on: true, ...of };
  const patch = { organization_id: world.organization, ...words };
  const [made] = await push(by, { t: 'workflow_rules', op: 'insert', id, patch });
  if (made?.st !== 'applied') throw Object.assign(new Error(JSON.stringify(made)), made);
  return id;
}

/** Lets the clock of a server run; answers how much there was to do. */
export const sweep = async (): Promise<number> =>
  Number((await db.asAdmin('select workflow.sweep(1000) as done'))[0]?.['done']);

/** Nothing is left of rules and of what happened. */
export const forget = () =>
  db.asAdmin(`delete from workflow.event; delete from workflow_rules; delete from action_items where id <> '${world.action}'; delete from tasks where id <> '${world.task}'; delete from approval_decisions;
    delete from approval_delegations; delete from approval_requests where subject_table = 'workflow_runs'; delete from notifications`);

export const setPlan = (plan: 'standard' | 'enterprise') =>
  db.asAdmin('update organizations set plan = $2 where id = $1', [world.organization, plan]);

const here = () => ({ organization_id: world.organization, site_id: world.north, created_by: world.worker });
/** An action item somebody made by hand. */
export const makeAction = (more: Record<string, unknown> = {}) =>
  addRow(db, 'action_items', { ...here(), title: 'Mend it', status: 'open', priority: 'medium', ...more });
export const makeTask = (more: Record<string, unknown> = {}) =>
  addRow(db, 'tasks', {
    ...here(),
    title: 'Call',
    status: 'todo',
    priority: 'none',
    source_type: 'manual',
    evidence_required: false,
    watcher_ids: [],
    labels: [],
    needs_ids: [],
    media_ids: [],
    is_exception: false,
    ...more,
  });

export const runs = (id: string, by = world.manager) =>
  db.rpc<WorkflowRun[]>(by, 'read_workflow_runs', { p_rule: id, p_limit: 200 });

export async function simulate(of: RuleInput, by = world.manager): Promise<Simulation> {
  const words = { matching: 'all', conditions: [], ...of };
  return db.rpc(by, 'simulate_workflow', { p_organization: world.organization, p_rule: words });
}

/** A form with a critical question that asks for a photo where it fails, and one that asks for nothing. */
export async function form(): Promise<{ form_id: string; form_version_id: string }> {
  const made = await addRow(db, 'forms', { organization_id: world.organization, name: 'Forklift' });
  const parking = { type: 'pass_fail', name: 'parking', label: 'Parking brake holds', scoring: { critical: true } };
  const failed = { action: true, title: 'Parking brake does not hold', photo: 'required', priority: 'critical' };
  const brakes = { type: 'group', name: 'brakes', items: [{ ...parking, on_fail: failed }] };
  const horn = { type: 'pass_fail', name: 'horn', label: { de: 'Hupe', en: 'Horn' } };
  const definition = { format: 1, title: 'Forklift', items: [brakes, horn] };
  const version = { organization_id: world.organization, form_id: made, number: 1, definition };
  return { form_id: made, form_version_id: await addRow(db, 'form_versions', version) };
}

/** An inspection of the worker's with both questions failed, finished by their own device. */
export async function failedInspection(of: { form_id: string; form_version_id: string }): Promise<string> {
  const id = randomUUID();
  const [at, place] = [new Date().toISOString(), { organization_id: world.organization, site_id: world.north }];
  const inspection = {
    ...place,
    ...of,
    title: 'Forklift 3',
    conducted_by: world.worker,
    status: 'in_progress',
    started_at: at,
  };
  const answer = (question: string, outcome: string) => ({
    t: 'inspection_answers' as const,
    op: 'insert' as const,
    patch: {
      inspection_id: id,
      question,
      outcome,
      value: outcome,
      answered_by: world.worker,
      answered_at: at,
    },
  });
  const patch = { status: 'finalised', finished_at: at, result: 'fail' };
  const base = { status: 'in_progress', finished_at: null, result: null };
  const results = await push(
    world.worker,
    { t: 'inspections', op: 'insert', id, patch: inspection },
    answer('brakes.parking', 'fail'),
    { t: 'inspections', op: 'update', id, patch, base, bv: 1 },
    answer('horn', 'fail'),
  );
  if (results.some(({ st }) => st !== 'applied' && st !== 'merged')) throw new Error(JSON.stringify(results));
  return id;
}
