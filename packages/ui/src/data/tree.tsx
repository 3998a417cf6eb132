import { useRef, useState, type KeyboardEvent } from 'react';
import { ChevronRight } from 'lucide-react';
import { Icon } from '../controls/icon.tsx';
import { treeMove, treeRows, type TreeNode, type TreeRow } from './tree-rows.ts';
import './tree.css';

type Props = {
  label: string;
  nodes: readonly TreeNode[];
  value: string | null;
  onChange: (id: string) => void;
  /** Which stand open at first. */
  open?: readonly string[];
};

/** Things inside things: sites, areas, assets. Arrow keys open, close and move; Enter chooses. */
export function Tree({ label, nodes, value, onChange, open: first = [] }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(first));
  const [focused, setFocused] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const rows = treeRows(nodes, open);
  const tabStop = [focused, value].find(id => rows.some(row => row.node.id === id)) ?? rows[0]?.node.id;

  const fold = (id: string, opened: boolean) => {
    const next = new Set(open);
    if (opened) next.add(id);
    else next.delete(id);
    setOpen(next);
  };
  const press = (event: KeyboardEvent, index: number, row: TreeRow) => {
    const mirrored = getComputedStyle(event.currentTarget).direction === 'rtl';
    const move = treeMove(rows, index, mirrored ? swapped(event.key) : event.key, open.has(row.node.id));
    if (event.key === 'Enter' || event.key === ' ') onChange(row.node.id);
    else if (!move) return;
    event.preventDefault();
    if (move?.open !== undefined) fold(move.open, true);
    if (move?.close !== undefined) fold(move.close, false);
    if (move?.focus !== undefined) {
      setFocused(move.focus);
      list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(move.focus)}"]`)?.focus();
    }
  };
  return (
    <div role="tree" aria-label={label} className="tree" ref={list}>
      {rows.map((row, index) => (
        <div
          key={row.node.id}
          role="treeitem"
          data-id={row.node.id}
          aria-level={row.level}
          aria-setsize={row.siblings}
          aria-posinset={row.position}
          aria-selected={row.node.id === value}
          aria-expanded={row.node.children?.length ? open.has(row.node.id) : undefined}
          tabIndex={row.node.id === tabStop ? 0 : -1}
          style={{ paddingInlineStart: `calc(${row.level - 1} * var(--s-5) + var(--s-2))` }}
          onFocus={() => setFocused(row.node.id)}
          onKeyDown={event => press(event, index, row)}
          onClick={() => {
            onChange(row.node.id);
            if (row.node.children?.length) fold(row.node.id, !open.has(row.node.id));
          }}
        >
          <span className="tree-turn">
            {row.node.children?.length ? <Icon of={ChevronRight} size="s" className="flip" /> : null}
          </span>
          <span className="grow">{row.node.label}</span>
          {row.node.detail && <span className="muted sm">{row.node.detail}</span>}
        </div>
      ))}
    </div>
  );
}

const swapped = (key: string) => (key === 'ArrowLeft' ? 'ArrowRight' : key === 'ArrowRight' ? 'ArrowLeft' : key);
