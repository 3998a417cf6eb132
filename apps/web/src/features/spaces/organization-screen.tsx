import { useCallback, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Card, List } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { LeaveOrganization } from './leave-organization.tsx';
import { useServerAction } from './use-server.ts';
import './spaces.css';

type Props = {
  title: string;
  /** Ways to playbooks, people and the plan, as rows. */
  links: ReactNode;
  /** Leads out of an organisation one has just left. */
  onLeft: () => void;
};

/** The organisation one works in: what it is called, its programme, and the way out of it. */
export function OrganizationScreen({ title, links, onLeft }: Props) {
  const { t } = useTranslation('spaces');
  const { organization, may } = useSpace();
  const isCompany = organization.kind === 'company';
  return (
    <div className="spaces">
      <header className="page-head">
        <h1 className="h1">{title}</h1>
      </header>
      {isCompany && may('organization.manage') ? (
        <NameCard key={organization.id} />
      ) : (
        <Card label={organization.name}>
          <h2 className="h2">{organization.name}</h2>
          <p className="muted">{isCompany ? organization.description : t('organization.private')}</p>
        </Card>
      )}
      {isCompany && may('partner.link') && <ProgramCard key={`program ${organization.id}`} />}
      <Card flush>
        <List>{links}</List>
      </Card>
      {isCompany && <LeaveOrganization onLeft={onLeft} />}
    </div>
  );
}

function NameCard() {
  const { t } = useTranslation('spaces');
  const store = useStore();
  const { organization } = useSpace();
  const [name, setName] = useState(organization.name);
  const [description, setDescription] = useState(organization.description ?? '');
  const save = useCallback(async () => {
    const fields = { name: name.trim(), description: description.trim() || null };
    await store.write('spaces.nameOrganization', tx => tx.change('organizations', organization.id, fields));
    toast({ title: t('organization.saved') });
  }, [description, name, organization.id, store, t]);
  const saving = useAction(save);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') saving.run();
  };
  return (
    <Card label={t('organization.about')}>
      <form className="spaces-form" onSubmit={send}>
        <h2 className="h2">{t('organization.about')}</h2>
        <Input
          label={t('organization.name')}
          value={name}
          error={name.trim() === '' ? t('organization.nameNeeded') : undefined}
          onChange={event => setName(event.target.value)}
        />
        <Textarea
          label={t('organization.description')}
          value={description}
          onChange={event => setDescription(event.target.value)}
        />
        <FailureLine failure={saving.failure} />
        <Button type="submit" busy={saving.busy}>
          {t('save')}
        </Button>
      </form>
    </Card>
  );
}

const NOTHING_READ: readonly string[] = [];

function ProgramCard() {
  const { t } = useTranslation('spaces');
  const { engine } = useSignedIn();
  const { organization } = useSpace();
  const [name, setName] = useState(organization.program_name ?? '');
  const [description, setDescription] = useState(organization.program_description ?? '');
  const save = useCallback(
    async (calls: ServerCalls) => {
      const program = { p_organization: organization.id, p_name: name, p_description: description };
      await calls.call('set_organization_program', program);
      engine.syncNow();
      toast({ title: t('organization.saved') });
    },
    [description, engine, name, organization.id, t],
  );
  const saving = useServerAction(save, { operation: t('save'), changes: NOTHING_READ });
  const send = (event: FormEvent) => {
    event.preventDefault();
    void saving.run();
  };
  return (
    <Card label={t('program.title')}>
      <form className="spaces-form" onSubmit={send}>
        <h2 className="h2">{t('program.title')}</h2>
        <p className="muted sm">{t('program.text')}</p>
        <Input label={t('program.name')} value={name} onChange={event => setName(event.target.value)} />
        <Textarea
          label={t('program.description')}
          value={description}
          onChange={event => setDescription(event.target.value)}
        />
        {saving.problem && <Banner tone="bad" title={saving.problem} />}
        <Button type="submit" busy={saving.busy}>
          {t('save')}
        </Button>
      </form>
    </Card>
  );
}
