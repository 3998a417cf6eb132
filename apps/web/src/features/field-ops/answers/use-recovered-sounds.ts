import { useEffect } from 'react';
import i18n from 'i18next';
import type { UnfinishedWork } from '@cairn/sync/files/unfinished-work.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import type { QuestionActs } from './question-acts.ts';
import { soundFrom, soundsOf, withSoundLock } from './sound-chunks.ts';

type SoundSaver = QuestionActs['addSound'];

/**
 * Puts recordings that were broken off (a dead battery, a closed tab) at their questions, up to where they broke off.
 *
 * @returns how many were put at their question
 */
export async function recoverSounds(
  unfinished: UnfinishedWork,
  inspectionId: string,
  keep: SoundSaver,
): Promise<number> {
  let kept = 0;
  for (const { subject } of await unfinished.list(soundsOf(inspectionId))) {
    await withSoundLock(subject, async () => {
      // Read anew: another tab may have finished it while this one waited.
      const [present] = await unfinished.list(`${subject}/`);
      const found = present && soundFrom(present);
      if (found) await keep(found.question, found.sound, found.as);
      if (found) kept += 1;
      await unfinished.forget(subject);
    });
  }
  return kept;
}

/** Looks once, when an inspection is opened; says so where something was found. */
export function useRecoveredSounds({ inspectionId, addSound }: QuestionActs): void {
  const { unfinished } = useSignedIn().engine;
  useEffect(() => {
    const say = (word: 'recovered' | 'notRecovered') =>
      toast({
        title: i18n.t(`sound.${word}`, { ns: 'capture' }),
        ...(word === 'recovered' && { description: i18n.t('sound.recoveredText', { ns: 'capture' }) }),
        ...(word === 'notRecovered' && { tone: 'bad' as const }),
      });
    recoverSounds(unfinished, inspectionId, addSound).then(
      count => count > 0 && say('recovered'),
      // Its pieces stay on the device; the next visit tries again.
      () => say('notRecovered'),
    );
  }, [unfinished, inspectionId, addSound]);
}
