import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import {
  cadencesOf,
  CHANNELS,
  chooseCadence,
  choiceMatrix,
  type Channel,
  type ChoiceLine,
} from '@cairn/core/notifications/choices.ts';
import type { Cadence } from '@cairn/core/notifications/quiet-hours.ts';
import { moduleName } from '@cairn/core/notifications/module-names.ts';
import { isKnownType, type NotificationType } from '@cairn/core/notifications/sentences.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Select } from '@cairn/ui/controls/select.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { failureText } from '../../shared/errors/failure-text.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { PushSwitch } from './push-switch.tsx';
import './notifications.css';

type KnownChoiceLine = ChoiceLine & { key: NotificationType };

const knownLines = (lines: readonly ChoiceLine[]): KnownChoiceLine[] =>
  lines.flatMap(line => (isKnownType(line.type.key) ? [{ ...line, key: line.type.key }] : []));

/** Type by channel: how each thing is told. For the notifications screen and for settings. */
export function NotificationChoices() {
  const { t, i18n } = useTranslation('notifications');
  const { t: tFailure } = useTranslation('failure');
  const { user } = useSignedIn();
  const store = useStore();
  const matrix = useLive(choiceMatrix);
  const choose = useCallback(
    (type: string, channel: Channel, cadence: Cadence) =>
      store.write('notifications.choose', tx => chooseCadence(tx, { userId: user.id, type, channel, cadence })),
    [store, user.id],
  );
  const choosing = useAction(choose);
  if (matrix.status === 'loading') return <SkeletonRows label={t('loading')} />;
  const modules = Map.groupBy(knownLines(matrix.answer), line => line.type.module);
  return (
    <div className="parts">
      <PushSwitch />
      <p className="muted measure">{t('choicesText')}</p>
      {choosing.failure && (
        <p className="err" role="alert">
          {tFailure(failureText[choosing.failure.code])}
        </p>
      )}
      {[...modules].map(([module, lines]) => (
        <Card key={module} label={moduleName(module, i18n.language)}>
          <h2 className="h3">{moduleName(module, i18n.language)}</h2>
          {lines.map(line => (
            <ChoiceRow key={line.key} line={line} onChoose={choosing.run} />
          ))}
        </Card>
      ))}
    </div>
  );
}

type RowProps = { line: KnownChoiceLine; onChoose: (type: string, channel: Channel, cadence: Cadence) => void };

function ChoiceRow({ line, onChoose }: RowProps) {
  const { t } = useTranslation('notifications');
  const name = t(`types.${line.key}`);
  return (
    <fieldset className="choice-row">
      <legend className="strong">{name}</legend>
      {line.fixed ? (
        <p className="sm muted">{t('always')}</p>
      ) : (
        <div className="choice-channels">
          {CHANNELS.map(channel => (
            <Select
              key={channel}
              label={t(`channels.${channel}`)}
              aria-label={t('choiceOf', { type: name, channel: t(`channels.${channel}`) })}
              value={line.cadence[channel]}
              onChange={event => {
                const cadence = cadencesOf(channel).find(each => each === event.target.value);
                if (cadence) onChoose(line.key, channel, cadence);
              }}
              choices={cadencesOf(channel).map(value => ({ value, label: t(`cadence.${value}`) }))}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
