type FieldVersions<Values> = { was: Values; gave: Values; now: Values };
type RevertRules<Values, Field> = {
  isSame: (one: Values, other: Values, field: Field) => boolean;
  /** Whether a field that could go back may: a state is not left for any other. */
  mayReturn: (field: Field) => boolean;
};

/**
 * What an undo takes back of a change: only fields that still have what the change gave them. What somebody changed since stays
 * theirs; what is as it was before is neither.
 */
export function splitTakeBack<Values, Field>(
  fields: readonly Field[],
  { was, gave, now }: FieldVersions<Values>,
  { isSame, mayReturn }: RevertRules<Values, Field>,
): { back: Field[]; left: Field[] } {
  const given = fields.filter(field => !isSame(was, gave, field) && !isSame(now, was, field));
  const goesBack = (field: Field): boolean => isSame(now, gave, field) && mayReturn(field);
  return { back: given.filter(goesBack), left: given.filter(field => !goesBack(field)) };
}
