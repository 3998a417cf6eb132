import { useTranslation } from 'react-i18next';
import type { OrganizationRole } from '@cairn/core/roles/role-names.ts';
import type { Members } from '@cairn/core/spaces/members.ts';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { today } from './end-day.ts';
import { roleFrom, useRoleChoices } from './role-choices.ts';

export type MemberDraft = {
  role: OrganizationRole;
  siteIds: readonly string[];
  /** YYYY-MM-DD, the last day; '' for no end. */
  lastDay: string;
};

type Props = {
  draft: MemberDraft;
  onChange: (draft: MemberDraft) => void;
  sites: Members['sites'];
  disabled?: boolean;
};

/** What a membership consists of: role, sites, end. An administrator has no end. */
export function MemberFields({ draft, onChange, sites, disabled = false }: Props) {
  const { t } = useTranslation('spaces');
  const choices = useRoleChoices();
  const toggle = (id: string, on: boolean) =>
    onChange({ ...draft, siteIds: on ? [...draft.siteIds, id] : draft.siteIds.filter(each => each !== id) });
  return (
    <>
      <Select
        label={t('fields.role')}
        hint={t(`roleHints.${draft.role}`)}
        choices={choices}
        value={draft.role}
        disabled={disabled}
        onChange={event => onChange({ ...draft, role: roleFrom(event.target.value) })}
      />
      {sites.length > 0 && (
        <fieldset className="spaces-sites">
          <legend className="label">{t('fields.sites')}</legend>
          {sites.map(site => (
            <Checkbox
              key={site.id}
              label={site.name}
              checked={draft.siteIds.includes(site.id)}
              onChange={on => toggle(site.id, on)}
            />
          ))}
        </fieldset>
      )}
      {draft.role !== 'admin' && (
        <Input
          type="date"
          label={t('fields.lastDay')}
          hint={draft.role === 'auditor' ? t('fields.auditorDay') : t('fields.lastDayHint')}
          min={today()}
          value={draft.lastDay}
          onChange={event => onChange({ ...draft, lastDay: event.target.value })}
        />
      )}
    </>
  );
}
