import type { IssueReport, ReportStatus } from '@cairn/core/issue-reports/report-status.ts';
import type { StatusState, Tone } from '@cairn/ui/feedback/pill.tsx';

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const satisfies readonly IssueReport['severity'][];
export const CATEGORIES = [
  'hazard',
  'near_miss',
  'injury',
  'damage',
  'environment',
  'security',
  'quality',
  'other',
] as const satisfies readonly IssueReport['category'][];

/** What a select gives back. */
export const severityFrom = (value: string): IssueReport['severity'] =>
  SEVERITIES.find(each => each === value) ?? 'medium';
export const categoryFrom = (value: string): IssueReport['category'] =>
  CATEGORIES.find(each => each === value) ?? 'other';

export const REPORT_FACES: Record<ReportStatus, StatusState> = {
  reported: 'open',
  triaged: 'review',
  acting: 'in_progress',
  resolved: 'done',
  closed: 'done',
  dismissed: 'done',
};

export const SEVERITY_TONES: Record<IssueReport['severity'], Tone> = {
  low: 'neutral',
  medium: 'info',
  high: 'warn',
  critical: 'bad',
};
