import { Link } from '@tanstack/react-router';
import { Lock, Sprout } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { personalPlan } from '@cairn/core/onboarding/first-run.ts';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card, CardHead, List, Row, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { useSpace } from '../../shared/session/space.ts';
import './welcome.css';

/** The growth areas and the goal of the open personal playbook. */
export function GrowthCard() {
  const { t } = useTranslation('welcome');
  const { playbook } = useSpace();
  const { areas, goal } = personalPlan(playbook?.settings ?? null);
  const way = (
    <Link to="/welcome" search={{ step: 'start' }} className={buttonClass()}>
      {t('growth.choose')}
    </Link>
  );
  return (
    <Card flush label={t('growth.title')}>
      <CardHead title={t('growth.title')} />
      <p className="privacy-line">
        <Icon of={Lock} size="s" />
        {t('growth.private')}
      </p>
      {!areas?.length ? (
        <EmptyState level={3} title={t('growth.emptyTitle')} action={way}>
          {t('growth.empty')}
        </EmptyState>
      ) : (
        <>
          <List>
            {areas.map(id => (
              <Row
                key={id}
                start={
                  <RowIcon tone="accent">
                    <Icon of={Sprout} />
                  </RowIcon>
                }
                title={t(`areas.${id}`)}
                detail={t(`areaHints.${id}`)}
              />
            ))}
          </List>
          {goal && <p className="welcome-goal">{t('growth.goal', { goal })}</p>}
          <div className="card-foot">{way}</div>
        </>
      )}
    </Card>
  );
}
