import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Row } from '@cairn/schema';
import { changeProfile, PROFILE_LIMITS, type ProfileField as Field } from '@cairn/core/profile/change-profile.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { failureText } from '../../shared/errors/failure-text.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useSavedProfileToast } from './use-saved-profile-toast.ts';

type Props = { profile: Row<'profiles'>; field: Field; autoComplete?: string; type?: 'text' | 'tel' };

/** One text about oneself, saved when it is left; what is too long stays as typed and says so. */
export function ProfileField({ profile, field, autoComplete, type = 'text' }: Props) {
  const { t } = useTranslation('profile');
  const { t: tFailure } = useTranslation('failure');
  const [typed, setTyped] = useState<string | null>(null);
  const stored = profile[field] ?? '';
  const saving = useSaveField(profile.id, field);
  const over = Array.from((typed ?? '').trim()).length - PROFILE_LIMITS[field];
  const leave = () => {
    if (typed === null || over > 0) return;
    if (typed.trim() !== stored) saving.run(typed, () => setTyped(null));
    else setTyped(null);
  };
  const problem = saving.failure ? tFailure(failureText[saving.failure.code]) : undefined;
  const control = {
    label: t(`field.${field}`),
    value: typed ?? stored,
    error: over > 0 ? t('tooLong', { count: over }) : problem,
    onBlur: leave,
    ...(autoComplete && { autoComplete }),
  };
  return field === 'bio' ? (
    <Textarea {...control} onChange={event => setTyped(event.target.value)} />
  ) : (
    <Input {...control} type={type} onChange={event => setTyped(event.target.value)} />
  );
}

function useSaveField(userId: string, field: Field) {
  const store = useStore();
  const toastSaved = useSavedProfileToast();
  const save = useCallback(
    async (value: string, done: () => void) => {
      const write = (text: string) =>
        store.write('profile.change', tx => changeProfile(tx, { userId, field, value: text }));
      const before = await write(value);
      done();
      toastSaved(() => write(before ?? ''));
    },
    [store, userId, field, toastSaved],
  );
  return useAction(save);
}
