/** What each look attribute on `<html>` may hold; tokens.css and accents.css give them meaning. */
export const TONES = ['company', 'personal'] as const;
export const THEMES = ['light', 'dark'] as const;
/** `primary_color`; `blue` is the default: lake blue in a company, moss green in a personal playbook. */
export const ACCENTS = ['blue', 'indigo', 'violet', 'rose', 'amber', 'green', 'teal', 'slate'] as const;
/** `font_size`: 0.9375, 1, 1.125 and 1.3125 times the 16 px the rem scale stands on. */
export const FONT_SIZES = ['small', 'medium', 'large', 'extra-large'] as const;

export type Tone = (typeof TONES)[number];
export type Theme = (typeof THEMES)[number];
export type Accent = (typeof ACCENTS)[number];
export type FontSize = (typeof FONT_SIZES)[number];

/** How the app looks: all that a preference or a playbook may change. */
export type Appearance = {
  tone: Tone;
  theme: Theme;
  accent: Accent;
  fontSize: FontSize;
  highContrast: boolean;
  reduceMotion: boolean;
};

/** Shows a look at once: one attribute each, no reload. */
export function applyLook(root: HTMLElement, look: Appearance): void {
  root.dataset['tone'] = look.tone;
  root.dataset['theme'] = look.theme;
  root.dataset['accent'] = look.accent;
  root.dataset['fontSize'] = look.fontSize;
  root.dataset['contrast'] = look.highContrast ? 'high' : 'normal';
  root.dataset['motion'] = look.reduceMotion ? 'reduced' : 'full';
}
