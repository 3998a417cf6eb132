import type { PlaybookType } from './modules.ts';

/** What learning is like in a playbook: whose words it uses, and which steps its workflow has. */
export type LearningContext = {
  /** Whose headings learning screens use; the words are texts of the app. */
  labels: PlaybookType;
  /** Somebody else may assign a course and set a date. */
  isAssigned: boolean;
  /** A passed course gives a certificate that expires. */
  isCertified: boolean;
  /** Whether the organisation is told how far the learner is. */
  isReported: boolean;
};

/** The learning context of a playbook type; in an organisation (no playbook chosen) it is that of a company. */
export function learningContext(type: PlaybookType | null): LearningContext {
  const isCompany = type !== 'personal';
  return {
    labels: isCompany ? 'company' : 'personal',
    isAssigned: isCompany,
    isCertified: isCompany,
    isReported: isCompany,
  };
}
