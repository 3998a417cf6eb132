import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useSyncStatus } from '../../shared/sync/use-sync-status.ts';
import { EmailCard } from './email-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SecondStepCard } from './second-step-card.tsx';
import { SecurityContext, type SecurityParts } from './security-context.ts';
import { SeenCard } from './seen-card.tsx';
import { ServicesCard } from './services-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import './security.css';

type Props = {
  parts: SecurityParts;
  renderChangeLink: (words: string) => ReactNode;
  renderAuditLink: (words: string) => ReactNode;
};

/** The account's security; in a personal playbook it is called Privacy, and what others see comes first. */
export function SecurityScreen({ parts, renderChangeLink, renderAuditLink }: Props) {
  const { t } = useTranslation('security');
  const { world, may } = useSpace();
  const isPersonal = world === 'personal';
  const online = useSyncStatus()?.online ?? navigator.onLine;
  const seen = <SeenCard renderChangeLink={renderChangeLink} />;
  return (
    <SecurityContext value={parts}>
      <div className="security">
        <header className="page-head">
          <h1 className="h1">{t(isPersonal ? 'titlePersonal' : 'title')}</h1>
        </header>
        <div className="security-cards">
          {isPersonal && seen}
          {!isPersonal && may('audit.read') && (
            <Card label={t('audit.title')} className="security-card">
              <h2 className="h2">{t('audit.title')}</h2>
              <p className="muted sm">{t('audit.text')}</p>
              <div className="row">{renderAuditLink(t('audit.open'))}</div>
            </Card>
          )}
          {online ? (
            <>
              <SessionsCard />
              <SecondStepCard />
              <PasswordCard />
              <EmailCard />
              <ServicesCard />
            </>
          ) : (
            <Banner title={t('offline')} />
          )}
          {!isPersonal && seen}
        </div>
      </div>
    </SecurityContext>
  );
}
