import type { IconComponent } from '@cairn/ui/controls/icon.tsx';

export type CommandKind = 'screens' | 'actions' | 'places' | 'settings';

/** Something a person can do from anywhere: by the palette, and by its keys where it has some. */
export type Command = {
  id: string;
  kind: CommandKind;
  title: string;
  /** Where it leads or what it is about, beside the title. */
  detail?: string;
  /** Other words it is found by, of both languages. */
  also?: string;
  icon: IconComponent;
  /** Pressed one after the other: `['g', 'd']`. */
  keys?: readonly string[];
  run: () => void;
};
