import type { ReactNode } from 'react';
import { Switch } from '@cairn/ui/controls/choice.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useSettings } from './settings-context.ts';

/** A part of the settings; it goes when the search leaves nothing in it (settings.css). */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="parts settings-section" label={title}>
      <h2 className="h2">{title}</h2>
      {children}
    </Card>
  );
}

type Props = {
  /** Words it is found by: its label, hint and choices. */
  words: readonly (string | undefined)[];
  hint?: string | undefined;
  children: ReactNode;
};

/** One setting with its hint; absent while something else is searched for. */
export function Setting({ words, hint, children }: Props) {
  const { wanted } = useSettings();
  const text = [...words, hint].join(' ').toLocaleLowerCase();
  if (wanted !== '' && !text.includes(wanted)) return null;
  return (
    <div className="setting">
      {children}
      {hint && <p className="hint">{hint}</p>}
    </div>
  );
}

type SwitchProps = { label: string; hint?: string; checked: boolean; onChange: (checked: boolean) => void };

/** A setting that is on or off. */
export function SwitchSetting({ label, hint, checked, onChange }: SwitchProps) {
  return (
    <Setting words={[label]} hint={hint}>
      <Switch label={label} checked={checked} onChange={onChange} />
    </Setting>
  );
}
