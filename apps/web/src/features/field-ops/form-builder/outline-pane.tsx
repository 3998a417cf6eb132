import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Plus, Settings2 } from 'lucide-react';
import { findNode } from '@cairn/core/forms/draft/form-outline.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import type { Pane } from './editor-pane.tsx';
import { OutlineList } from './outline-list.tsx';
import type { Builder } from './use-builder.ts';

type Props = { builder: Builder; pane: Pane | null; setPane: (pane: Pane | null) => void };

/** The whole form at a glance, and the way to add to it. */
export function OutlinePane({ builder, pane, setPane }: Props) {
  const { t } = useTranslation('builder');
  const { outline, problems, edit } = builder;
  const selected = pane?.kind === 'node' ? pane.key : null;
  const place = useRef<HTMLDivElement>(null);
  useReturnToRow(place, selected);
  const add = () => setPane({ kind: 'add', spot: afterSelected(builder, selected) });
  const addTo = (section: string) =>
    setPane({ kind: 'add', spot: { parent: section, index: Number.MAX_SAFE_INTEGER } });
  return (
    <div className="outline" ref={place}>
      <div className="row wrap outline-acts">
        <Button icon={Plus} onClick={add}>
          {t('addQuestion')}
        </Button>
        <Button icon={Settings2} variant="plain" onClick={() => setPane({ kind: 'form' })}>
          {t('settings')}
        </Button>
      </div>
      {outline.nodes.length === 0 ? (
        <EmptyState title={t('emptyTitle')}>{t('emptyText')}</EmptyState>
      ) : (
        <OutlineList
          outline={outline}
          problems={problems}
          edit={edit}
          selected={selected}
          onSelect={key => setPane({ kind: 'node', key, isNew: false })}
          onAddTo={addTo}
        />
      )}
    </div>
  );
}

/** A new question comes right after the one that is looked at, into a section that is. */
function afterSelected({ outline }: Builder, selected: string | null) {
  const found = selected === null ? null : findNode(outline, selected);
  if (!found) return null;
  if (found.node.kind === 'section') return { parent: found.node.key, index: found.node.children.length };
  return { ...found.spot, index: found.spot.index + 1 };
}

/** On a phone the list comes back when a question is left: the focus is where it was. */
function useReturnToRow(place: RefObject<HTMLDivElement | null>, selected: string | null): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (selected !== null) {
      last.current = selected;
      return;
    }
    if (last.current === null || document.activeElement !== document.body) return;
    place.current?.querySelector<HTMLElement>(`[data-node="${last.current}"]`)?.focus();
  }, [place, selected]);
}
