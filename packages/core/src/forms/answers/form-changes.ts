import type { CompiledExpression } from '../expression/expression.ts';
import type { Ref } from '../expression/expression-scope.ts';
import { type Answers, pathsChanged, sameAnswer } from './answers.ts';
import { entryOf, formPath } from '../definition/repeat-path.ts';

/** What differs from the last time a form was worked out, so that only what depends on it is worked out again. */
export class Changes {
  private readonly places = new Map<string, Set<string>>();
  private readonly moved = new Set<string>();
  private readonly answered: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly clock: boolean;

  /** @param clock the day or the time is another one */
  constructor(before: Answers, now: Answers, clock: boolean) {
    this.answered = differing(before, now);
    this.clock = clock;
  }

  /** A place is shown now, or hidden, or has another value. */
  touch(item: string, place: string): void {
    const touched = this.places.get(item);
    if (touched) touched.add(place);
    else this.places.set(item, new Set([place]));
  }

  /** An item stands at other places: entries of a repeat were added or removed. */
  move(item: string): void {
    this.moved.add(item);
  }

  /** Whether entries of repeats may have come, gone or changed their order. */
  get entries(): boolean {
    for (const paths of this.answered.values()) for (const path of paths) if (entryOf(path)) return true;
    return false;
  }

  hasMoved = (item: string): boolean => this.moved.has(item);
  hasTouched = (item: string): boolean => this.places.has(item);
  answeredAny = (item: string): boolean => this.answered.has(item);
  answeredAt = (item: string, place: string): boolean => this.answered.get(item)?.has(place) ?? false;
  touchedAt = (item: string, place: string): boolean => this.places.get(item)?.has(place) ?? false;

  /** Whether anything an expression reads has changed, wherever it stands. */
  reach(compiled: CompiledExpression): boolean {
    return (
      (compiled.clock && this.clock) || compiled.reads.some(({ path }) => this.places.has(path) || this.moved.has(path))
    );
  }

  /** Whether anything an expression reads has changed, seen from these entries. */
  reachAt(compiled: CompiledExpression, entries: readonly string[]): boolean {
    return (compiled.clock && this.clock) || compiled.reads.some(ref => this.changed(ref, entries));
  }

  changed(ref: Ref, entries: readonly string[]): boolean {
    if (ref.many && this.moved.has(ref.path)) return true;
    const touched = this.places.get(ref.path);
    return touched !== undefined && (ref.many || touched.has(placeOf(ref, entries)));
  }
}

/** Where a reference to a single place leads, seen from these entries. */
export const placeOf = ({ depth, tail }: Ref, entries: readonly string[]): string =>
  depth === 0 ? tail : `${entries[depth - 1] ?? ''}.${tail}`;

function differing(before: Answers, now: Answers): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  if (before === now) return found;
  const add = (path: string): void => {
    const item = formPath(path);
    const paths = found.get(item);
    if (paths) paths.add(path);
    else found.set(item, new Set([path]));
  };
  const known = pathsChanged(before, now);
  if (known) {
    for (const path of known) add(path);
    return found;
  }
  let fresh = 0;
  for (const [path, given] of now) {
    const old = before.get(path);
    if (!old) fresh += 1;
    if (!old || !sameAnswer(old, given)) add(path);
  }
  const gone = before.size + fresh - now.size;
  if (gone > 0) for (const path of before.keys()) if (!now.has(path)) add(path);
  return found;
}
