import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { moduleAt } from '@cairn/core/spaces/modules.ts';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useLabels } from '../shell/navigation/use-labels.ts';

/** The address of an area that is not built yet. */
export function NotBuiltRoute() {
  const { t } = useTranslation('shell');
  const { world } = useSpace();
  const labels = useLabels(world);
  const id = moduleAt(useLocation({ select: location => location.pathname }));
  if (id === null) return null;
  return (
    <StateBlock
      state="not-found"
      level={1}
      title={t('notBuilt.title', { module: labels.module(id) })}
      action={
        <Link to="/dashboard" className={buttonClass({ variant: 'primary' })}>
          {labels.module('dashboard')}
        </Link>
      }
    >
      {t('notBuilt.text')}
    </StateBlock>
  );
}
