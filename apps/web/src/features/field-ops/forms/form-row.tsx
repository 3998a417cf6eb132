import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FileText, MoreHorizontal } from 'lucide-react';
import { newId } from '@cairn/base/id.ts';
import { askedQuestions } from '@cairn/core/forms/definition/asked-questions.ts';
import { archiveForm, buildForm, restoreForm } from '@cairn/core/forms/draft/form-draft.ts';
import { readFormShape, type FormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import { publishForm } from '@cairn/core/forms/draft/publish-form.ts';
import { runningSchedules } from '@cairn/core/schedules/save-schedule.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Menu } from '@cairn/ui/overlays/menu.tsx';
import { Pill, StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { compiledVersion } from '../inspections/compiled-version.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { FormExport } from './form-export.tsx';
import type { FormEntry } from '../inspections/inspection-queries.ts';

type Props = {
  entry: FormEntry;
  renderEdit: (formId: string, face: ReactNode) => ReactNode;
  onBuilt: (formId: string) => void;
};

/** One form of the list: how it stands, and what can be done with it. */
export function FormRow({ entry, renderEdit, onBuilt }: Props) {
  const { t } = useTranslation('field');
  const { form, newest, draft } = entry;
  const store = useStore();
  const publishing = useAction(async (versionId: string) => {
    await store.write('field-ops.publish-form', tx => publishForm(tx, { formId: form.id, versionId }));
    toast({ title: t('formList.published', { name: form.name }) });
  });
  // What was imported and not touched since can be published right here; a draft is looked at first.
  const waits = newest && form.current_version_id !== newest.id && !draft && form.state !== 'archived';
  const compiled = compiledVersion(newest);
  const questions = compiled ? askedQuestions(compiled) : 0;
  return (
    <li className="item form-row">
      <RowFace
        start={
          <RowIcon>
            <Icon of={FileText} />
          </RowIcon>
        }
        title={renderEdit(form.id, form.name)}
        detail={[
          newest && t('formList.questions', { count: questions }),
          newest && t('formList.version', { number: newest.number }),
          form.category,
        ]
          .filter(Boolean)
          .join(' · ')}
        end={
          <span className="row wrap">
            <State entry={entry} />
            {waits && (
              <Button size="sm" busy={publishing.busy} onClick={() => publishing.run(newest.id)}>
                {t('formList.publish')}
              </Button>
            )}
            {newest && <FormExport form={form} newest={newest} />}
            <FormMenu entry={entry} onBuilt={onBuilt} />
          </span>
        }
      />
      <FailureLine failure={publishing.failure} />
    </li>
  );
}

function State({ entry: { form, draft, newest } }: Pick<Props, 'entry'>) {
  const { t } = useTranslation('field');
  return (
    <>
      {draft && newest && <Pill>{t('formList.changed')}</Pill>}
      {form.state === 'published' ? (
        <StatusChip state="done">{t('formList.state.published')}</StatusChip>
      ) : (
        <Pill>{t(`formList.state.${form.state}`)}</Pill>
      )}
    </>
  );
}

function FormMenu({ entry, onBuilt }: Omit<Props, 'renderEdit'>) {
  const { t } = useTranslation('field');
  const { form, newest, draft } = entry;
  const store = useStore();
  const { user } = useSignedIn();
  const write = (name: string, change: typeof archiveForm) => store.write(name, tx => change(tx, form.id));
  const restoring = useAction(() => write('field-ops.restore-form', restoreForm));
  const archiving = useAction(async () => {
    const count = await store.read(runningSchedules(form));
    await write('field-ops.archive-form', archiveForm);
    const undo = { label: t('entry.act.undo'), onPress: restoring.run };
    const resting = count > 0 && { description: t('formList.schedulesRest', { count }) };
    toast({ title: t('formList.archived', { name: form.name }), ...resting, action: undo });
  });
  const copying = useAction(async (definition: FormDefinition) => {
    const formId = newId();
    const { organization_id: organizationId, playbook_id: playbookId, category, minutes } = form;
    const copy = { formId, organizationId, playbookId, category, minutes, assetCategory: form.asset_category };
    const named = { ...definition, title: t('formList.copyOf', { name: form.name }) };
    await store.write('field-ops.build-form', tx => buildForm(tx, { ...copy, definition: named, by: user.id }), {
      together: true,
    });
    onBuilt(formId);
  });
  const source = readFormShape(draft?.definition ?? newest?.definition);
  const isArchived = form.state === 'archived';
  return (
    <>
      <Menu
        trigger={<IconButton icon={MoreHorizontal} label={t('formList.more', { name: form.name })} />}
        entries={[
          {
            label: t('formList.act.copy'),
            onSelect: () => source && copying.run(source),
            disabled: source === null,
          },
          isArchived
            ? { label: t('formList.act.restore'), onSelect: restoring.run }
            : { label: t('formList.act.archive'), onSelect: archiving.run },
        ]}
      />
      <FailureLine failure={copying.failure ?? archiving.failure ?? restoring.failure} />
    </>
  );
}
