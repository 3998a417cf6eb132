import { useTranslation } from 'react-i18next';
import { PREFERENCE_CHOICES } from '@cairn/core/preferences/preferences.ts';
import { CoachPortrait } from '../../shared/media/coach-portrait.tsx';
import { usePreferences } from '../../shared/session/preferences.ts';

/** 1 to 5; null before anything was said. */
type Mood = number | null;

/** What a coach has words for. */
const momentOf = (mood: Mood): 'ask' | 'low' | 'middle' | 'high' => {
  if (mood === null) return 'ask';
  if (mood === 3) return 'middle';
  return mood < 3 ? 'low' : 'high';
};

/** The coach the person chose, with a sentence in that one's tone (wellness_coach_avatar). */
export function CoachSays({ mood }: { mood: Mood }) {
  const { t } = useTranslation('coach');
  const { preferences, status } = usePreferences();
  const chosen = preferences.wellness_coach_avatar;
  const coach = PREFERENCE_CHOICES.wellness_coach_avatar.find(each => each === chosen) ?? 'friendly-professional';
  // Its room is kept until it is known who speaks: nobody is shown for a moment and exchanged for another.
  return (
    <div className="coach-says">
      {status !== 'loading' && (
        <>
          <CoachPortrait coach={coach} />
          <p>{t(`says.${coach}.${momentOf(mood)}`)}</p>
        </>
      )}
    </div>
  );
}
