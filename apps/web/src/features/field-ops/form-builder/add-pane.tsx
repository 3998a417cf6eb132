import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Group, QuestionType } from '@cairn/core/forms/definition/form-definition.ts';
import { typeIcons } from './type-icons.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { rowClass, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';

/** Every type of question the engine runs, by what it is for. */
const KINDS = {
  check: ['pass_fail', 'select_one', 'select_multiple', 'acknowledge', 'rank', 'range', 'timer'],
  write: ['text', 'integer', 'decimal', 'date', 'time', 'datetime', 'barcode'],
  prove: ['photo', 'signature', 'audio', 'video', 'file', 'geopoint', 'geotrace', 'geoshape'],
  quiet: ['note', 'calculate'],
} as const satisfies Record<string, readonly QuestionType[]>;

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
      {(Object.keys(KINDS) as (keyof typeof KINDS)[]).map(kind => (
        <section key={kind} aria-label={t(`add.kinds.${kind}`)}>
          <h3 className="h3">{t(`add.kinds.${kind}`)}</h3>
          <ul className="add-types">
            {KINDS[kind].map(type => (
              <li key={type}>
                <button type="button" className={rowClass} onClick={() => onAdd(type)}>
                  <TypeFace type={type} title={tf(`import.types.${type}`)} detail={t(`typeHint.${type}`)} />
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

function TypeFace({ type, title, detail }: { type: keyof typeof typeIcons; title: string; detail: string }) {
  return (
    <RowFace
      start={
        <RowIcon>
          <Icon of={typeIcons[type]} />
        </RowIcon>
      }
      title={title}
      detail={detail}
    />
  );
}
