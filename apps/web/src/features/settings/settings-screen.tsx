import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PreferenceChange, Preferences } from '@cairn/core/preferences/preferences.ts';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { showPreferences, useChangePreferences, usePreferences } from '../../shared/session/preferences.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { reportError } from '../../shared/errors/report-error.ts';
import { CoachSection } from './coach-section.tsx';
import { LookSection } from './look-section.tsx';
import { MessagesSection } from './messages-section.tsx';
import { PrivacySection } from './privacy-section.tsx';
import { RegionSection } from './region-section.tsx';
import { SettingsContext, type PreferenceUpdate } from './settings-context.ts';
import { StorageSection } from './storage-section.tsx';
import { WorkSection } from './work-section.tsx';
import './settings.css';

type Props = {
  /** The heading: what the open playbook calls this module. */
  title: string;
  /** Beside the messages: what another area has to choose, such as types and channels. */
  channels?: ReactNode;
  /** Among the messages: what only the server can offer. */
  texts?: ReactNode;
  /** The person's data and account, which need the server. */
  account: ReactNode;
};

/** Everything a person may choose for themselves. Each choice is saved and takes effect at once. */
export function SettingsScreen({ title, channels, texts, account }: Props) {
  const { t } = useTranslation('settings');
  const { preferences, status } = usePreferences();
  const [search, setSearch] = useState('');
  const saving = useSave(preferences);
  const scope = useMemo(
    () => ({ preferences, save: saving.run, wanted: search.trim().toLocaleLowerCase() }),
    [preferences, saving.run, search],
  );
  if (status === 'loading') return <SkeletonRows label={t('loading')} />;
  return (
    <SettingsContext.Provider value={scope}>
      <div className="settings">
        <header className="page-head">
          <h1 className="h1">{title}</h1>
        </header>
        <Input
          label={t('search')}
          labelHidden
          type="search"
          placeholder={t('search')}
          value={search}
          onChange={event => setSearch(event.target.value)}
        />
        <FailureLine failure={saving.failure} />
        <LookSection />
        <RegionSection />
        <MessagesSection channels={channels} texts={texts} />
        <WorkSection />
        <CoachSection />
        <PrivacySection />
        <StorageSection />
        {account}
        <div className="settings-none">
          <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
        </div>
      </div>
    </SettingsContext.Provider>
  );
}

/** Shows a choice before it is saved, so that the eye need not wait; one that cannot be saved is taken back. */
function useSave(preferences: Preferences) {
  const { t } = useTranslation('settings');
  const change = useChangePreferences();
  const present = useRef(preferences);
  useEffect(() => {
    present.current = preferences;
  }, [preferences]);
  const save = useMemo(() => {
    const shown = async (wanted: PreferenceChange) => {
      const before = present.current;
      // Two choices made one right after the other are shown together, saved or not.
      present.current = { ...before, ...wanted };
      showPreferences(present.current);
      try {
        return await change(wanted);
      } catch (error) {
        present.current = before;
        showPreferences(before);
        throw error;
      }
    };
    const undo = (back: PreferenceChange) => void shown(back).catch((error: unknown) => reportError(t('undo'), error));
    return async (wanted: PreferenceUpdate) => {
      const back = await shown(typeof wanted === 'function' ? wanted(present.current) : wanted);
      toast({ title: t('saved'), action: { label: t('undo'), onPress: () => undo(back) } });
    };
  }, [change, t]);
  return useAction(save);
}
