/** Why the server refused, as keys of `refused` in the texts of this area; the code itself stays under "details". */
export function refusalKey(code: string | null) {
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
