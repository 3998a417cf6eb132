import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Search } from 'lucide-react';
import { useLive } from '@cairn/sync/use-live.ts';
import { RadioCards } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useNow } from '../../shared/format/use-now.ts';
import type { Destination } from './attach-shared.ts';
import { shareTargets, type ShareTarget } from './share-targets.ts';
import { useInspectionQuestions } from './use-inspection-questions.ts';

/** As many as a person looks through; the search narrows the rest. */
const SHOWN = 20;

type Props = {
  /** Whether an inspection can take them: it shows its photos as pictures. */
  onlyPictures: boolean;
  /** Whether somebody has pressed on without choosing. */
  tried: boolean;
  onChoose: (to: Destination | null) => void;
};

/** An inspection under way and its question, or an action item. */
export function TargetPicker({ onlyPictures, tried, onChoose }: Props) {
  const { t } = useTranslation('share');
  const { organization, playbook } = useSpace();
  const { user } = useSignedIn();
  const targets = useLive(shareTargets({ organizationId: organization.id, playbookId: playbook?.id ?? null }, user.id));
  const [wanted, setWanted] = useState('');
  const [chosen, setChosen] = useState<ShareTarget | null>(null);
  if (targets.status === 'loading') return <SkeletonRows label={t('loading')} rows={3} />;
  const all = targets.answer.filter(({ kind }) => onlyPictures || kind === 'action_item');
  const words = wanted.trim().toLocaleLowerCase();
  const found = all.filter(({ title }) => title.toLocaleLowerCase().includes(words));
  const choose = (target: ShareTarget | null) => {
    setChosen(target);
    onChoose(target?.kind === 'action_item' ? { kind: 'action_item', id: target.id } : null);
  };
  if (all.length === 0) return <p className="muted">{t('noTargets')}</p>;
  return (
    <div className="stack">
      {all.length > SHOWN && (
        <Input
          type="search"
          label={t('search')}
          labelHidden
          placeholder={t('search')}
          value={wanted}
          onChange={event => setWanted(event.target.value)}
          end={<Icon of={Search} size="s" />}
        />
      )}
      <RadioCards
        label={t('target')}
        value={chosen?.id ?? null}
        error={tried && !chosen ? t('chooseFirst') : undefined}
        onChange={id => choose(all.find(target => target.id === id) ?? null)}
        options={found.slice(0, SHOWN).map(({ id, kind, title }) => ({
          value: id,
          label: title,
          hint: t(kind === 'inspection' ? 'inspection' : 'actionItem'),
        }))}
      />
      {found.length === 0 && <p className="muted sm">{t('noneFound')}</p>}
      {!onlyPictures && <p className="hint">{t('picturesOnly')}</p>}
      {chosen?.kind === 'inspection' && (
        <QuestionPicker key={chosen.id} inspectionId={chosen.id} tried={tried} onChoose={onChoose} />
      )}
    </div>
  );
}

type QuestionProps = { inspectionId: string; tried: boolean; onChoose: Props['onChoose'] };

function QuestionPicker({ inspectionId, tried, onChoose }: QuestionProps) {
  const { t } = useTranslation('share');
  const asked = useInspectionQuestions(inspectionId, useNow());
  const [path, setPath] = useState('');
  // The form as it stood when the question was chosen may be read anew meanwhile.
  useEffect(() => {
    onChoose(asked && path ? { kind: 'inspection', id: inspectionId, form: asked.form, question: path } : null);
  }, [asked, path, inspectionId, onChoose]);
  return (
    <Select
      label={t('question')}
      placeholder={t('question')}
      value={path}
      error={tried && path === '' ? t('questionFirst') : undefined}
      choices={(asked?.questions ?? []).map(({ path: value, label }) => ({ value, label }))}
      onChange={event => setPath(event.target.value)}
    />
  );
}
