import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { PREFERENCE_CHOICES } from '@cairn/core/preferences/preferences.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { RowFace } from '@cairn/ui/layout/surface.tsx';
import { oneOf } from './one-of.ts';
import { Section, Setting, SwitchSetting } from './setting.tsx';
import { useSettings } from './settings-context.ts';

const { theme_mode: THEMES, font_size: SIZES } = PREFERENCE_CHOICES;

export function LookSection() {
  const { t } = useTranslation('settings');
  const { preferences, save } = useSettings();
  return (
    <Section title={t('look.title')}>
      <Setting words={[t('look.theme'), ...THEMES.map(mode => t(`look.themes.${mode}`))]} hint={t('look.themeHint')}>
        <Segmented
          label={t('look.theme')}
          labelHidden={false}
          block
          value={preferences.theme_mode}
          onChange={value => save({ theme_mode: oneOf(THEMES, value) })}
          options={THEMES.map(mode => ({ value: mode, label: t(`look.themes.${mode}`) }))}
        />
      </Setting>
      <AccentSetting />
      <Setting words={[t('look.size'), ...SIZES.map(size => t(`look.sizes.${size}`))]}>
        <Segmented
          label={t('look.size')}
          labelHidden={false}
          block
          value={preferences.font_size}
          onChange={value => save({ font_size: value })}
          options={SIZES.map(size => ({ value: size, label: t(`look.sizes.${size}`) }))}
        />
      </Setting>
      <SwitchSetting
        label={t('look.contrast')}
        hint={t('look.contrastHint')}
        checked={preferences.high_contrast}
        onChange={value => save({ high_contrast: value })}
      />
      <SwitchSetting
        label={t('look.motion')}
        hint={t('look.motionHint')}
        checked={preferences.reduce_motion}
        onChange={value => save({ reduce_motion: value })}
      />
      <SwitchSetting
        label={t('look.sidebar')}
        hint={t('look.sidebarHint')}
        checked={preferences.sidebar_collapsed}
        onChange={value => save({ sidebar_collapsed: value })}
      />
      <Preview />
    </Section>
  );
}

/** Colours as dots with their names; a dot takes its colour from the tokens of its own accent. */
function AccentSetting() {
  const { t } = useTranslation('settings');
  const { preferences, save } = useSettings();
  const name = useId();
  const { theme = 'light', tone = 'company' } = document.documentElement.dataset;
  return (
    <Setting words={[t('look.accent')]}>
      <fieldset className="accents">
        <legend className="label">{t('look.accent')}</legend>
        {PREFERENCE_CHOICES.primary_color.map(accent => (
          <label key={accent} className="accent-choice">
            <input
              type="radio"
              className="sr"
              name={name}
              checked={preferences.primary_color === accent}
              onChange={() => save({ primary_color: accent })}
            />
            <span className="accent-dot" data-theme={theme} data-tone={tone} data-accent={accent} aria-hidden="true" />
            <span>{t(`look.accents.${accent}`)}</span>
          </label>
        ))}
      </fieldset>
    </Setting>
  );
}

/** What the choices above do, on things a person knows. */
function Preview() {
  const { t } = useTranslation('settings');
  return (
    <Setting words={[t('look.preview')]}>
      <p className="label">{t('look.preview')}</p>
      <div className="look-preview" aria-hidden="true" inert>
        <div className="item">
          <RowFace title={t('look.previewTitle')} detail={t('look.previewText')} />
        </div>
        <Button variant="primary">{t('look.previewAct')}</Button>
      </div>
    </Setting>
  );
}
