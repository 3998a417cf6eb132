import { Failure } from '@cairn/base/failure.ts';
import type { Tx, WriteTx } from '@cairn/sync/store.ts';
import { findingMoves, type Finding, type FindingState, type FindingSubject, type Severity } from './finding-states.ts';

export type FindingTarget = { table: FindingSubject; id: string };

/** What an auditor says. */
export type FindingFacts = { title: string; body: string; requirement: string; severity: Severity };

export type RaiseFinding = FindingFacts & {
  /** A fresh id. */
  id: string;
  target: FindingTarget;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/** @throws {Failure} `invalid` without a title */
function columnsOf({ title: titleText, body, requirement, severity }: FindingFacts) {
  const title = titleText.trim();
  if (title === '' || title.length > 200)
    throw new Failure('invalid', 'a finding needs a title of at most 200 letters');
  return {
    title,
    body: body.trim().slice(0, 8000),
    requirement: requirement.trim().slice(0, 300) || null,
    severity,
  };
}

/** Who is responsible for what a finding is about; the server says so again. */
async function ownerOf(tx: Tx, { table, id }: FindingTarget): Promise<string | null> {
  if (table === 'policies') return (await tx.get(table, id))?.owner_id ?? null;
  if (table === 'evidence') {
    const row = await tx.get(table, id);
    return row?.owner_id ?? row?.created_by ?? null;
  }
  if (table === 'inspections') {
    const row = await tx.get(table, id);
    return row?.conducted_by ?? row?.assigned_to ?? null;
  }
  return null;
}

/**
 * Writes down a finding about a record.
 *
 * @throws {Failure} `not_found` when the record is not on this device; `invalid` without a title
 */
export async function raiseFinding(tx: WriteTx, { id, target, by, at, ...facts }: RaiseFinding): Promise<void> {
  const columns = columnsOf(facts);
  const about = await tx.get(target.table, target.id);
  if (!about || about.deleted_at !== null)
    throw new Failure('not_found', `raiseFinding: no ${target.table} ${target.id}`);
  await tx.put('findings', {
    id,
    organization_id: about.organization_id,
    subject_table: target.table,
    subject_id: target.id,
    ...columns,
    state: 'open',
    owner_id: await ownerOf(tx, target),
    raised_by: by,
    raised_at: at,
  });
}

async function presentFinding(tx: Tx, id: string): Promise<Finding> {
  const found = await tx.get('findings', id);
  if (!found || found.deleted_at !== null) throw new Failure('not_found', `no finding ${id}`);
  return found;
}

/** Changes its words, until it is answered. @throws {Failure} `not_found`; `invalid`; `stale_version` once it is answered */
export async function rewriteFinding(tx: WriteTx, id: string, facts: FindingFacts): Promise<void> {
  const found = await presentFinding(tx, id);
  if (found.state !== 'open') throw new Failure('stale_version', `rewriteFinding: ${id} is ${found.state}`);
  await tx.change('findings', id, columnsOf(facts));
}

/** Takes it back, until it is answered. @throws {Failure} `not_found`; `stale_version` once it is answered */
export async function removeFinding(tx: WriteTx, id: string): Promise<void> {
  const found = await presentFinding(tx, id);
  if (found.state !== 'open') throw new Failure('stale_version', `removeFinding: ${id} is ${found.state}`);
  await tx.remove('findings', id);
}

/** Says who is responsible. @throws {Failure} `not_found` */
export async function nameFindingOwner(tx: WriteTx, id: string, ownerId: string | null): Promise<void> {
  await presentFinding(tx, id);
  await tx.change('findings', id, { owner_id: ownerId });
}

function needMove(found: Finding, to: FindingState): void {
  if (!findingMoves[found.state].includes(to))
    throw new Failure('stale_version', `finding ${found.id} cannot go from ${found.state} to ${to}`);
}

export type AnswerFinding = {
  id: string;
  answer: string;
  /** What is done about it; null where words are enough. `id`: a fresh one. `dueAt`: ISO 8601. */
  action: { id: string; title: string; assigneeId: string | null; dueAt: string | null } | null;
  playbookId: string | null;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/**
 * Answers a finding, with an action item where it takes work. Write it with `together`.
 *
 * @throws {Failure} `not_found`; `stale_version` when it waits for no answer; `invalid` without words, or for work without a title
 */
export async function answerFinding(
  tx: WriteTx,
  { id, answer, action, playbookId, by, at }: AnswerFinding,
): Promise<void> {
  const found = await presentFinding(tx, id);
  needMove(found, 'answered');
  const words = answer.trim().slice(0, 4000);
  if (words === '') throw new Failure('invalid', `answerFinding: ${id} needs words`);
  await tx.change('findings', id, { state: 'answered', answer: words, answered_by: by, answered_at: at });
  if (action === null) return;
  const title = action.title.trim();
  if (title === '') throw new Failure('invalid', `answerFinding: the work on ${id} has no title`);
  await tx.put('action_items', {
    id: action.id,
    organization_id: found.organization_id,
    site_id: null,
    playbook_id: playbookId,
    title,
    description: found.body || null,
    status: action.assigneeId === null ? 'open' : 'assigned',
    priority: PRIORITY_OF[found.severity],
    due_at: action.dueAt,
    assignee_id: action.assigneeId,
    source_type: 'finding',
    source_id: found.id,
    created_by: by,
  });
}

const PRIORITY_OF = { critical: 'critical', major: 'high', minor: 'medium', observation: 'low' } as const;

export type JudgeFinding = {
  id: string;
  state: 'closed' | 'reopened';
  verdict: string;
  by: string;
  /** Device time, ISO 8601. */ at: string;
};

/**
 * Closes an answered finding, or opens it again.
 *
 * @throws {Failure} `not_found`; `stale_version` for a move its state does not allow; `invalid` when it is opened again and nobody
 * says why
 */
export async function judgeFinding(tx: WriteTx, { id, state, verdict, by, at }: JudgeFinding): Promise<void> {
  needMove(await presentFinding(tx, id), state);
  const words = verdict.trim().slice(0, 2000) || null;
  if (state === 'reopened' && words === null) throw new Failure('invalid', `judgeFinding: ${id} needs its reason`);
  await tx.change('findings', id, { state, verdict: words, decided_by: by, decided_at: at });
}
