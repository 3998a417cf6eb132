import { RequestFault } from './request-fault.ts';

const OBJECT = 'application/vnd.pgrst.object';
const ARRAY = 'application/vnd.pgrst.array';
const FORMS = new Set([
  '*/*',
  'application/*',
  'application/json',
  'text/csv',
  OBJECT,
  `${OBJECT}+json`,
  ARRAY,
  `${ARRAY}+json`,
]);
const MAX_HEADER_LENGTH = 1000;

/**
 * `Accept` as the library shall see it: the forms our clients read, without plans, which tell of everybody's rows.
 *
 * @throws {RequestFault} PGRST107 (406) where nothing of it is one
 */
export function knownForms(header: string): string {
  const forms = header
    .slice(0, MAX_HEADER_LENGTH)
    .split(',')
    .map(form =>
      form
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/),
    )
    .filter(([form = '']) => FORMS.has(form))
    .map(([form = '', ...more]) => (more.includes('nulls=stripped') ? `${form};nulls=stripped` : form));
  if (forms.length > 0) return [...new Set(forms)].join(', ');
  const message = `None of these media types are available: ${header.slice(0, MAX_HEADER_LENGTH)}`;
  throw new RequestFault(406, 'PGRST107', message);
}
