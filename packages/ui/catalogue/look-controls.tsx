import { Segmented, Switch } from '../src/controls/choice.tsx';
import { Select } from '../src/controls/select.tsx';
import { ACCENTS, FONT_SIZES, THEMES, TONES, type Appearance } from '../src/tokens/look.ts';

export type View = Appearance & { direction: 'ltr' | 'rtl'; width: string };

export const startView: View = {
  tone: 'company',
  theme: 'light',
  accent: 'blue',
  fontSize: 'medium',
  highContrast: false,
  reduceMotion: false,
  direction: 'ltr',
  width: '100%',
};

const WIDTHS = [
  { value: '320px', label: '320' },
  { value: '390px', label: '390' },
  { value: '768px', label: '768' },
  { value: '1024px', label: '1024' },
  { value: '100%', label: 'Full' },
];

const asChoices = (values: readonly string[]) => values.map(value => ({ value, label: value }));
const one = <Value extends string>(values: readonly Value[], given: string): Value => {
  const found = values.find(value => value === given);
  if (found === undefined) throw new Error(`no such choice: ${given}`);
  return found;
};

type Props = { view: View; onChange: (view: View) => void };

/** Everything that changes the look of the stage. */
export function LookControls({ view, onChange }: Props) {
  return (
    <div className="look">
      <Segmented
        label="Theme"
        options={asChoices(THEMES)}
        value={view.theme}
        onChange={theme => onChange({ ...view, theme: one(THEMES, theme) })}
      />
      <Segmented
        label="Tone"
        options={asChoices(TONES)}
        value={view.tone}
        onChange={tone => onChange({ ...view, tone: one(TONES, tone) })}
      />
      <Segmented
        label="Direction"
        options={asChoices(['ltr', 'rtl'])}
        value={view.direction}
        onChange={direction => onChange({ ...view, direction: one(['ltr', 'rtl'], direction) })}
      />
      <Segmented label="Width" options={WIDTHS} value={view.width} onChange={width => onChange({ ...view, width })} />
      <Select
        label="Accent"
        labelHidden
        choices={asChoices(ACCENTS)}
        value={view.accent}
        onChange={event => onChange({ ...view, accent: one(ACCENTS, event.target.value) })}
      />
      <Select
        label="Font size"
        labelHidden
        choices={asChoices(FONT_SIZES)}
        value={view.fontSize}
        onChange={event => onChange({ ...view, fontSize: one(FONT_SIZES, event.target.value) })}
      />
      <Switch
        label="High contrast"
        checked={view.highContrast}
        onChange={highContrast => onChange({ ...view, highContrast })}
      />
      <Switch
        label="Reduce motion"
        checked={view.reduceMotion}
        onChange={reduceMotion => onChange({ ...view, reduceMotion })}
      />
    </div>
  );
}
