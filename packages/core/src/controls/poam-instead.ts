import { kindOfJson } from '../files/file-kind.ts';

/** What a file that is no plan of action is instead. */
export function instead(json: unknown): 'is_catalogue' | 'is_form' | 'not_oscal' {
  const kind = kindOfJson(json);
  if (kind === 'catalogue' || kind === 'profile') return 'is_catalogue';
  return kind === 'form' ? 'is_form' : 'not_oscal';
}
