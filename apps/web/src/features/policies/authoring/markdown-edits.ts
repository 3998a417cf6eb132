/** A text and what is selected in it, as UTF-16 offsets. */
export type Selection = { text: string; from: number; to: number };

/**
 * Puts marks around what is selected, or takes them away where they are there already.
 *
 * @param empty stands between the marks where nothing is selected
 */
export function wrapped({ text, from, to }: Selection, open: string, close: string, empty = ''): Selection {
  const isMarked = text.slice(from - open.length, from) === open && text.slice(to, to + close.length) === close;
  if (isMarked && from >= open.length) {
    const plain = text.slice(0, from - open.length) + text.slice(from, to) + text.slice(to + close.length);
    return { text: plain, from: from - open.length, to: to - open.length };
  }
  const words = from === to ? empty : text.slice(from, to);
  const marked = `${text.slice(0, from)}${open}${words}${close}${text.slice(to)}`;
  return { text: marked, from: from + open.length, to: from + open.length + words.length };
}

/** Puts a mark before each selected line, or takes it away where every one of them has it. */
export function lineMarked({ text, from, to }: Selection, mark: string): Selection {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const next = text.indexOf('\n', to);
  const end = next === -1 ? text.length : next;
  const lines = text.slice(start, end).split('\n');
  const isMarked = lines.every(line => line.startsWith(mark));
  const changed = lines.map(line => (isMarked ? line.slice(mark.length) : `${mark}${line}`)).join('\n');
  return { text: text.slice(0, start) + changed + text.slice(end), from: start, to: start + changed.length };
}
