import {
  type FormDefinition,
  type FormItem,
  type Group,
  isGroup,
  type Question,
} from '../definition/form-definition.ts';
import { renamedIn } from './form-rename.ts';

/** A section's own fields, without what stands in it. */
export type SectionHead = Omit<Group, 'items'>;

/** A question or section while a form is built. `key` stays the same wherever it is moved and whatever it is called. */
export type OutlineNode =
  | { kind: 'question'; key: string; question: Question }
  | { kind: 'section'; key: string; section: SectionHead; children: readonly OutlineNode[] };

/** A form being built. Everything here makes a new outline and leaves the old one as it was. */
export type Outline = {
  /** What belongs to the whole form. */
  head: Omit<FormDefinition, 'items'>;
  nodes: readonly OutlineNode[];
  /** The next key. */
  next: number;
};

/** Where a node stands: in a section (null: in none), before how many others of it. */
export type Spot = { parent: string | null; index: number };

/**
 * A form as an outline; `formOf` makes the same form of it again.
 *
 * @param from the first key: `next` of an outline that it takes the place of, so that no key comes to mean another node
 */
export function outlineOf({ items, ...head }: FormDefinition, from = 0): Outline {
  const { nodes, next } = unfold(items, from);
  return { head, nodes, next };
}

export const formOf = ({ head, nodes }: Outline): FormDefinition => ({ ...head, items: nodes.map(itemOf) });

/** A node as the form keeps it, with all in it. */
export const itemOf = (node: OutlineNode): FormItem =>
  node.kind === 'question' ? node.question : { ...node.section, items: node.children.map(itemOf) };

function unfold(items: readonly FormItem[], from: number): { nodes: OutlineNode[]; next: number } {
  let next = from;
  const nodes = items.map((item): OutlineNode => {
    const key = String(next);
    next += 1;
    if (!isGroup(item)) return { kind: 'question', key, question: item };
    const { items: inside, ...section } = item;
    const unfolded = unfold(inside, next);
    next = unfolded.next;
    return { kind: 'section', key, section, children: unfolded.nodes };
  });
  return { nodes, next };
}

export const nameOf = (node: OutlineNode): string =>
  node.kind === 'question' ? node.question.name : node.section.name;

/** Every node in the order of the form, each with where it stands and how many sections are around it. */
export function* walkOutline(
  nodes: readonly OutlineNode[],
  parent: string | null = null,
  depth = 0,
): Generator<{ node: OutlineNode; spot: Spot; depth: number }> {
  for (const [index, node] of nodes.entries()) {
    yield { node, spot: { parent, index }, depth };
    if (node.kind === 'section') yield* walkOutline(node.children, node.key, depth + 1);
  }
}

/** The node of this key and where it stands; null where there is none. */
export function findNode(outline: Outline, key: string): { node: OutlineNode; spot: Spot } | null {
  for (const found of walkOutline(outline.nodes)) if (found.node.key === key) return found;
  return null;
}

/** The outline with the children of one section (null: outside sections) made anew. */
function withChildren(
  outline: Outline,
  parent: string | null,
  change: (children: readonly OutlineNode[]) => readonly OutlineNode[],
): Outline {
  if (parent === null) return { ...outline, nodes: change(outline.nodes) };
  const into = (nodes: readonly OutlineNode[]): readonly OutlineNode[] =>
    nodes.map(node => {
      if (node.kind === 'question') return node;
      return { ...node, children: node.key === parent ? change(node.children) : into(node.children) };
    });
  return { ...outline, nodes: into(outline.nodes) };
}

/** Puts a node back, or a new one in, at a spot; beyond the end, and where its section is gone, is the end. */
export function putNode(outline: Outline, node: OutlineNode, { parent, index }: Spot): Outline {
  const isGone = parent !== null && findNode(outline, parent)?.node.kind !== 'section';
  if (isGone) return { ...outline, nodes: [...outline.nodes, node] };
  return withChildren(outline, parent, children => children.toSpliced(index, 0, node));
}

/** Adds a question or section with all in it, under names that nothing else has. */
export function addItem(outline: Outline, item: FormItem, spot: Spot): { outline: Outline; key: string } {
  const named = withFreshNames(outline, item);
  const { nodes, next } = unfold([named], outline.next);
  const [node] = nodes;
  if (!node) throw new Error('addItem: nothing to add');
  return { outline: putNode({ ...outline, next }, node, spot), key: node.key };
}

/** The outline without a node; `removed` brings it back with `putNode`. Null where there is none. */
export function removeNode(
  outline: Outline,
  key: string,
): { outline: Outline; removed: { node: OutlineNode; spot: Spot } } | null {
  const found = findNode(outline, key);
  if (!found) return null;
  const { parent } = found.spot;
  const left = withChildren(outline, parent, children => children.filter(child => child.key !== key));
  return { outline: left, removed: { node: found.node, spot: found.spot } };
}

/** A copy right after the node, under names of its own; what it says about itself it says about the copy. */
export function duplicateNode(outline: Outline, key: string): { outline: Outline; key: string } | null {
  const found = findNode(outline, key);
  if (!found) return null;
  return addItem(outline, itemOf(found.node), { ...found.spot, index: found.spot.index + 1 });
}

/**
 * Moves a node with all in it. `index` counts the others of the section, without the node itself. A section is not moved
 * into itself: the outline stays the same then.
 */
export function moveNode(outline: Outline, key: string, to: Spot): Outline {
  const taken = removeNode(outline, key);
  if (!taken) return outline;
  if (to.parent !== null && findNode(taken.outline, to.parent)?.node.kind !== 'section') return outline;
  return putNode(taken.outline, taken.removed.node, to);
}

/** One line of the flat list a form is ordered in; `end` closes a section, so that things can be put behind it. */
export type OutlineRow = { key: string; depth: number } & ({ kind: 'item'; node: OutlineNode } | { kind: 'end' });

/** A form as a flat list. */
export function rowsOf(nodes: readonly OutlineNode[], depth = 0): OutlineRow[] {
  return nodes.flatMap((node): OutlineRow[] => {
    const own: OutlineRow = { kind: 'item', key: node.key, node, depth };
    if (node.kind === 'question') return [own];
    return [own, ...rowsOf(node.children, depth + 1), { kind: 'end', key: endOf(node.key), depth: depth + 1 }];
  });
}

/** The key of the row that closes a section. */
export const endOf = (key: string): string => `${key}/end`;

/**
 * Where a node stands once it was dropped into the flat list: below a section's own row first in it, below anything else
 * after that. Its own rows, which travel with it, do not count.
 *
 * @param order keys of all rows in their new order
 */
export function spotInRows(outline: Outline, key: string, order: readonly string[]): Spot {
  const found = findNode(outline, key);
  const own = new Set(found ? rowsOf([found.node]).map(row => row.key) : []);
  const at = order.indexOf(key);
  const above = order.slice(0, at).findLast(each => !own.has(each));
  if (above === undefined) return { parent: null, index: 0 };
  const isEnd = above.endsWith('/end');
  const neighbour = findNode(outline, isEnd ? above.slice(0, -'/end'.length) : above);
  if (!neighbour) return { parent: null, index: 0 };
  if (neighbour.node.kind === 'section' && !isEnd) return { parent: neighbour.node.key, index: 0 };
  const { parent, index } = neighbour.spot;
  const wasBefore = found?.spot.parent === parent && found.spot.index < index;
  return { parent, index: index + (wasBefore ? 0 : 1) };
}

/** Gives a node other contents under the same name and key. */
export function changeQuestion(outline: Outline, key: string, question: Question): Outline {
  return changed(outline, key, node => (node.kind === 'question' ? { ...node, question } : node));
}

export function changeSection(outline: Outline, key: string, section: SectionHead): Outline {
  return changed(outline, key, node => (node.kind === 'section' ? { ...node, section } : node));
}

function changed(outline: Outline, key: string, change: (node: OutlineNode) => OutlineNode): Outline {
  const into = (nodes: readonly OutlineNode[]): readonly OutlineNode[] =>
    nodes.map(node => {
      if (node.key === key) return change(node);
      return node.kind === 'question' ? node : { ...node, children: into(node.children) };
    });
  return { ...outline, nodes: into(outline.nodes) };
}

/** Calls a node something else; every `${name}` in the form that meant it follows, unless another node had that name too. */
export function renameNode(outline: Outline, key: string, name: string): Outline {
  const found = findNode(outline, key);
  if (!found) return outline;
  const before = nameOf(found.node);
  const renamed = changed(outline, key, node =>
    node.kind === 'question'
      ? { ...node, question: { ...node.question, name } }
      : { ...node, section: { ...node.section, name } },
  );
  const others = [...walkOutline(outline.nodes)].filter(({ node }) => nameOf(node) === before).length > 1;
  return others ? renamed : { ...renamed, nodes: renamed.nodes.map(node => followed(node, before, name)) };
}

function followed(node: OutlineNode, before: string, name: string): OutlineNode {
  if (node.kind === 'question') return { ...node, question: renamedIn(node.question, before, name) };
  return {
    ...node,
    section: renamedIn(node.section, before, name),
    children: node.children.map(child => followed(child, before, name)),
  };
}

/** A name like the one wanted that no question or section has. */
export function freshName(taken: ReadonlySet<string>, wanted: string): string {
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/_\d+$/, '');
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}_${number}`)) return `${stem}_${number}`;
}

export const namesIn = (outline: Outline): Set<string> =>
  new Set([...walkOutline(outline.nodes)].map(({ node }) => nameOf(node)));

function withFreshNames(outline: Outline, item: FormItem): FormItem {
  const taken = namesIn(outline);
  let named = item;
  for (const before of namesInside(item)) {
    const name = freshName(taken, before);
    taken.add(name);
    if (name !== before) named = renamedItem(named, before, name);
  }
  return named;
}

const namesInside = (item: FormItem): string[] => [
  item.name,
  ...(isGroup(item) ? item.items.flatMap(namesInside) : []),
];

function renamedItem(item: FormItem, before: string, name: string): FormItem {
  const own = item.name === before ? { ...item, name } : item;
  const spoken = renamedIn(own, before, name);
  return isGroup(spoken) ? { ...spoken, items: spoken.items.map(child => renamedItem(child, before, name)) } : spoken;
}
