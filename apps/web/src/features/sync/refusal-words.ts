/**
 * What the server says where somebody's decision stands. It has one code for every want of a right, and this is none: nobody
 * who is asked can let it through.
 */
export const DECIDED = [
  'a decided inspection stays as it was signed',
  'a finished inspection stays as it was signed',
  'only a reviewer changes the state of a finished inspection',
  'the inspection is decided',
  'what was decided on stays as it is',
] as const;

type Refusal = { lastError: string | null; detail: string | null };

/** Whether it was decided on before this came: sent again it is refused again. */
export const isTooLate = ({ lastError, detail }: Refusal): boolean =>
  lastError === '42501' && DECIDED.some(words => detail?.startsWith(words));

/** Why the server refused, as keys of `refused` in the texts of this area; the code itself stays under "details". */
export function refusalKey(refusal: Refusal) {
  const { lastError: code } = refusal;
  if (isTooLate(refusal)) return 'decided';
  if (code === '42501') return 'not_allowed';
  if (code === '23503') return 'parent_gone';
  if (code === '23505') return 'exists';
  if (code === 'too_large' || code === '413') return 'too_large';
  if (code === 'mismatch' || code === 'hash_mismatch') return 'mismatch';
  if (code === 'wrong_type' || code === '415') return 'wrong_type';
  if (code === '23Q01') return 'quiz';
  if (code?.startsWith('22') || code?.startsWith('23') || code === 'P0001') return 'invalid';
  return 'unknown';
}
