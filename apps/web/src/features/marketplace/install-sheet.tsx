import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isFitValue } from '@cairn/base/filled-text.ts';
import { packBound, type PackBound } from '@cairn/core/marketplace/pack-bounds.ts';
import type { PackContents, PackVariable } from '@cairn/core/marketplace/pack-contents.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useMarketAct } from './use-market.ts';

type Values = Record<string, string>;

/** The words a pack asks for, one field each; what is not fit to stand in a text is said where it was typed. */
export function VariableFields(props: {
  variables: readonly PackVariable[];
  values: Values;
  isTried: boolean;
  onChange: (values: Values) => void;
}) {
  const { t } = useTranslation('marketplace');
  const { variables, values, isTried, onChange } = props;
  return variables.map(({ key, label, hint, value: example }) => (
    <Input
      key={key}
      label={label}
      hint={hint}
      placeholder={example}
      maxLength={200}
      value={values[key] ?? ''}
      error={isTried && !isFitValue(values[key] ?? '') ? t('install.unfit') : undefined}
      onChange={event => onChange({ ...values, [key]: event.target.value })}
    />
  ));
}

type Props = {
  pack: { name: string };
  versionId: string;
  contents: PackContents;
  documents: number;
  /** Values as they are typed: the preview behind shows them. */
  values: Values;
  onValues: (values: Values) => void;
  onClose: () => void;
};

/** Asks for the words that are filled in, then takes the pack over as drafts. */
export function InstallSheet({ pack, versionId, contents, documents, values, onValues, onClose }: Props) {
  const { t } = useTranslation('marketplace');
  const { organization, playbook } = useSpace();
  const { variables } = contents;
  const [isTried, setTried] = useState(false);
  const [past, setPast] = useState<PackBound | null>(null);
  const playbookId = playbook?.id ?? null;
  const install = useCallback(
    (calls: ServerCalls, given: Values) =>
      calls.call('install_pack', {
        p_organization: organization.id,
        p_version: versionId,
        p_playbook: playbookId,
        p_variables: given,
      }),
    [organization.id, playbookId, versionId],
  );
  const installing = useMarketAct(install);
  const take = async () => {
    setTried(true);
    if (!variables.every(({ key }) => isFitValue(values[key] ?? ''))) return;
    const bound = packBound(contents, values);
    setPast(bound);
    if (bound || !(await installing.run(values))) return;
    toast({ title: t('install.done', { name: pack.name }) });
    onClose();
  };
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('install.title', { name: pack.name })}
      description={t('install.text', { count: documents, organization: organization.name })}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" busy={installing.busy} onClick={() => void take()}>
          {t('install.act', { count: documents })}
        </Button>
      }
    >
      <form
        className="stack market-stack"
        onSubmit={event => {
          event.preventDefault();
          void take();
        }}
      >
        <VariableFields variables={variables} values={values} isTried={isTried} onChange={onValues} />
        {playbook && <p className="sm muted">{t('install.playbook', { name: playbook.name })}</p>}
        {past && <Banner tone="bad" title={t(`problem.${past}`)} />}
        {installing.problem && <Banner tone="bad" title={installing.problem} />}
      </form>
    </Sheet>
  );
}
