import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fittingFrameworks, frameworksOf, type NamedControl } from '@cairn/core/controls/take-framework.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Select } from '@cairn/ui/controls/select.tsx';
import { useSpace } from '../../../shared/session/space.ts';

type FrameworkChoice = {
  /** What policies call frameworks, where it is not one of those here; '' for names without any. */
  open: readonly string[];
  frameworks: readonly { id: string; title: string; edition: string | null }[];
  chosen: ReadonlyMap<string, string | null>;
  choose: (name: string, id: string | null | undefined) => void;
};

/** Which frameworks are meant by the controls that policies name: where it could be several, or none, a person says. */
export function useMeantFrameworks(named: readonly NamedControl[]): FrameworkChoice {
  const { organization } = useSpace();
  const live = useLive(frameworksOf(organization.id));
  const frameworks = live.status === 'ready' ? live.answer : [];
  const [chosen, setChosen] = useState<ReadonlyMap<string, string | null>>(new Map());
  const names = new Set(named.map(({ framework }) => framework));
  const open = [...names].filter(name => frameworks.length > 0 && fittingFrameworks(name, frameworks).length !== 1);
  return {
    open: open.map(name => name ?? ''),
    frameworks,
    chosen,
    choose: (name, id) =>
      setChosen(before => {
        const next = new Map(before);
        if (id === undefined) next.delete(name);
        else next.set(name, id);
        return next;
      }),
  };
}

const NONE = 'none';

export function MeantFrameworks({ open, frameworks, chosen, choose }: FrameworkChoice) {
  const { t } = useTranslation('policyAuthoring');
  const choices = [
    ...frameworks.map(({ id, title, edition }) => ({ value: id, label: [title, edition].filter(Boolean).join(' ') })),
    { value: NONE, label: t('bring.whichNone') },
  ];
  return (
    <>
      {open.map(name => {
        const value = chosen.get(name);
        return (
          <Select
            key={name}
            label={name === '' ? t('bring.whichOf') : t('bring.which', { name })}
            choices={choices}
            placeholder={t('bring.notSaid')}
            value={value === undefined ? '' : (value ?? NONE)}
            onChange={({ target }) =>
              choose(name, target.value === '' ? undefined : target.value === NONE ? null : target.value)
            }
          />
        );
      })}
    </>
  );
}
