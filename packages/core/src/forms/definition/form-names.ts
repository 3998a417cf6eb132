import type { Names, Ref } from '../expression/expression-scope.ts';
import type { FormDefinition, QuestionType } from './form-definition.ts';

/** A section or question, as far as finding it by name needs. */
type NamedItem = {
  path: string;
  /** The repeats around it, outermost first. */
  repeats: readonly { path: string }[];
} & ({ kind: 'question'; question: { type: QuestionType } } | { kind: 'group'; group: { type: 'group' | 'repeat' } });

export type FormNames = Names & {
  /** What `${name}` stands for; null where there is no such question or more than one. */
  find(name: string): Ref | null;
  /** What kind of question stands at a path; null for a section, or nothing. */
  typeAt(path: string): QuestionType | null;
};

/** How names are found from each place of a form. */
export function namesFor(form: FormDefinition, items: readonly NamedItem[]): (from: NamedItem) => FormNames {
  const byPath = new Map(items.map(item => [item.path, item]));
  const byName = Map.groupBy(items, item => item.path.slice(item.path.lastIndexOf('.') + 1));
  const columns = new Map<string, Set<string>>();
  const called = (name: string): readonly NamedItem[] => {
    const exact = byPath.get(name);
    if (exact) return [exact];
    return name.includes('.')
      ? items.filter(item => item.path.endsWith(`.${name}`))
      : (byName.get(name) ?? []).filter(item => item.path !== name);
  };

  const columnsOf = (list: string): Set<string> => {
    const known = columns.get(list) ?? new Set(['name', 'label']);
    if (!columns.has(list)) {
      for (const { attributes } of form.choice_lists[list] ?? []) {
        for (const column of Object.keys(attributes ?? {})) known.add(column);
      }
      columns.set(list, known);
    }
    return known;
  };

  const lists = {
    hasList: (name: string) => Object.hasOwn(form.choice_lists, name),
    hasColumn: (list: string, column: string) => columnsOf(list).has(column),
  };
  return from => ({ ...lists, ...namesFrom(from, byPath, called) });
}

type ItemLookup = (name: string) => readonly NamedItem[];

function namesFrom(from: NamedItem, byPath: ReadonlyMap<string, NamedItem>, called: ItemLookup) {
  const answered = (path: string, reference: string): Ref => {
    const found = byPath.get(path);
    if (!found) throw new Error(`there is no question "${reference}"`);
    if (isSection(found)) throw new Error(`"${reference}" is a section, not a question`);
    return refTo(found, from);
  };
  return {
    field: (name: string) => answered(onlyOne(called(name), name).path, name),
    path: (up: number | null, steps: string[]) => answered(pathFrom(from, up, steps), written(up, steps)),
    entry(up: number) {
      const path = ancestor(from, up);
      const depth = from.repeats.findIndex(repeat => repeat.path === path);
      if (depth < 0) throw new Error(`"${written(up, [])}" is no repeat group`);
      return depth;
    },
    ...entriesFrom(from, byPath, {
      field: name => answered(onlyOne(called(name), name).path, name).path,
      path: (up, steps) => answered(pathFrom(from, up, steps), written(up, steps)).path,
    }),
    saved: (name: string) => onlyOne(called(name), name).path,
    find(name: string) {
      const [match, ...others] = called(name).filter(place => place.kind === 'question');
      return match && others.length === 0 ? refTo(match, from) : null;
    },
  };
}

type RefResolver = { field(name: string): string; path(up: number | null, steps: string[]): string };

/** How what stands in the entries of repeats is found. */
function entriesFrom(from: NamedItem, byPath: ReadonlyMap<string, NamedItem>, found: RefResolver) {
  return {
    stands: (path: string) => byPath.has(path),
    typeAt(path: string) {
      const place = byPath.get(path);
      return place?.kind === 'question' ? place.question.type : null;
    },
    repeat(reference: string | { up: number | null; steps: string[] }) {
      const path = typeof reference === 'string' ? found.field(reference) : found.path(reference.up, reference.steps);
      if (byPath.get(path)?.kind === 'group') return path;
      throw new Error(
        "a condition in [ ] is only understood behind a repeat group or in instance('list')/root/item[…]",
      );
    },
    across(path: string, repeat: string, inner: readonly string[] = []) {
      const target = byPath.get(path);
      if (target && path === repeat) return { ...refTo(target, { repeats: from.repeats }), many: true };
      const depth = target?.repeats.findIndex(each => each.path === repeat) ?? -1;
      if (!target || depth < 0) throw new Error(`"${path}" does not stand in the repeat group "${repeat}"`);
      const inside = target.repeats.slice(depth + 1).map(each => each.path);
      const other = inner.find((each, index) => each !== inside[index]);
      if (other !== undefined) throw new Error(`"${path}" does not stand in the repeat group "${other}"`);
      if (inside.length > inner.length)
        throw new Error(`"${path}" stands in a repeat group inside "${repeat}": which of its entries is not said`);
      return { ...refTo(target, { repeats: from.repeats.slice(0, depth) }), many: true };
    },
  };
}

/** An absolute path begins with the form's own name, which is no section here. */
const pathFrom = (from: NamedItem, up: number | null, steps: readonly string[]): string =>
  up === null ? steps.slice(1).join('.') : [ancestor(from, up), ...steps].filter(step => step !== '').join('.');

/** The path that so many steps up from a place lead to; empty outside all sections. */
function ancestor({ path }: NamedItem, up: number): string {
  const own = path.split('.');
  if (up === 0 || up > own.length) throw new Error(`"${written(up, [])}" leads nowhere`);
  return own.slice(0, own.length - up).join('.');
}

function onlyOne([match, ...others]: readonly NamedItem[], name: string): NamedItem {
  if (!match) throw new Error(`there is no question "${name}"`);
  if (others.length > 0) throw new Error(`more than one question is called "${name}"`);
  return match;
}

const isSection = (place: NamedItem): boolean => place.kind === 'group' && place.group.type === 'group';

/** `target` seen from `from`: they share the repeats that stand around both. */
function refTo(target: NamedItem, from: Pick<NamedItem, 'repeats'>): Ref {
  let depth = 0;
  while (depth < target.repeats.length && target.repeats[depth] === from.repeats[depth]) depth += 1;
  const shared = target.repeats[depth - 1];
  return {
    path: target.path,
    depth,
    tail: shared ? target.path.slice(shared.path.length + 1) : target.path,
    many: target.repeats.length > depth || target.kind === 'group',
  };
}

const written = (up: number | null, steps: readonly string[]): string => {
  const path = [...Array.from({ length: up ?? 0 }, () => '..'), ...steps].join('/');
  return up === null ? `/${path}` : path;
};
