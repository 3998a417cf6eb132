/** The choice a control names; controls speak text, preferences a closed list. */
export function oneOf<T extends string>(choices: readonly T[], value: string): T {
  const found = choices.find(choice => choice === value);
  if (found === undefined) throw new Error(`not a choice: ${value}`);
  return found;
}
