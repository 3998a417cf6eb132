import type { CompiledGroup, CompiledItem, CompileProblem, ExpressionField } from './compiled-item.ts';

/** What must be known before an item can be shown and has its value. Required and constraint come after. */
function readsOf(item: CompiledItem, byPath: ReadonlyMap<string, CompiledItem>): CompiledItem[] {
  const refs = item.deciding.flatMap(({ reads }) => reads);
  const read = refs.map(({ path }) => byPath.get(path)).filter(other => other !== undefined);
  return item.parent ? [item.parent, ...read] : read;
}

type EvaluationOrder = { order: CompiledItem[]; openEnded: CompiledGroup[]; problem: CompileProblem | null };

/**
 * Each item after everything it reads. A circle is a problem, but for the count of a repeat that hangs on the answers in its
 * own entries: such a repeat is open-ended.
 */
export function sortByReads(
  items: readonly CompiledItem[],
  byPath: ReadonlyMap<string, CompiledItem>,
): EvaluationOrder {
  const sorted: EvaluationOrder = { order: [], openEnded: [], problem: null };
  const done = new Set<CompiledItem>();
  const open: CompiledItem[] = [];

  const visit = (item: CompiledItem): void => {
    if (done.has(item) || sorted.problem) return;
    const began = open.indexOf(item);
    if (began >= 0) {
      const repeat = countedIn([...open.slice(began), item]);
      if (!repeat) sorted.problem = dependsOnItself(item);
      else if (!sorted.openEnded.includes(repeat)) sorted.openEnded.push(repeat);
      return;
    }
    open.push(item);
    for (const before of readsOf(item, byPath)) visit(before);
    open.pop();
    done.add(item);
    sorted.order.push(item);
  };
  for (const item of items) visit(item);
  return sorted;
}

/** The repeat in a circle that leads through its count, and through nothing that decides whether it is shown. */
function countedIn(circle: readonly CompiledItem[]): CompiledGroup | undefined {
  for (const [index, item] of circle.slice(0, -1).entries()) {
    if (item.kind === 'question' || !item.expressions.count) continue;
    const { count, relevant } = item.expressions;
    const next = circle[index + 1]?.path;
    // One that never asks how many there are gets none: its first entry would decide whether there is one.
    if (!circle.some(({ deciding }) => deciding.some(({ reads }) => reads.some(({ path }) => path === item.path))))
      continue;
    const leads = (reads: readonly { path: string }[] = []) => reads.some(({ path }) => path === next);
    if (leads(count.reads) && !leads(relevant?.reads) && item.parent?.path !== next) return item;
  }
  return undefined;
}

function dependsOnItself(item: CompiledItem): CompileProblem {
  const field = cycleField(item);
  const reason = 'this depends on itself';
  return { at: `${item.path}, ${field}`, path: item.path, field, message: reason, reason, character: null };
}

function cycleField({ expressions }: CompiledItem): ExpressionField {
  if (expressions.calculation) return 'calculation';
  if (expressions.relevant) return 'relevant';
  return expressions.count ? 'count' : 'default';
}
