/** The same set with one id in it, or without it. */
export const toggled = (set: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> =>
  new Set(isIn ? [...set, id] : [...set].filter(each => each !== id));
