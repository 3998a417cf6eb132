import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Group } from '@cairn/core/forms/definition/form-definition.ts';
import type { QuestionType } from '@cairn/core/forms/question-types/question-types.ts';
import { typesOn } from './type-editors.ts';
import { iconOf } from './type-icons.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { rowClass, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';

const SHELVES = ['check', 'write', 'prove', 'quiet'] as const;

type Props = {
  onAdd: (type: QuestionType) => void;
  onAddSection: (type: Group['type']) => void;
};

/** What can be added; what it is for stands with it. */
export function AddPane({ onAdd, onAddSection }: Props) {
  const { t } = useTranslation('builder');
  const { t: tf } = useTranslation('field');
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => first.current?.querySelector('button')?.focus({ preventScroll: true }), []);
  return (
    <div className="parts" ref={first}>
      {SHELVES.map(shelf => (
        <section key={shelf} aria-label={t(`add.kinds.${shelf}`)}>
          <h3 className="h3">{t(`add.kinds.${shelf}`)}</h3>
          <ul className="add-types">
            {typesOn(shelf).map(type => (
              <li key={type}>
                <button type="button" className={rowClass} onClick={() => onAdd(type)}>
                  <TypeFace type={type} title={tf(`types.${type}.name`)} detail={tf(`types.${type}.hint`)} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section aria-label={t('add.kinds.section')}>
        <h3 className="h3">{t('add.kinds.section')}</h3>
        <ul className="add-types">
          {(['group', 'repeat'] as const).map(type => (
            <li key={type}>
              <button type="button" className={rowClass} onClick={() => onAddSection(type)}>
                <TypeFace type={type} title={t(`add.${type}`)} detail={t(`add.${type}Hint`)} />
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function TypeFace({ type, title, detail }: { type: QuestionType | Group['type']; title: string; detail: string }) {
  return (
    <RowFace
      start={
        <RowIcon>
          <Icon of={iconOf(type)} />
        </RowIcon>
      }
      title={title}
      detail={detail}
    />
  );
}
