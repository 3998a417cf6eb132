import { utf8Text } from '@cairn/base/csv.ts';
import { fileKind, type FileKind } from '../files/file-kind.ts';

/** What keeps a file from being read as tasks: it belongs elsewhere, or is no text. */
export type NoTaskFile = 'notText' | 'isForm' | 'isOscal' | 'isPolicy' | 'isDocument';

const ELSEWHERE: Partial<Record<FileKind, NoTaskFile>> = {
  form: 'isForm',
  catalogue: 'isOscal',
  profile: 'isOscal',
  poam: 'isOscal',
  oscal: 'isOscal',
  policy: 'isPolicy',
  pdf: 'isDocument',
};

/**
 * The text of a file of tasks, or what it is instead. A workbook may hold tasks too, and is told how they come out of it (`notText`).
 *
 * @param name with its ending
 */
export function taskFileText(bytes: Uint8Array<ArrayBuffer>, name: string): { text: string } | { problem: NoTaskFile } {
  const text = utf8Text(bytes);
  const kind = fileKind(bytes, name);
  if (text === null) return { problem: kind === 'pdf' ? 'isDocument' : 'notText' };
  const problem = ELSEWHERE[kind];
  return problem === undefined ? { text } : { problem };
}
