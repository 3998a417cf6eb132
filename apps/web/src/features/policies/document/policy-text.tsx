import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { PlainText, Prose } from './markdown-view.tsx';
import type { PolicySections } from './use-markdown.ts';
import type { ReadingProgress } from './use-sections-read.ts';
import './policies.css';

type Props = Pick<PolicySections, 'sections'> & { reading: ReadingProgress };

/** The words of a version, section by section. */
export function PolicyText({ sections, isWaiting, onFrame }: PolicySections & Pick<ReadingProgress, 'onFrame'>) {
  const { t } = useTranslation('policies');
  if (isWaiting) return <SkeletonRows label={t('loading')} rows={6} start={false} />;
  if (sections.length === 0) return <p className="muted">{t('noWords')}</p>;
  return (
    <div ref={onFrame} className="policy-text">
      {sections.map(section => (
        <section key={section.id} id={section.id}>
          {section.title !== '' && <h2>{section.title}</h2>}
          {section.html === null ? <PlainText words={section.body} /> : <Prose html={section.html} />}
          <span data-section-end={section.id} aria-hidden="true" />
        </section>
      ))}
    </div>
  );
}

/** What there is to read, and how far the reader came: beside the text where there is room. */
export function PolicyContents({ sections, reading }: Props) {
  const { t } = useTranslation('policies');
  if (sections.length < 2) return null;
  return (
    <nav className="policy-contents" aria-label={t('contents')}>
      <p className="h3">{t('contents')}</p>
      <Places sections={sections} reading={reading} />
    </nav>
  );
}

/** The same, folded above the text: on a phone. */
export function FoldedContents({ sections, reading }: Props) {
  const { t } = useTranslation('policies');
  if (sections.length < 2) return null;
  const figure = t('sectionsRead', { read: reading.read.size, all: sections.length });
  return (
    <details className="policy-fold">
      <summary className="num">
        {t('contents')} · {figure}
      </summary>
      <nav className="policy-contents" aria-label={t('contents')}>
        <Places sections={sections} reading={reading} />
      </nav>
    </details>
  );
}

function Places({ sections, reading }: Props) {
  const { t } = useTranslation('policies');
  const figure = t('sectionsRead', { read: reading.read.size, all: sections.length });
  return (
    <>
      <ol>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={reading.current === id ? 'true' : undefined}>
              {reading.read.has(id) ? (
                <Icon of={Check} size="s" />
              ) : (
                <span className="policy-unread" aria-hidden="true" />
              )}
              <span>{title === '' ? t('start') : title}</span>
            </a>
          </li>
        ))}
      </ol>
      <ProgressBar label={t('contents')} figure={figure} value={reading.read.size} max={sections.length} bare />
      <p className="xs muted num">{figure}</p>
    </>
  );
}
