import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { policyHash } from '@cairn/core/policies/policy-hash.ts';
import { isPassed, quizOf, rightAnswers } from '@cairn/core/policies/quiz.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { KioskHeading } from './kiosk-heading.tsx';
import type { KioskVisit, KioskPorts } from './kiosk-ports.ts';
import { KioskQuiz, NO_TRIES, type KioskTries } from './kiosk-quiz.tsx';
import { KioskSign, type KioskDecision } from './kiosk-sign.tsx';
import { PolicyText } from '../document/policy-text.tsx';
import { numberOf } from '../document/policy-labels.ts';
import { usePolicySections } from '../document/use-markdown.ts';
import { useSectionsRead } from '../document/use-sections-read.ts';
import '../document/policies.css';

type Props = {
  at: KioskVisit;
  ports: KioskPorts;
  passId: string | null;
  onDone: (decision: KioskDecision, acknowledgementId: string) => void;
  onBack: () => void;
};

/** The words, to their end; then the quiz, where one is asked; then the signature. */
export function KioskRead({ at, ports, passId, onDone, onBack }: Props) {
  const { t } = useTranslation('kiosk');
  const { version, person } = at;
  const [openedAt] = useState(() => new Date().toISOString());
  const [tries, setTries] = useState<KioskTries>(NO_TRIES);
  const { sections, isWaiting } = usePolicySections(version.body);
  const reading = useSectionsRead(version.id);
  const questions = useMemo(() => quizOf(version.quiz), [version.quiz]);
  // Words that are not here cannot be read here: nobody signs an empty page.
  const isRead = sections.length > 0 && reading.read.size >= sections.length;
  const right = rightAnswers(questions, tries.answers);
  const mayDecide = person.quizNeeded === null || isPassed({ right, of: questions.length, needed: person.quizNeeded });
  const number = numberOf(version);
  const witness = ports.witness.name;
  if (policyHash(version) !== version.content_hash)
    return (
      <Banner tone="bad" title={t('altered', { witness })} action={<Button onClick={onBack}>{t('stop')}</Button>} />
    );
  const kioskReading = {
    at,
    ports,
    passId,
    openedAt,
    tries,
    sections: sections.length,
    sectionsRead: reading.read.size,
    onDone,
  };
  return (
    <div className="parts kiosk-read">
      <div className="stack">
        <KioskHeading>{version.title}</KioskHeading>
        <p className="muted num">{t('version', { number })}</p>
      </div>
      <PolicyText sections={sections} isWaiting={isWaiting} onFrame={reading.onFrame} />
      {!isRead && <output>{t('toEnd', { read: reading.read.size, all: sections.length })}</output>}
      {isRead && (
        <Card className="parts" label={t('sign')}>
          {person.quizNeeded !== null && (
            <KioskQuiz version={version} needed={person.quizNeeded} tries={tries} onTries={setTries} />
          )}
          <KioskSign {...kioskReading} mayAcknowledge={mayDecide} />
        </Card>
      )}
      <Button variant="plain" block onClick={onBack}>
        {t('stop')}
      </Button>
    </div>
  );
}
