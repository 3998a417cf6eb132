import type { PolicyFile } from '@cairn/core/policies/policy-file.ts';
import type { ReadingProgress } from './use-sections-read.ts';

/** How much of a document there is to read; null while it is not on the screen. */
export type Parts = number | null;

export type DocumentProps = Pick<ReadingProgress, 'read' | 'onFrame'> & {
  file: PolicyFile;
  /** How many pages or sections it has, once it stands on the screen; null where it does not. */
  onParts: (parts: Parts) => void;
  /** More of it was drawn: its ends can be looked for. */
  onDrawn: () => void;
};
