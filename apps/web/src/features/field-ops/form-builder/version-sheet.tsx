import { useTranslation } from 'react-i18next';
import { askedQuestions } from '@cairn/core/forms/definition/asked-questions.ts';
import type { FormInProgress } from '@cairn/core/forms/draft/form-draft.ts';
import type { Row as Stored } from '@cairn/schema';
import { useLive } from '@cairn/sync/use-live.ts';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { List, Row } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { compiledVersion } from '../inspections/compiled-version.ts';
import { peopleNames } from '../inspections/inspection-queries.ts';

/** None of a version this build cannot read. */
const countOf = (version: Stored<'form_versions'>): number => {
  const compiled = compiledVersion(version);
  return compiled ? askedQuestions(compiled) : 0;
};

/** Every version of a form, the newest first, with what was different in it. */
export function VersionSheet({ built, onClose }: { built: FormInProgress; onClose: () => void }) {
  const { t } = useTranslation('builder');
  const { t: tf } = useTranslation('field');
  const { formatDate } = useFormat();
  const names = useLive(peopleNames);
  const nameOf = (id: string | null) => (names.status === 'ready' && id !== null ? names.answer.get(id) : undefined);
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('versions.title')}
      description={t('versions.text')}
      closeLabel={t('publish.close')}
    >
      <List>
        {built.versions.toReversed().map(version => (
          <Row
            key={version.id}
            title={t('versions.number', { number: version.number })}
            detail={[
              version.changes,
              formatDate(new Date(version.created_at)),
              nameOf(version.created_by),
              t(`versions.source.${version.source}`),
              tf('formList.questions', { count: countOf(version) }),
            ]
              .filter(Boolean)
              .join(' · ')}
            end={version.id === built.form.current_version_id && <Pill tone="good">{t('versions.current')}</Pill>}
          />
        ))}
      </List>
    </Sheet>
  );
}
