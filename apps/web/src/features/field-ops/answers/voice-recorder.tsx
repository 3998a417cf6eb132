import { useTranslation } from 'react-i18next';
import { Mic, Pause, Play, Square } from 'lucide-react';
import { Button } from '@cairn/ui/controls/button.tsx';
import { lengthText } from '../../../shared/format/length-text.ts';
import type { Sound } from './sound-chunks.ts';
import { useSoundRecorder } from './use-sound-recorder.ts';
import './voice-recorder.css';

type Props = {
  inspectionId: string;
  question: string;
  /** `note`: beside another answer, a small button. */
  look: 'answer' | 'note';
  onSound: (sound: Sound) => Promise<void>;
};

const PROBLEMS = ['refused', 'none', 'busy', 'failed', 'full', 'broken'] as const;

/** Records with the device's microphone, into the answer. */
export function VoiceRecorder({ inspectionId, question, look, onSound }: Props) {
  const { t } = useTranslation('capture');
  const recorder = useSoundRecorder({ inspectionId, question, as: look, onSound });
  const { state, ms } = recorder;
  const isOn = state === 'recording' || state === 'paused';
  const problem = PROBLEMS.find(each => each === state);
  return (
    <div className="recorder">
      {isOn && (
        <div className="row recorder-on">
          <span className={`recorder-dot ${state}`} aria-hidden="true" />
          <output className="grow strong">{t(state === 'paused' ? 'sound.paused' : 'sound.recording')}</output>
          <span className="num recorder-time" role="timer">
            {lengthText(ms)}
          </span>
        </div>
      )}
      {(state === 'asking' || state === 'saving') && <output className="hint">{t(`sound.${state}`)}</output>}
      {problem && (
        <p className="err" role="alert">
          {t(`sound.${problem}`)}
        </p>
      )}
      <div className="row wrap">
        {isOn && (
          <Button
            size="lg"
            icon={state === 'paused' ? Play : Pause}
            onClick={state === 'paused' ? recorder.goOn : recorder.pause}
          >
            {t(state === 'paused' ? 'sound.goOn' : 'sound.pause')}
          </Button>
        )}
        {(isOn || state === 'failed') && (
          <Button size="lg" variant="primary" className="grow" icon={Square} onClick={recorder.stop}>
            {t('sound.stop')}
          </Button>
        )}
        {!isOn && state !== 'failed' && (
          <Button
            icon={Mic}
            {...(look === 'answer' && { size: 'lg', block: true })}
            busy={state === 'asking' || state === 'saving'}
            onClick={recorder.start}
          >
            {t(look === 'answer' ? 'sound.record' : 'sound.recordNote')}
          </Button>
        )}
      </div>
    </div>
  );
}
