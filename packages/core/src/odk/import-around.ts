import type { NamedFile } from '../files/form-package.ts';

/** What else there is to read a form with. */
export type ImportOptions = {
  /** Lists of choices in files of their own. */
  beside?: readonly NamedFile[];
  /** Called whenever a step of it is done: reading a large one takes seconds. */
  onProgress?: () => void;
};
