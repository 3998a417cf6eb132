/** `group`: what stands between thousands where the person lives. */
type NumberFormat = { isWhole: boolean; group: string };

/**
 * A number with a point or a comma. What is none stays the text, and the form says so at the question; so does what may mean
 * a thousand times as much ("1,000" where commas part thousands): nothing is guessed.
 */
export function numberFrom(typed: string, { isWhole, group }: NumberFormat): number | string | null {
  const text = typed.trim();
  if (text === '') return null;
  const [mark] = /[.,]/u.exec(text) ?? [];
  if (mark && (isWhole || (mark === group && /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/u.test(text)))) return typed;
  const value = Number(text.replace(',', '.'));
  return Number.isFinite(value) && /^[-+]?[\d.,]+$/u.test(text) ? value : typed;
}
