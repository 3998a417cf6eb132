import { useState } from 'react';
import { Phone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { deviceZone } from '@cairn/base/wall-clock.ts';
import { HELP_ELSEWHERE, helpByCountry, likelyCountry } from '@cairn/core/wellness/help-lines.ts';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';

/** Somebody to talk to, by country. Nobody is told that it was looked at. */
export function HelpCard() {
  const { t, i18n } = useTranslation('wellness');
  const [country, setCountry] = useState(() => likelyCountry(deviceZone(), navigator.languages) ?? '');
  const help = helpByCountry.find(each => each.country === country);
  const names = new Intl.DisplayNames(i18n.language, { type: 'region' });
  const choices = helpByCountry
    .map(each => ({ value: each.country, label: names.of(each.country) ?? each.country }))
    .toSorted((a, b) => a.label.localeCompare(b.label, i18n.language));
  return (
    <Card label={t('help.title')} className="parts">
      <CardHead title={t('help.title')} />
      <p className="muted sm">{t('help.text')}</p>
      <Select
        label={t('help.country')}
        placeholder={t('help.other')}
        choices={choices}
        value={country}
        onChange={event => setCountry(event.target.value)}
      />
      {help ? (
        <ul className="help-lines">
          {[...help.lines, { name: t('help.emergency'), number: help.emergency }].map(({ name, number }) => (
            <li key={`${name}${number}`}>
              <a className="tap link" href={`tel:${number.replaceAll(/[^\d+]/g, '')}`}>
                <Icon of={Phone} size="s" />
                <span>
                  {name}: <span className="figure">{number}</span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <p className="sm">
          <a className="link tap" href={HELP_ELSEWHERE} target="_blank" rel="noreferrer">
            {t('help.elsewhere')}
          </a>
        </p>
      )}
      <p className="muted xs">{t('help.nobody')}</p>
    </Card>
  );
}
