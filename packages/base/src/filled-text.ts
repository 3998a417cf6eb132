/** What variables stand for, by their names. */
export type TextValues = Readonly<Record<string, string>>;

const AUTOLINK = /<(https?:\/\/|mailto:)[^<>\s"]*>/gi;
const ANY_TAG = /<[a-z/!?]/i;
/** Forms compare numbers: only what is really a tag is one there. */
const RUNNING_TAG =
  /<\s*\/?\s*(script|iframe|object|embed|style|link|meta|svg|math|form|base|img|video|audio|body|html)\b/i;
const RUNNING_ADDRESS =
  /(javascript|vbscript)\s*:|data\s*:\s*((text|application)\/|image\/svg)|&(#|colon;|tab;|newline;)/i;
/** What is not seen, or turns round what is; tabs, new lines and new pages may stand. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const UNSEEN = /[\u0000-\u0008\u000B\u000E-\u001F\u007F\u200B\u202A-\u202E\u2066-\u2069]/;

/** Whether a text holds what could run, or what is not seen; with `anyTag` any tag at all. */
export function hasMarkup(text: string, anyTag: boolean): boolean {
  const plain = text.replaceAll(AUTOLINK, '');
  return (anyTag ? ANY_TAG : RUNNING_TAG).test(plain) || RUNNING_ADDRESS.test(text) || UNSEEN.test(text);
}

/** A text with its variables filled in; what has no value stays as it stands. `marketplace.with_values_filled` does the same. */
export const filled = (text: string, values: TextValues): string =>
  text.replaceAll(/\{\{([a-z][a-z0-9_]*)\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );

/** Whether a value may stand in a text: something is said, in one line, and nothing in it can be taken for more than words. */
export const isFitValue = (value: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- one line of plain words
  value.trim() !== '' && value.length <= 200 && !/[\u0000-\u001F\u007F{}<>]/.test(value) && !hasMarkup(value, true);
