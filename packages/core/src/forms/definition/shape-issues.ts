import type { z } from '../../shapes.ts';

/** What is wrong with the shape of a form's JSON. An item is a question or a section: the errors of the one that it tried to be. */
export function shapeIssues(issue: z.core.$ZodIssue, above: PropertyKey[] = []): { at: string; message: string }[] {
  const path = [...above, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ at: printPath(path), message: issue.message }];
  const branches = issue.errors.filter(branch => !branch.some(inner => inner.path[0] === 'type'));
  const nearest = branches.toSorted((a, b) => a.length - b.length)[0];
  return nearest
    ? nearest.flatMap(inner => shapeIssues(inner, path))
    : [{ at: printPath(path), message: 'is none of the allowed kinds' }];
}

const printPath = (path: PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text && '.'}${String(key)}`),
    '',
  );
