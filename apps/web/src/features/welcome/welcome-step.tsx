import type { FirstRunStep } from '@cairn/core/onboarding/first-run.ts';
import { AreasStep } from './areas-step.tsx';
import { CompanyQuestions } from './company-questions.tsx';
import { EndStep } from './end-step.tsx';
import { KindStep } from './kind-step.tsx';
import { NotificationsStep } from './notifications-step.tsx';
import { OfflineStep } from './offline-step.tsx';
import { GuestQuestion, PersonalQuestions } from './personal-questions.tsx';
import { PresetStep } from './preset-step.tsx';
import { SampleStep, type RemoveSampleCompany } from './sample-step.tsx';
import type { FirstRunState } from './use-first-run.ts';

/** What only the route can do. */
export type Ways = {
  /** Works in another organisation from now on; one that is still on its way opens when it arrives. */
  openOrganization: (organizationId: string) => void;
  removeSampleCompany: RemoveSampleCompany;
};

type Props = {
  step: FirstRunStep;
  first: FirstRunState;
  ways: Ways;
  /** Goes to the first step that is open. */
  onwards: () => void;
  onStep: (step: FirstRunStep) => void;
};

const DEFAULT_REMINDER = '09:00';

/** The screen of one step. */
export function WelcomeStep({ step, first, ways, onwards, onStep }: Props) {
  const { run } = first;
  const { kind, isGuest } = run.facts;
  const onSkip = () => {
    first.skip(step);
    onwards();
  };
  const onDone = () => {
    first.mark(step);
    onwards();
  };
  const acts = { onSkip, onDone };
  const reminder = run.preferences?.notification_time ?? DEFAULT_REMINDER;
  if (kind === null || step === 'kind') return <KindStep present={kind} onDone={chooseWorld(first, ways, onwards)} />;
  if (step === 'offline') return <OfflineStep {...acts} />;
  if (step === 'notifications') return <NotificationsStep {...acts} />;
  if (step === 'sample')
    return (
      <SampleStep
        {...acts}
        run={run}
        kind={kind}
        onOpen={ways.openOrganization}
        removeCompany={ways.removeSampleCompany}
        onStay={() => onStep('sample')}
      />
    );
  if (step === 'first') return <EndStep states={first.states} kind={kind} onStep={onStep} />;
  if (kind === 'personal' && run.personal) {
    const { personal } = run;
    if (step === 'start') return <AreasStep {...acts} playbook={personal} />;
    return <PersonalQuestions {...acts} playbook={personal} reminder={reminder} />;
  }
  if (isGuest || kind === 'personal') return <GuestQuestion {...acts} reminder={reminder} />;
  if (step === 'start') return <PresetStep {...acts} company={run.company} onQuestions={() => onStep('questions')} />;
  const onCompany = (organizationId: string) => {
    ways.openOrganization(organizationId);
    onDone();
  };
  return <CompanyQuestions onSkip={onSkip} onDone={onCompany} company={run.company} />;
}

/** The chosen world is opened where it already is: the private space always, a company once there is one. */
const chooseWorld =
  ({ run, begin }: FirstRunState, { openOrganization }: Ways, onwards: () => void) =>
  (kind: 'company' | 'personal') => {
    begin();
    const place = kind === 'personal' ? run.personal?.organization_id : run.company?.id;
    if (place) openOrganization(place);
    onwards();
  };
