/** What a person typed, as the server takes it: E.164 with its `+`; null for what has no country code or is no number. */
export function phoneIn(typed: string): string | null {
  const phone = typed.replaceAll(/[\s()./-]/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(phone) ? phone : null;
}
