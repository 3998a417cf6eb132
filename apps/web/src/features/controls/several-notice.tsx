import { useTranslation } from 'react-i18next';
import { X } from 'lucide-react';
import { withProgress } from '@cairn/core/app-state/changes.ts';
import { linkedInSeveral, type SeveralFrameworks } from '@cairn/core/controls/several-frameworks.ts';
import { unlinkControl } from '@cairn/core/controls/take-framework.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { appState, useAppState } from '../../shared/app-state/app-state-store.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';

const PROGRESS = 'controls.linkedInSeveral';

/** Says once, a person and an organisation, which links an earlier build guessed, and takes away those that are not meant. */
export function SeveralNotice() {
  const { t } = useTranslation('controls');
  const { organization, userId, may } = useSpace();
  const name = `${PROGRESS}/${organization.id}`;
  const isRead = useAppState(state => state.userProgress[userId]?.[name] === true);
  const isAsked = !isRead && may('control.manage');
  const found = useLive(isAsked ? linkedInSeveral(organization.id) : null);
  if (!isAsked || found.status !== 'ready' || found.answer.length === 0) return null;
  return (
    <Banner
      title={t('several.title')}
      action={
        <Button size="sm" onClick={() => appState.change(withProgress(userId, name, true))}>
          {t('several.read')}
        </Button>
      }
    >
      <p>{t('several.text')}</p>
      <ul className="controls-several" aria-label={t('several.title')}>
        {found.answer.map(entry => (
          <Entry key={`${entry.policy.id} ${entry.label}`} entry={entry} />
        ))}
      </ul>
    </Banner>
  );
}

function Entry({ entry: { policy, label, links } }: { entry: SeveralFrameworks }) {
  const { t } = useTranslation('controls');
  const store = useStore();
  const removing = useAction((controlId: string) =>
    store.write('controls.unlink', tx => unlinkControl(tx, controlId, policy.id)),
  );
  return (
    <li>
      <p className="strong">{policy.title}</p>
      <ul>
        {links.map(({ controlId, framework }) => {
          const control = t('several.control', { label, framework });
          return (
            <li key={controlId} className="row between">
              <span>{control}</span>
              <IconButton
                icon={X}
                label={t('several.remove', { control, policy: policy.title })}
                disabled={removing.busy}
                onClick={() => removing.run(controlId)}
              />
            </li>
          );
        })}
      </ul>
      <FailureLine failure={removing.failure} />
    </li>
  );
}
