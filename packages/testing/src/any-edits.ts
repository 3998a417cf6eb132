import * as fc from 'fast-check';
import type { FormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import { choosesFromList, questionTypes } from '@cairn/core/forms/question-types/question-types.ts';
import {
  addItem,
  changeQuestion,
  duplicateNode,
  formOf,
  moveNode,
  type Outline,
  outlineOf,
  removeNode,
  renameNode,
  rowsOf,
  walkOutline,
} from '@cairn/core/forms/draft/form-outline.ts';
import {
  addList,
  newChoice,
  newQuestion,
  newSection,
  withLists,
  withType,
} from '@cairn/core/forms/draft/new-question.ts';

/** What somebody does to a form in the builder: each list of numbers is one act. */
export const anyEdits = fc.array(fc.array(fc.nat(999), { minLength: 4, maxLength: 4 }), { maxLength: 14 });

const ACTS = [add, add, add, remove, move, move, rename, duplicate, retype, section, choice];

/** The form after those acts; whether it can be answered is another question. */
export function edited(form: FormDefinition, edits: readonly number[][]): FormDefinition {
  const after = edits.reduce((outline, numbers) => {
    const [what = 0] = numbers;
    return ACTS[what % ACTS.length]?.(outline, numbers) ?? outline;
  }, outlineOf(form));
  return formOf(after);
}

/** A node of the outline; undefined in an empty form. */
function some(outline: Outline, pick: number) {
  const nodes = [...walkOutline(outline.nodes)];
  return nodes[pick % Math.max(1, nodes.length)];
}

function somewhere(outline: Outline, pick: number) {
  const rows = rowsOf(outline.nodes).filter(row => row.kind === 'item' && row.node.kind === 'section');
  const parent = pick % 2 === 0 ? null : (rows[pick % Math.max(1, rows.length)]?.key ?? null);
  return { parent, index: pick % 5 };
}

function add(outline: Outline, [, kind = 0, where = 0]: number[]): Outline {
  const type = questionTypes[kind % questionTypes.length] ?? 'text';
  const made = choosesFromList(type) ? addList(outline) : { outline, list: undefined };
  const question = newQuestion(made.outline, type, made.list);
  const named = { ...question, label: `Ask ${question.name} ` };
  const full = type === 'calculate' ? { ...named, calculation: '1 + 1' } : named;
  const put = addItem(made.outline, full, somewhere(made.outline, where)).outline;
  return made.list === undefined ? put : withChoices(put, made.list);
}

function withChoices(outline: Outline, list: string): Outline {
  const good = newChoice([], 'Good');
  return withLists(outline, { ...outline.head.choice_lists, [list]: [good, newChoice([good], 'Good')] });
}

function remove(outline: Outline, [, which = 0]: number[]): Outline {
  const found = some(outline, which);
  return (found && removeNode(outline, found.node.key)?.outline) ?? outline;
}

function move(outline: Outline, [, which = 0, where = 0]: number[]): Outline {
  const found = some(outline, which);
  return found ? moveNode(outline, found.node.key, somewhere(outline, where)) : outline;
}

function rename(outline: Outline, [, which = 0, number = 0]: number[]): Outline {
  const found = some(outline, which);
  return found ? renameNode(outline, found.node.key, `called_${number}`) : outline;
}

function duplicate(outline: Outline, [, which = 0]: number[]): Outline {
  const found = some(outline, which);
  return (found && duplicateNode(outline, found.node.key)?.outline) ?? outline;
}

function retype(outline: Outline, [, which = 0, kind = 0]: number[]): Outline {
  const node = some(outline, which)?.node;
  const type = questionTypes[kind % questionTypes.length] ?? 'text';
  if (node?.kind !== 'question') return outline;
  const list = Object.keys(outline.head.choice_lists)[0];
  return changeQuestion(outline, node.key, withType(node.question, type, list));
}

function section(outline: Outline, [, kind = 0, where = 0]: number[]): Outline {
  const type = kind % 2 === 0 ? 'group' : 'repeat';
  return addItem(outline, newSection(outline, type), somewhere(outline, where)).outline;
}

/** An answer leaves a set, or comes into it. */
function choice(outline: Outline, [, which = 0, how = 0]: number[]): Outline {
  const lists = Object.entries(outline.head.choice_lists);
  const [name, choices] = lists[which % Math.max(1, lists.length)] ?? [];
  if (name === undefined || choices === undefined) return outline;
  const next = how % 2 === 0 && choices.length > 1 ? choices.slice(1) : [...choices, newChoice(choices, 'More')];
  return withLists(outline, { ...outline.head.choice_lists, [name]: next });
}
