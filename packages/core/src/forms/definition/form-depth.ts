/** Sections in sections, as deep as a form may have them. */
export const MAX_FORM_DEPTH = 30;
export const TOO_DEEP = `groups are nested more than ${MAX_FORM_DEPTH} deep here, deeper than a form can be`;

/** A form that is stored already is read as deep as the stack bears it anywhere, whatever importers allow today. */
export const MAX_STORED_FORM_DEPTH = 100;

/**
 * Finds a section that stands deeper than `most` sections, in what may be a form. Walks level by level, because what
 * nests far enough exhausts the stack of whoever looks into it by calling itself.
 *
 * @returns the path of the first one, as `items[0].items[2]`; null where there is none
 */
export function tooDeepAt(form: unknown, most: number): string | null {
  let level = [{ items: itemsOf(form), at: 'items' }];
  for (let depth = 0; level.length > 0; depth += 1) {
    const inside = level.flatMap(({ items, at }) => sectionsIn(items, at));
    if (depth >= most && inside[0]) return inside[0].at.replace(/\.items$/, '');
    level = inside;
  }
  return null;
}

const sectionsIn = (items: readonly unknown[], at: string) =>
  items.flatMap((item, index) => (isSection(item) ? [{ items: itemsOf(item), at: `${at}[${index}].items` }] : []));

const isSection = (item: unknown): item is { items: unknown } =>
  typeof item === 'object' && item !== null && 'items' in item;

const itemsOf = (form: unknown): readonly unknown[] => (isSection(form) && Array.isArray(form.items) ? form.items : []);
