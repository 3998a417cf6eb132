import { csvFile } from '@cairn/base/csv.ts';
import type { KioskProof, KioskAttestation } from './certificate.ts';
import type { QuizResult } from './quiz.ts';

/** One person as `policy_acknowledgement_report` answers; what is not known is left out. Instants in ISO 8601. */
export type ReportedPerson = {
  user_id: string;
  name?: string;
  role?: string;
  sites?: string[];
  teams?: string[];
  state: 'requested' | 'opened' | 'overdue' | 'acknowledged' | 'declined' | 'exempt' | 'void';
  owed: boolean;
  due_at?: string;
  opened_at?: string;
  decided_at?: string;
  received_at?: string;
  version?: string;
  sections_read?: number;
  sections?: number;
  method?: 'typed' | 'drawn';
  signed_name?: string;
  reason?: string;
  content_hash?: string;
  /** Times the quiz was answered; left out: never. */
  quiz_attempts?: number;
  quiz_right?: number;
  /** Questions of the quiz. */
  quiz_of?: number;
  /** How many had to be right when the word arrived. */
  quiz_needed?: number;
  quiz_at?: string;
  /** Of a word at a kiosk: how it was shown whose it is. */
  proof?: KioskProof;
  /** Of a word at a kiosk: the name of whoever witnessed it on their device; empty where they have left. */
  witness?: string;
};

export type AcknowledgementReport = {
  major: number;
  title: string;
  at: string;
  /** Whoever asked is limited to sites: `people` are those of their sites. */
  is_limited: boolean;
  people: ReportedPerson[];
};

export type ReportFigures = {
  asked: number;
  acknowledged: number;
  waiting: number;
  overdue: number;
  declined: number;
  exempt: number;
};

/** What a report adds up to. Who was never asked and spoke all the same counts as acknowledged, not as asked. */
export function figuresOf(people: readonly ReportedPerson[]): ReportFigures {
  const count = (...states: ReportedPerson['state'][]) => people.filter(({ state }) => states.includes(state)).length;
  return {
    asked: people.filter(({ owed }) => owed).length,
    acknowledged: count('acknowledged'),
    waiting: count('requested', 'opened', 'void'),
    overdue: count('overdue'),
    declined: count('declined'),
    exempt: count('exempt'),
  };
}

/** What a report says of somebody's quiz; null where they answered none. */
export function reportedQuiz(person: ReportedPerson): QuizResult | null {
  if (person.quiz_attempts === undefined || person.quiz_of === undefined) return null;
  return {
    attempts: person.quiz_attempts,
    right: person.quiz_right ?? 0,
    of: person.quiz_of,
    needed: person.quiz_needed ?? null,
    at: person.quiz_at ?? null,
  };
}

/** What a report says of a word at a kiosk; null where it was said on their own device. */
export const reportedKiosk = ({ proof, witness }: ReportedPerson): KioskAttestation | null =>
  proof === undefined ? null : { proof, witness: witness || null, device: null };

export type ReportColumn = { title: string; value: (person: ReportedPerson) => string };

/** A report as CSV, for a spreadsheet. */
export function reportCsv(people: readonly ReportedPerson[], columns: readonly ReportColumn[]): string {
  return csvFile([
    columns.map(({ title }) => title),
    ...people.map(person => columns.map(({ value }) => value(person))),
  ]);
}
