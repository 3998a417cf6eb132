import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textsIn } from '@cairn/base/texts-in.ts';
import {
  archivePlaybook,
  changePlaybook,
  setPlaybookMembers,
  type ManagedPlaybook,
  type PlaybookMember,
} from '@cairn/core/spaces/manage-playbook.ts';
import { organizationMembers } from '@cairn/core/spaces/members.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { SiteNames } from './new-playbook.tsx';

type Roles = ReadonlyMap<string, PlaybookMember['role']>;
type Props = { managed: ManagedPlaybook; onClose: () => void };

/** One playbook: its name, sites and members, and the archive. */
export function PlaybookSheet({ managed, onClose }: Props) {
  const { t } = useTranslation('spaces');
  const { playbook, members } = managed;
  const [name, setName] = useState(playbook.name);
  const [description, setDescription] = useState(playbook.description ?? '');
  const [locations, setLocations] = useState<string[]>(textsIn(playbook.locations));
  const [roles, setRoles] = useState<Roles>(new Map(members.map(({ userId, role }) => [userId, role])));
  const acts = usePlaybookActs(managed, { name, description, locations, roles }, onClose);
  const failure = acts.save.failure ?? acts.archive.failure;
  const isArchived = playbook.archived_at !== null;
  const noAdmin = ![...roles.values()].includes('admin');
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={playbook.name}
      closeLabel={t('close')}
      actions={
        <>
          <Button busy={acts.archive.busy} onClick={() => acts.archive.run(!isArchived)}>
            {isArchived ? t('playbooks.bringBack') : t('playbooks.archive')}
          </Button>
          <Button
            variant="primary"
            busy={acts.save.busy}
            disabled={noAdmin || name.trim() === ''}
            onClick={() => acts.save.run()}
          >
            {t('save')}
          </Button>
        </>
      }
    >
      <div className="spaces-form">
        <Input
          label={t('playbooks.name')}
          value={name}
          error={name.trim() === '' ? t('playbooks.nameNeeded') : undefined}
          onChange={event => setName(event.target.value)}
        />
        <Textarea
          label={t('playbooks.description')}
          value={description}
          onChange={event => setDescription(event.target.value)}
        />
        {playbook.type === 'company' && <SiteNames chosen={locations} onChange={setLocations} />}
        {playbook.type === 'company' && <MemberRoles roles={roles} onChange={setRoles} />}
        {noAdmin && <Banner tone="warn" title={t('playbooks.needsAdmin')} />}
        <FailureLine failure={failure} />
      </div>
    </Sheet>
  );
}

function MemberRoles({ roles, onChange }: { roles: Roles; onChange: (roles: Roles) => void }) {
  const { t } = useTranslation('spaces');
  const { organization } = useSpace();
  const live = useLive(organizationMembers(organization.id));
  const people = live.status === 'ready' ? live.answer.members : [];
  const choose = (userId: string, value: string) => {
    const next = new Map(roles);
    if (value === 'admin' || value === 'member') next.set(userId, value);
    else next.delete(userId);
    onChange(next);
  };
  return (
    <fieldset className="spaces-sites">
      <legend className="label">{t('playbooks.people')}</legend>
      {people.map(({ userId, name }) => (
        <Select
          key={userId}
          label={name ?? t('members.unnamed')}
          value={roles.get(userId) ?? ''}
          onChange={event => choose(userId, event.target.value)}
          placeholder={t('playbooks.roles.none')}
          choices={[
            { value: 'member', label: t('playbooks.roles.member') },
            { value: 'admin', label: t('playbooks.roles.admin') },
          ]}
        />
      ))}
    </fieldset>
  );
}

type Change = { name: string; description: string; locations: string[]; roles: Roles };

function usePlaybookActs(managed: ManagedPlaybook, change: Change, onDone: () => void) {
  const { t } = useTranslation('spaces');
  const store = useStore();
  const { id: playbookId, type } = managed.playbook;
  const { name, description, locations, roles } = change;
  const finish = useCallback(
    (title: string) => {
      dispatchEvent(new Event('refresh-playbooks'));
      toast({ title });
      onDone();
    },
    [onDone],
  );
  const save = useCallback(async () => {
    await store.write('spaces.changePlaybook', async tx => {
      await changePlaybook(tx, { playbookId, name, description, locations });
      if (type === 'company') await setPlaybookMembers(tx, managed, roles);
    });
    finish(t('playbooks.saved'));
  }, [description, finish, locations, managed, name, playbookId, roles, store, t, type]);
  const archive = useCallback(
    async (away: boolean) => {
      const at = away ? new Date().toISOString() : null;
      await store.write('spaces.archivePlaybook', tx => archivePlaybook(tx, playbookId, at));
      finish(away ? t('playbooks.isArchived') : t('playbooks.isBack'));
    },
    [finish, playbookId, store, t],
  );
  return { save: useAction(save), archive: useAction(archive) };
}
