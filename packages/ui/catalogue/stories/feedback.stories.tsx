import { Banner } from '../../src/feedback/banner.tsx';
import { Button } from '../../src/controls/button.tsx';
import { EmptyState } from '../../src/feedback/empty-state.tsx';
import { ProgressBar, QuestionProgress } from '../../src/feedback/progress.tsx';
import { StateBlock } from '../../src/feedback/state-block.tsx';
import { Stepper } from '../../src/layout/stepper.tsx';
import { OfflineStrip, SyncBadge } from '../../src/feedback/sync-badge.tsx';
import { toast } from '../../src/feedback/toast.ts';
import { Toaster } from '../../src/feedback/toaster.tsx';
import { UndoNotice } from '../../src/feedback/undo-notice.tsx';
import type { StoryGroup } from '../story.ts';

const WAY = ['Playbook', 'Questions', 'Growth areas', 'Sample data', 'Offline'];

export const group: StoryGroup = {
  title: 'Feedback',
  stories: [
    {
      name: 'Banners',
      Show: () => (
        <div className="stack">
          <Banner title="The form changed on Monday.">Inspections begun before keep their questions.</Banner>
          <Banner tone="accent" title="A new version is ready." action={<Button size="sm">Load it</Button>} />
          <Banner tone="good" title="Received. Receipt 2026-114." />
          <Banner tone="warn" title="Almost full">
            Free some space on this phone.
          </Banner>
          <Banner tone="bad" title="Arbeitsschutzunterweisung konnte nicht gesendet werden">
            Sie liegt sicher auf diesem Telefon. Versuch es noch einmal.
          </Banner>
        </div>
      ),
    },
    {
      name: 'Toast',
      alone: true,
      Show: () => (
        <>
          <Button
            onClick={() =>
              toast({
                title: 'Moved to tomorrow',
                sticky: true,
                action: { label: 'Undo', onPress: () => toast({ title: 'Moved back' }) },
              })
            }
          >
            Move
          </Button>
          <Toaster label="Messages" closeLabel="Close" />
        </>
      ),
    },
    {
      name: 'Undo',
      Show: () => (
        <UndoNotice undoLabel="Undo" onUndo={() => toast({ title: 'Moved back' })}>
          Moved to tomorrow
        </UndoNotice>
      ),
    },
    {
      name: 'Sync',
      Show: () => (
        <div className="stack">
          <div className="flow">
            <SyncBadge state="idle" label="Up to date" />
            <SyncBadge state="waiting" label="3 waiting" />
            <SyncBadge state="sending" label="Sending 2" />
            <SyncBadge state="failed" label="1 failed" />
            <SyncBadge state="conflict" label="1 conflict" />
            <SyncBadge state="offline" label="Offline · 5" />
          </div>
          <OfflineStrip>Offline: 3 items and 2 photos wait on this phone</OfflineStrip>
        </div>
      ),
    },
    {
      name: 'Progress',
      Show: () => (
        <div className="stack">
          <ProgressBar label="Sending 2 photos" figure="1.3 of 3.4 MB" value={1.3} max={3.4} />
          <QuestionProgress
            marks={['answered', 'answered', 'finding', 'not_applicable', 'open', 'open']}
            current={4}
            figure="5 of 6"
          />
          <Stepper label="First steps" steps={WAY} current={1} figure="Step 2 of 5" />
          <Stepper
            label="Erste Schritte"
            steps={['Arbeitsbereich', 'Sicherheitsunterweisung', 'Benachrichtigungen', 'Offlineverfügbarkeit']}
            current={2}
            figure="Schritt 3 von 4"
          />
        </div>
      ),
    },
    {
      name: 'Empty',
      Show: () => (
        <EmptyState title="No inspections yet" action={<Button variant="primary">New inspection</Button>}>
          They appear here when a form is scheduled for your site. You can also start one now.
        </EmptyState>
      ),
    },
    {
      name: 'Failed',
      Show: () => (
        <StateBlock
          state="failed"
          title="The list could not be opened"
          action={<Button variant="primary">Try again</Button>}
          details={{ label: 'Details', text: 'storage_failed · 2026-11-21T08:14:03Z' }}
        >
          What you saved is safe on this phone.
        </StateBlock>
      ),
    },
    {
      name: 'Offline',
      Show: () => (
        <StateBlock state="offline" title="This needs a connection">
          Prices come from the marketplace. Your own packs work without.
        </StateBlock>
      ),
    },
    {
      name: 'Not allowed',
      Show: () => (
        <StateBlock state="not-allowed" title="Only managers see this" action={<Button>Ask for access</Button>}>
          Your role at Northfield Works is worker.
        </StateBlock>
      ),
    },
    {
      name: 'Not found',
      Show: () => (
        <StateBlock state="not-found" title="Nothing stands here" action={<Button>Go to the dashboard</Button>}>
          The link may be old, or what it showed was removed.
        </StateBlock>
      ),
    },
  ],
};
