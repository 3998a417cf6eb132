import { NotebookTabs } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import {
  ASKED_EVERY,
  askNoMore,
  askNowAndThen,
  beginLook,
  bringLongerLook,
  questionnaires,
  type Questionnaire,
} from '@cairn/core/wellness/questionnaires.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { usedFeature } from '../../shared/analytics/used-feature.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { formatDate } from '../../shared/format/format.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';

type Props = {
  today: string;
  /** Leads to what is answered. */
  onBegun: (inspectionId: string) => void;
};

/** Results shown of each questionnaire. */
const SHOWN = 6;

const dayOf = (day: string): string => formatDate(new Date(`${day}T12:00:00`));

/** Every other week a few questions more: forms of one's own, the one that comes along or any that was imported. */
export function LongerLookCard({ today, onBegun }: Props) {
  const { t, i18n } = useTranslation('wellness');
  const store = useStore();
  const { user } = useSignedIn();
  const found = useLive(questionnaires(user.id));
  const bringing = useAction(async () => {
    const language = i18n.language.startsWith('de') ? ('de' as const) : ('en' as const);
    const bring = { formId: newId(), versionId: newId(), userId: user.id, language };
    await store.write('wellness.bringLook', tx => bringLongerLook(tx, bring), { together: true });
  });
  const choosing = useAction((formId: string) =>
    store.write('wellness.askForm', tx => askNowAndThen(tx, formId, user.id)),
  );
  if (found.status === 'loading') return null;
  const { asked, others } = found.answer;
  return (
    <Card label={t('look.title')} className="parts">
      <CardHead title={t('look.title')} />
      <p className="muted sm">{t('look.text', { count: ASKED_EVERY })}</p>
      {asked.map(each => (
        <Look key={each.form.id} look={each} today={today} onBegun={onBegun} />
      ))}
      <FailureLine failure={bringing.failure ?? choosing.failure} />
      {asked.length === 0 && (
        <div>
          <Button icon={NotebookTabs} busy={bringing.busy} onClick={() => bringing.run()}>
            {t('look.bring')}
          </Button>
        </div>
      )}
      {others.length > 0 && (
        <Select
          label={t('look.other')}
          hint={t('look.otherHint')}
          placeholder={t('look.otherNone')}
          choices={others.map(({ id, name }) => ({ value: id, label: name }))}
          value=""
          onChange={event => event.target.value !== '' && choosing.run(event.target.value)}
        />
      )}
    </Card>
  );
}

function Look({ look, today, onBegun }: { look: Questionnaire } & Props) {
  const { t } = useTranslation('wellness');
  const store = useStore();
  const { user } = useSignedIn();
  const { form, open, results, dueFrom } = look;
  const beginning = useAction(async () => {
    const begin = { id: newId(), formId: form.id, by: user.id, at: new Date().toISOString() };
    const id = await store.write('wellness.beginLook', tx => beginLook(tx, begin));
    if (id === begin.id) usedFeature('inspection', 'begun');
    onBegun(id);
  });
  const leaving = useAction(() => store.write('wellness.askNoMore', tx => askNoMore(tx, form.id, user.id)));
  const isDue = dueFrom === null || dueFrom <= today;
  return (
    <div className="parts">
      <h3 className="h3">{form.name}</h3>
      {results.length > 0 && (
        <ul className="looks">
          {results.slice(0, SHOWN).map(({ id, day, percent }) => (
            <li key={id}>
              <span className="sm">{dayOf(day)}</span>
              {percent === null ? (
                <span className="muted sm">{t('look.answered')}</span>
              ) : (
                <>
                  <ProgressBar
                    bare
                    label={t('look.scoreOf', { day: dayOf(day) })}
                    figure={t('look.score', { score: percent })}
                    value={percent}
                    max={100}
                  />
                  <span className="figure sm">{t('look.score', { score: percent })}</span>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {dueFrom !== null && (
        <p className="muted sm">{isDue ? t('look.due') : t('look.next', { day: dayOf(dueFrom) })}</p>
      )}
      <FailureLine failure={beginning.failure ?? leaving.failure} />
      <div className="row wrap">
        <Button variant={isDue ? 'primary' : 'quiet'} busy={beginning.busy} onClick={() => beginning.run()}>
          {t(open === null ? 'look.begin' : 'look.goOn')}
        </Button>
        <Button variant="plain" busy={leaving.busy} onClick={() => leaving.run()}>
          {t('look.leave')}
        </Button>
      </div>
    </div>
  );
}
