import type { AnswerPatch, CommitTime } from './answer-drafts.ts';
import type { EntryActs } from './entry-part.tsx';
import type { FileKind } from './file-answer.tsx';
import type { Sound } from './sound-chunks.ts';

/** A picture drawn in the app; keeping the same `id` again is the same copy. */
export type DrawnCopy = {
  id: string;
  /** The photo below it; null for a sketch on white paper. */
  drawnOn: string | null;
};

/** What can be done at a question. */
export type QuestionActs = {
  inspectionId: string;
  answer: (path: string, patch: AnswerPatch, when: CommitTime) => void;
  flush: () => void;
  addPhoto: (path: string, file: File) => Promise<void>;
  addDrawn: (path: string, file: File, copy: DrawnCopy) => Promise<void>;
  /** `note`: said beside the answer; else it is the answer. */
  addSound: (path: string, sound: Sound, as: 'answer' | 'note') => Promise<void>;
  removePhoto: (path: string, mediaId: string) => Promise<void>;
  addFile: (path: string, file: File, kind: FileKind) => Promise<void>;
} & EntryActs;
