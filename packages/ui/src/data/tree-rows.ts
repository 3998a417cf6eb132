export type TreeNode = { id: string; label: string; detail?: string; children?: readonly TreeNode[] };

/** One visible line: its node, how deep (from 1), and where among its siblings (from 1). */
export type TreeRow = { node: TreeNode; level: number; position: number; siblings: number; parent: string | null };

/** The lines in sight, top to bottom: all of the first level, and those below nodes that stand open. */
export function treeRows(
  nodes: readonly TreeNode[],
  open: ReadonlySet<string>,
  level = 1,
  parent: string | null = null,
): TreeRow[] {
  return nodes.flatMap((node, index) => {
    const row = { node, level, position: index + 1, siblings: nodes.length, parent };
    return open.has(node.id) && node.children ? [row, ...treeRows(node.children, open, level + 1, node.id)] : [row];
  });
}

export type TreeMove = { focus?: string; open?: string; close?: string };

/** What a key does on a row, as trees do: → opens or goes in, ← closes or goes out. Undefined for other keys. */
export function treeMove(rows: readonly TreeRow[], at: number, key: string, isOpen: boolean): TreeMove | undefined {
  const row = rows[at];
  if (!row) return undefined;
  const focus = (index: number): TreeMove => {
    const id = rows[index]?.node.id;
    return id === undefined ? {} : { focus: id };
  };
  const parts = row.node.children?.length ? row.node.id : undefined;
  if (key === 'ArrowDown') return focus(at + 1);
  if (key === 'ArrowUp') return focus(at - 1);
  if (key === 'Home') return focus(0);
  if (key === 'End') return focus(rows.length - 1);
  if (key === 'ArrowRight') return parts === undefined ? {} : isOpen ? focus(at + 1) : { open: parts };
  if (key === 'ArrowLeft') return isOpen ? { close: row.node.id } : row.parent === null ? {} : { focus: row.parent };
  return undefined;
}
