const PLACES = 14;

/** Whether the last digit of a GTIN is its check digit. Source: GS1 General Specifications, 7.9: weights 3 and 1 from the right. */
function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((all, digit, index) => all + Number(digit) * (index % 2 === 1 ? 3 : 1), 0);
  return sum % 10 === 0;
}

/** A UPC-E label as the UPC-A it stands for (GS1 General Specifications, 5.2.2.4.2); null for other digits. */
function fromUpcE(digits: string): string | null {
  const [, system, body = '', last = '', check] = /^([01])(\d{5})(\d)(\d)$/.exec(digits) ?? [];
  if (system === undefined) return null;
  const [a, b, c, d, e] = body;
  const middle =
    last <= '2'
      ? `${a}${b}${last}0000${c}${d}${e}`
      : last === '3'
        ? `${a}${b}${c}00000${d}${e}`
        : last === '4'
          ? `${a}${b}${c}${d}00000${e}`
          : `${body}0000${last}`;
  const whole = `${system}${middle}${check}`;
  return hasCheckDigit(whole) ? whole : null;
}

/** A trade number behind its application identifier (GS1 General Specifications, 3.2), as GS1-128 and DataMatrix hold it. */
const BEHIND_01 = /^(?:\](?:C1|D2|E0|Q3))?(?:\(01\)|01)(\d{14})/i;

/**
 * A trade number as 14 digits: what is printed as UPC-A is read as EAN-13 with a zero in front, and on a small label as UPC-E; a
 * box has it behind (01). Eight digits can be two of them. None for a code that is no such number.
 *
 * @param code without blanks
 */
export function gtins(code: string): string[] {
  const [, behind = ''] = BEHIND_01.exec(code) ?? [];
  if (behind !== '' && hasCheckDigit(behind)) return [behind];
  if (!/^(?:\d{8}|\d{12,14})$/.test(code)) return [];
  const short = code.length === 8 ? fromUpcE(code) : null;
  return [code, ...(short === null ? [] : [short])].map(each => each.padStart(PLACES, '0'));
}
