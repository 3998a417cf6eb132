import { useCallback, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Card, CardHead, List, rowClass, RowFace } from '@cairn/ui/layout/surface.tsx';
import { loggedRead } from '../../shared/server/logged-read.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { NotAllowed } from './not-allowed.tsx';
import { SupportView, type Company } from './support-view.tsx';
import { useServerAction } from './use-server.ts';
import './spaces.css';

const NOTHING_READ: readonly string[] = [];

/** Customer support: finds a company and looks into it, read-only. Each look is logged with its reason. */
export function SupportScreen({ mayRead }: { mayRead: boolean }) {
  const { t } = useTranslation('spaces');
  const [found, setFound] = useState<{ companies: Company[]; reason: string } | null>(null);
  const [opened, setOpened] = useState<Company | null>(null);
  if (!mayRead) return <NotAllowed whose="support" />;
  if (opened && found) return <SupportView company={opened} reason={found.reason} onBack={() => setOpened(null)} />;
  return (
    <div className="spaces">
      <header className="page-head">
        <h1 className="h1">{t('support.title')}</h1>
      </header>
      <Banner title={t('support.logged')}>{t('support.loggedText')}</Banner>
      <Finding onFound={setFound} />
      {found &&
        (found.companies.length === 0 ? (
          <EmptyState title={t('support.none')}>{t('support.noneText')}</EmptyState>
        ) : (
          <Card flush>
            <CardHead title={t('support.found')} />
            <List label={t('support.found')}>
              {found.companies.map(company => (
                <li key={company.id}>
                  <button type="button" className={rowClass} onClick={() => setOpened(company)}>
                    <RowFace title={company.name} detail={t('support.members', { count: company.members })} />
                  </button>
                </li>
              ))}
            </List>
          </Card>
        ))}
    </div>
  );
}

function Finding({ onFound }: { onFound: (found: { companies: Company[]; reason: string }) => void }) {
  const { t } = useTranslation('spaces');
  const [search, setSearch] = useState('');
  const [reason, setReason] = useState('');
  const find = useCallback(
    async (calls: ServerCalls) => {
      const asked = { p_search: search, p_reason: reason };
      onFound({ companies: await loggedRead<Company[]>(calls, 'support_find_organizations', asked), reason });
    },
    [onFound, reason, search],
  );
  const words = useCallback(({ code }: { code: string }) => (code === '22023' ? t('support.why') : null), [t]);
  const finding = useServerAction(find, { operation: t('support.find'), changes: NOTHING_READ, words });
  const send = (event: FormEvent) => {
    event.preventDefault();
    void finding.run();
  };
  return (
    <Card label={t('support.find')}>
      <form className="spaces-form" onSubmit={send}>
        <Input
          label={t('support.reason')}
          hint={t('support.reasonHint')}
          value={reason}
          onChange={event => setReason(event.target.value)}
        />
        <Input label={t('support.company')} value={search} onChange={event => setSearch(event.target.value)} />
        {finding.problem && <Banner tone="bad" title={finding.problem} />}
        <Button type="submit" variant="primary" busy={finding.busy}>
          {t('support.find')}
        </Button>
      </form>
    </Card>
  );
}
