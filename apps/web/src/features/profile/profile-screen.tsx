import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@cairn/ui/avatar.tsx';
import { Banner } from '@cairn/ui/banner.tsx';
import { Segmented } from '@cairn/ui/choice.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { setTheme, useThemeMode } from '../../shared/appearance.ts';
import type { ThemeMode } from '../../shared/app-state.ts';
import { useSignedIn } from '../../shared/session.ts';
import { useSpace } from '../../shared/space.ts';
import './profile.css';

const THEMES = ['system', 'light', 'dark'] as const satisfies readonly ThemeMode[];

/** Who is signed in, how the app looks on this device, and the way out. */
export function ProfileScreen({ signOut }: { signOut: ReactNode }) {
  const { t } = useTranslation('shell');
  const { user, verified } = useSignedIn();
  const { organization } = useSpace();
  const theme = useThemeMode();
  return (
    <div className="profile">
      <header className="page-head">
        <h1 className="h1">{t('profile.title')}</h1>
      </header>
      <Card>
        <div className="row profile-person">
          <Avatar name={user.fullName ?? user.email} size="l" />
          <dl className="profile-facts">
            {user.fullName !== null && <Fact name={t('profile.name')}>{user.fullName}</Fact>}
            <Fact name={t('profile.email')}>{user.email}</Fact>
            <Fact name={t('switcher.organisations')}>{organization.name}</Fact>
          </dl>
        </div>
      </Card>
      {!verified && <Banner title={t('profile.unverified')} />}
      <Card>
        <Segmented
          label={t('profile.theme')}
          labelHidden={false}
          block
          value={theme}
          onChange={value => setTheme(THEMES.find(mode => mode === value) ?? 'system')}
          options={THEMES.map(mode => ({ value: mode, label: t(`profile.themes.${mode}`) }))}
        />
        <p className="hint">{t('profile.themeHint')}</p>
      </Card>
      <div>{signOut}</div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
