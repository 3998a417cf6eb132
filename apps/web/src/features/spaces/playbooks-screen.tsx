import { useState } from 'react';
import { BookPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { managedPlaybooks, mayManagePlaybook, type ManagedPlaybook } from '@cairn/core/spaces/manage-playbook.ts';
import type { Row as StoredRow } from '@cairn/schema';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List, Row, rowClass, RowFace } from '@cairn/ui/layout/surface.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { NewPlaybook } from './new-playbook.tsx';
import { PlaybookSheet } from './playbook-sheet.tsx';
import './spaces.css';

type Props = {
  /** The organisations the person belongs to. */
  organizations: readonly StoredRow<'organizations'>[];
  /** Works in a playbook from now on. */
  onOpen: (playbookId: string) => void;
};

/** The playbooks of the organisation: make one, change it, put it away, bring it back. */
export function PlaybooksScreen({ organizations, onOpen }: Props) {
  const { t } = useTranslation('spaces');
  const { organization, userId } = useSpace();
  const live = useLive(managedPlaybooks(organization.id, userId));
  const [making, setMaking] = useState(false);
  const [changing, setChanging] = useState<string | null>(null);
  if (live.status === 'loading') return <SkeletonRows label={t('loading')} />;
  const present = live.answer.filter(({ playbook }) => playbook.archived_at === null);
  const archived = live.answer.filter(({ playbook }) => playbook.archived_at !== null);
  const changed = live.answer.find(({ playbook }) => playbook.id === changing);
  return (
    <div className="spaces">
      <header className="page-head">
        <h1 className="h1">{t('playbooks.title')}</h1>
        <Button variant="primary" icon={BookPlus} onClick={() => setMaking(true)}>
          {t('playbooks.new')}
        </Button>
      </header>
      {present.length === 0 ? (
        <EmptyState title={t('playbooks.none')}>{t('playbooks.noneText')}</EmptyState>
      ) : (
        <PlaybookList title={organization.name} playbooks={present} onChange={setChanging} />
      )}
      {archived.length > 0 && (
        <PlaybookList title={t('playbooks.archived')} playbooks={archived} onChange={setChanging} />
      )}
      {making && <NewPlaybook organizations={organizations} onClose={() => setMaking(false)} onMade={onOpen} />}
      {changed && <PlaybookSheet key={changed.playbook.id} managed={changed} onClose={() => setChanging(null)} />}
    </div>
  );
}

type ListProps = { title: string; playbooks: readonly ManagedPlaybook[]; onChange: (id: string) => void };

function PlaybookList({ title, playbooks, onChange }: ListProps) {
  const { t } = useTranslation('spaces');
  const { userId, may } = useSpace();
  const face = ({ playbook, members }: ManagedPlaybook) => ({
    title: playbook.name,
    detail: [
      playbook.type === 'personal' ? t('playbooks.personal') : t('playbooks.members', { count: members.length }),
      ...(playbook.description ? [playbook.description] : []),
    ].join(' · '),
    end: <Pill>{t(`playbooks.types.${playbook.type}`)}</Pill>,
  });
  return (
    <Card flush>
      <CardHead title={title} />
      <List label={title}>
        {playbooks.map(managed =>
          mayManagePlaybook(managed, { userId, may }) ? (
            <li key={managed.playbook.id}>
              <button type="button" className={rowClass} onClick={() => onChange(managed.playbook.id)}>
                <RowFace {...face(managed)} />
              </button>
            </li>
          ) : (
            <Row key={managed.playbook.id} {...face(managed)} />
          ),
        )}
      </List>
    </Card>
  );
}
