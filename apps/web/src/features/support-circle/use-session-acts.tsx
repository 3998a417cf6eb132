import { useState, type ReactNode } from 'react';
import { EllipsisVertical } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { removeSession, sayOfSession } from '@cairn/core/support-circle/plan-session.ts';
import type { ShownSession } from '@cairn/core/support-circle/shown-sessions.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Menu } from '@cairn/ui/overlays/menu.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { OutcomeSheet } from './outcome-sheet.tsx';
import { PlanSheet } from './plan-sheet.tsx';
import { SessionSheet } from './session-sheet.tsx';

/** Whose screen a session stands on. */
export type SessionViewer = {
  other: string;
  /** The signed-in person is whom the other helps. */
  isPerson: boolean;
  isActive: boolean;
};

/** Answers to whether it took place stand as buttons, the rest in a menu. */
type Acts = { answers: ('hold' | 'happened' | 'miss')[]; rest: ('move' | 'cancel' | 'edit' | 'remove')[] };

/**
 * What the signed-in person may do with a session: all of what they wrote themselves, and saying what became of one that
 * their helper planned. A helper changes nothing of what the person wrote, and takes away nothing the other said of it.
 */
function actsOf(
  { isMine, isHere, isSaidByOther, state, at }: ShownSession,
  { isPerson, isActive }: SessionViewer,
  now: number,
): Acts {
  // In a pause the person alone still mends their own words.
  const may = isHere && (isMine || isPerson) && (isActive || (isMine && isPerson));
  if (!may) return { answers: [], rest: [] };
  const remove: Acts['rest'] = isMine && !isSaidByOther ? ['remove'] : [];
  if (state === 'held') return { answers: [], rest: isMine ? ['edit', ...remove] : [] };
  if (state !== 'planned') return { answers: [], rest: remove };
  const isOver = Date.parse(at) <= now;
  return {
    answers: isOver ? [isMine ? 'hold' : 'happened', 'miss'] : [],
    rest: isMine ? ['move', 'cancel', 'remove'] : ['cancel'],
  };
}

type SessionElements = { menu: ReactNode; answers: ReactNode; sheet: ReactNode };
type Act = Acts['answers'][number] | Acts['rest'][number];

/** The acts of one session, each part for its place in the row. @param when the session, in words */
export function useSessionActs(session: ShownSession, seen: SessionViewer, when: string): SessionElements {
  const { t } = useTranslation('circle');
  const store = useStore();
  const { user } = useSignedIn();
  const now = useNow().getTime();
  const [open, setOpen] = useState<Act | null>(null);
  const outcome = { id: session.id, by: user.id, outcome: 'held' as const, reason: '' };
  const happened = useAction(() => store.write('support-circle.say', tx => sayOfSession(tx, outcome)));
  const { answers, rest } = actsOf(session, seen, now);
  const act = (name: Act) => (name === 'happened' ? happened.run() : setOpen(name));
  const entries = rest.map(name => ({
    label: t(`sessions.act.${name}`),
    ...(name === 'remove' && { danger: true, parted: rest.length > 1 }),
    onSelect: () => act(name),
  }));
  return {
    menu: entries.length > 0 && (
      <Menu trigger={<IconButton icon={EllipsisVertical} label={t('sessions.acts', { when })} />} entries={entries} />
    ),
    answers: answers.length > 0 && (
      <div className="row wrap">
        <FailureLine failure={happened.failure} />
        {answers.map(name => (
          <Button key={name} size="sm" onClick={() => act(name)}>
            {t(`sessions.act.${name}`)}
          </Button>
        ))}
      </div>
    ),
    sheet: <OpenSheet open={open} session={session} other={seen.other} onClose={() => setOpen(null)} />,
  };
}

type SheetProps = { open: Act | null; session: ShownSession; other: string; onClose: () => void };

function OpenSheet({ open, session, other, onClose }: SheetProps) {
  const { t } = useTranslation('circle');
  const store = useStore();
  const { user } = useSignedIn();
  const removing = useAction(() => store.write('support-circle.remove', tx => removeSession(tx, session.id, user.id)));
  if (open === 'miss' || open === 'cancel') {
    return <OutcomeSheet session={session} outcome={open === 'miss' ? 'missed' : 'cancelled'} onClose={onClose} />;
  }
  if (open === 'move') return <PlanSheet present={session} other={other} onClose={onClose} />;
  if (open === 'edit' || open === 'hold') return <SessionSheet present={session} other={other} onClose={onClose} />;
  return (
    <>
      <FailureLine failure={removing.failure} />
      <Confirm
        open={open === 'remove'}
        onOpenChange={onClose}
        title={t('sessions.removeTitle')}
        confirmLabel={t('sessions.act.remove')}
        cancelLabel={t('cancel')}
        danger
        onConfirm={() => removing.run()}
      >
        {t('sessions.removeText')}
      </Confirm>
    </>
  );
}
