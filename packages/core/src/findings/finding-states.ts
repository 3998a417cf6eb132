import type { Row } from '@cairn/schema';

export type Finding = Row<'findings'>;
export type FindingState = Finding['state'];
export type FindingSubject = Finding['subject_table'];
export type Severity = Finding['severity'];

/** The gravest first. */
export const SEVERITIES = ['critical', 'major', 'minor', 'observation'] as const satisfies readonly Severity[];

/** From a state to those somebody may move it to; `compliance.finding_may_become` says the same. */
export const findingMoves: Readonly<Record<FindingState, readonly FindingState[]>> = {
  open: ['answered'],
  reopened: ['answered'],
  answered: ['closed', 'reopened'],
  closed: ['reopened'],
};

/** Whether the company owes an answer. */
export const waitsForAnswer = ({ state }: Pick<Finding, 'state'>): boolean => state === 'open' || state === 'reopened';

/** Who somebody is to findings. */
export type FindingRights = { raises: boolean; answers: boolean; userId: string };

/** Whether this person may answer it now. */
export const mayAnswer = (finding: Finding, { answers, userId }: FindingRights): boolean =>
  waitsForAnswer(finding) && (answers || finding.owner_id === userId);

/** Whether this person may close it now: whoever answered it, or is responsible, leaves that to somebody else. */
export const mayClose = (finding: Finding, { raises, userId }: FindingRights): boolean =>
  raises && finding.state === 'answered' && finding.answered_by !== userId && finding.owner_id !== userId;

/** Whether this person may open it again. */
export const mayReopen = (finding: Finding, { raises }: FindingRights): boolean =>
  raises && findingMoves[finding.state].includes('reopened');

/** Whether this person may still change its words, or take it back: its author, until it is answered. */
export const mayRewrite = (finding: Finding, { raises, userId }: FindingRights): boolean =>
  raises && finding.state === 'open' && finding.raised_by === userId;
