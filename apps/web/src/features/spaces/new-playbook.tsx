import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  createPlaybook,
  PlaybookFailure,
  type NewPlaybook as Draft,
  type PlaybookFailureCode,
} from '@cairn/core/spaces/create-playbook.ts';
import { organizationMembers } from '@cairn/core/spaces/members.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import type { Row } from '@cairn/schema';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Checkbox, Segmented } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { ServerRefusal, useServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';

type Organization = Row<'organizations'>;
type Props = {
  /** Those the person belongs to, the private space among them. */
  organizations: readonly Organization[];
  onClose: () => void;
  onMade: (id: string) => void;
};

const EMPTY = { name: '', description: '', type: 'company', locations: [] } as const satisfies Draft;

/**
 * A new playbook. A personal one lives in the private space, whatever organisation is open, and the form says so; for one of a company that is
 * begun in the private space the organisation is chosen.
 */
export function NewPlaybook({ organizations, onClose, onMade }: Props) {
  const { t } = useTranslation('spaces');
  const { organization } = useSpace();
  const [draft, setDraft] = useState<Required<Draft>>({
    ...EMPTY,
    locations: [],
    type: organization.kind === 'private' ? 'personal' : 'company',
  });
  const companies = organizations.filter(({ kind }) => kind === 'company');
  const isPrivate = organization.kind === 'private';
  const [chosen, setChosen] = useState<string | null>(null);
  const isPersonal = draft.type === 'personal';
  const organizationId = isPrivate && !isPersonal ? chosen : organization.id;
  const making = useMaking({ organizations, organizationId }, id => {
    onMade(id);
    onClose();
  });
  const [tried, setTried] = useState(false);
  const noName = draft.name.trim() === '';
  return (
    <FormSheet
      title={t('playbooks.new')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('playbooks.make')}
      busy={making.busy}
      onSave={() => (noName ? setTried(true) : void making.run(draft))}
    >
      {companies.length > 0 && (
        <Segmented
          label={t('playbooks.type')}
          labelHidden={false}
          block
          value={draft.type}
          onChange={type => setDraft({ ...draft, type: type === 'personal' ? 'personal' : 'company' })}
          options={[
            { value: 'company', label: t('playbooks.types.company') },
            { value: 'personal', label: t('playbooks.types.personal') },
          ]}
        />
      )}
      {isPersonal && <Banner title={t('playbooks.private')}>{t('playbooks.privateText')}</Banner>}
      {isPrivate && !isPersonal && <OrganizationChoice {...{ companies, chosen }} onChoose={setChosen} />}
      <Input
        label={t('playbooks.name')}
        value={draft.name}
        error={tried && noName ? t('playbooks.nameNeeded') : undefined}
        onChange={event => setDraft({ ...draft, name: event.target.value })}
      />
      <Textarea
        label={t('playbooks.description')}
        value={draft.description ?? ''}
        onChange={event => setDraft({ ...draft, description: event.target.value })}
      />
      {!isPersonal && !isPrivate && (
        <SiteNames chosen={draft.locations} onChange={locations => setDraft({ ...draft, locations })} />
      )}
      {making.problem && <Banner tone="bad" title={t(`playbooks.refused.${making.problem}`)} />}
    </FormSheet>
  );
}

type ChoiceProps = { companies: readonly Organization[]; chosen: string | null; onChoose: (id: string) => void };

function OrganizationChoice({ companies, chosen, onChoose }: ChoiceProps) {
  const { t } = useTranslation('spaces');
  return (
    <Select
      label={t('playbooks.organization')}
      placeholder={t('playbooks.organizationNone')}
      value={chosen ?? ''}
      onChange={event => onChoose(event.target.value)}
      choices={companies.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

/** The sites a playbook is for, by name; none means every site. */
export function SiteNames({ chosen, onChange }: { chosen: readonly string[]; onChange: (names: string[]) => void }) {
  const { t } = useTranslation('spaces');
  const { organization } = useSpace();
  const live = useLive(organizationMembers(organization.id));
  const sites = live.status === 'ready' ? live.answer.sites : [];
  if (sites.length === 0) return null;
  return (
    <fieldset className="spaces-sites">
      <legend className="label">{t('playbooks.locations')}</legend>
      {sites.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.includes(name)}
          onChange={on => onChange(on ? [...chosen, name] : chosen.filter(each => each !== name))}
        />
      ))}
    </fieldset>
  );
}

type PlaybookFormContext = { organizations: readonly Organization[]; organizationId: string | null };

function useMaking({ organizations, organizationId }: PlaybookFormContext, onMade: (id: string) => void) {
  const { t } = useTranslation('spaces');
  const calls = useServerCalls();
  const { userId } = useSpace();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<PlaybookFailureCode | null>(null);
  const insert = useCallback(
    (row: Record<string, unknown>) =>
      calls.insert<Row<'playbooks'>>('playbooks', row).then(
        data => ({ data, error: null }),
        (error: unknown) => {
          if (!(error instanceof ServerRefusal)) throw error;
          return { data: null, error: { code: error.code, message: error.message } };
        },
      ),
    [calls],
  );
  const run = async (draft: Draft) => {
    setBusy(true);
    setProblem(null);
    const organizationIds = organizations.map(({ id }) => id);
    try {
      const made = await createPlaybook(draft, { userId, organizationId, organizationIds, insert });
      toast({ title: t('playbooks.created') });
      dispatchEvent(new Event('refresh-playbooks'));
      onMade(made.id);
    } catch (error) {
      if (!(error instanceof PlaybookFailure)) throw error;
      setProblem(error.code);
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, problem };
}
