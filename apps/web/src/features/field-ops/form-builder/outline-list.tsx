import { useTranslation } from 'react-i18next';
import { GitBranch, Plus, TriangleAlert } from 'lucide-react';
import { moveNode, nameOf, type OutlineRow, rowsOf, spotInRows } from '@cairn/core/forms/draft/form-outline.ts';
import { inLanguage } from '@cairn/core/forms/definition/words.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { SortableList } from '@cairn/ui/data/sortable-list.tsx';
import { useSortTexts } from './sort-texts.ts';
import { iconOf } from './type-icons.ts';
import type { BuilderPart } from './use-builder.ts';

type Props = BuilderPart & {
  selected: string | null;
  onSelect: (key: string) => void;
  /** At the end of this section. */
  onAddTo: (section: string) => void;
};

/** Every section and question in its order; dragged, or moved by keyboard, also into and out of sections. */
export function OutlineList({ outline, problems, edit, selected, onSelect, onAddTo }: Props) {
  const { t } = useTranslation('builder');
  const sortTexts = useSortTexts();
  const rows = rowsOf(outline.nodes);
  const wrong = new Map(problems.map(({ key }) => [key, true]));
  const language = outline.head.languages[0] ?? '';
  const name = (row: OutlineRow): string => (row.kind === 'end' ? '' : rowName(row, language));
  const drop = (order: string[]) => {
    const moved = movedKey(
      rows.map(({ key }) => key),
      order,
    );
    if (moved !== null) edit(before => moveNode(before, moved, spotInRows(before, moved, order)));
  };
  return (
    <SortableList
      label={t('outline')}
      items={rows.map(row => ({ id: row.key, row }))}
      nameOf={({ row }) => name(row)}
      words={sortTexts}
      isFixed={({ row }) => row.kind === 'end'}
      onReorder={drop}
      renderItem={({ row }) =>
        row.kind === 'end' ? (
          <div className="outline-end" style={{ marginInlineStart: `${(row.depth - 1) * INDENT}px` }}>
            <Button size="sm" variant="plain" icon={Plus} onClick={() => onAddTo(row.key.slice(0, -'/end'.length))}>
              {t('addTo', { name: sectionName(rows, row.key, language) })}
            </Button>
          </div>
        ) : (
          <RowButton
            row={row}
            name={name(row)}
            isWrong={wrong.has(row.key)}
            isSelected={row.key === selected}
            onSelect={onSelect}
          />
        )
      }
    />
  );
}

/** px for each section around it. */
const INDENT = 16;

const rowName = ({ node }: OutlineRow & { kind: 'item' }, language: string): string => {
  const label = node.kind === 'question' ? node.question.label : node.section.label;
  return inLanguage(label, language).trim() || nameOf(node).replaceAll('_', ' ');
};

function sectionName(rows: readonly OutlineRow[], end: string, language: string): string {
  const section = rows.find(({ key }) => `${key}/end` === end);
  return section?.kind === 'item' ? rowName(section, language) : '';
}

/** Which one was moved: all others keep their order. */
function movedKey(before: readonly string[], after: readonly string[]): string | null {
  const from = before.findIndex((key, index) => key !== after[index]);
  if (from < 0) return null;
  const first = before[from] ?? null;
  // It went down from here, else what stands here now came up.
  return after[from] === before[from + 1] ? first : (after[from] ?? null);
}

type RowProps = {
  row: OutlineRow & { kind: 'item' };
  name: string;
  isWrong: boolean;
  isSelected: boolean;
  onSelect: (key: string) => void;
};

function RowButton({ row, name, isWrong, isSelected, onSelect }: RowProps) {
  const { t } = useTranslation('builder');
  const { t: tf } = useTranslation('field');
  const { node, depth, key } = row;
  const type = node.kind === 'question' ? node.question.type : node.section.type;
  const own = node.kind === 'question' ? node.question : node.section;
  const required = node.kind === 'question' && node.question.required !== undefined && node.question.required !== false;
  const kind = type === 'group' || type === 'repeat' ? t(`add.${type}`) : tf(`types.${type}.name`);
  return (
    <button
      type="button"
      className={`outline-row${node.kind === 'section' ? ' is-section' : ''}${isSelected ? ' is-current' : ''}`}
      style={{ paddingInlineStart: `${8 + depth * INDENT}px` }}
      data-node={key}
      aria-current={isSelected ? 'true' : undefined}
      onClick={() => onSelect(key)}
    >
      <Icon of={iconOf(type)} className="muted" />
      <span className="grow">
        <span className="t">
          {name}
          {required && (
            <>
              <span className="question-star" aria-hidden="true">
                {'\u00a0*'}
              </span>
              <span className="sr">{tf('runner.required')}</span>
            </>
          )}
        </span>
        <span className="d">{kind}</span>
      </span>
      {own.relevant !== undefined && (
        <>
          <Icon of={GitBranch} size="s" className="muted" />
          <span className="sr">{t('hasCondition')}</span>
        </>
      )}
      {isWrong && (
        <>
          <Icon of={TriangleAlert} size="s" className="outline-wrong" />
          <span className="sr">{t('hasProblem')}</span>
        </>
      )}
    </button>
  );
}
