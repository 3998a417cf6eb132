/** The texts of a list out of a JSON column; none where it is no list. */
export const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : [];
