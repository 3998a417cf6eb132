/**
 * Reads a number the way people write it: decimal point or comma, spaces, apostrophes or the other mark between
 * thousands ("1 234,5", "1.234,5", "1,234.5", "-3").
 *
 * @returns null for an empty text, `undefined` when the text is not a number
 */
export function parseNumber(text: string, locale: string): number | null | undefined {
  const bare = text.replaceAll(/[\s'’\u00a0\u202f]/g, '').replace('−', '-');
  if (bare === '') return null;
  const decimal = decimalMark(bare, locale);
  const plain = bare.replaceAll(decimal === ',' ? '.' : ',', '').replace(decimal, '.');
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}

/** The mark that stands last is the decimal one; a lone mark before three digits follows the locale ("1,234"). */
function decimalMark(text: string, locale: string): '.' | ',' {
  const marks = text.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  const local = localDecimal(locale);
  if (last === undefined) return local;
  const kinds = new Set(marks).size;
  if (kinds === 2) return last === ',' ? ',' : '.';
  if (marks.length > 1) return last === ',' ? '.' : ',';
  return /[.,]\d{3}$/.test(text) ? local : last === ',' ? ',' : '.';
}

function localDecimal(locale: string): '.' | ',' {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.find(part => part.type === 'decimal')?.value === ',' ? ',' : '.';
}
