import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Snapshot } from '@cairn/sync/recovery/snapshot.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { FileDrop } from '@cairn/ui/controls/file-drop.tsx';
import { PasswordInput } from '@cairn/ui/controls/password-input.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { exactly } from '../conflicts/field-text.ts';
import { rescueProblem, type ProblemKey } from './rescue-problem.ts';
import './rescue.css';

/** A rescue file is chosen, opened with its words, looked at, and put where it belongs. */
export function TakeRescue({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('rescue');
  const [file, setFile] = useState<File | null>(null);
  const [unlocked, setUnlocked] = useState<Snapshot | null>(null);
  const [problem, setProblem] = useState<ProblemKey | null>(null);
  if (unlocked) return <Opened unlocked={unlocked} onDone={onDone} />;
  if (!file)
    return (
      <FileDrop
        label={t('take.choose')}
        hint={t('take.hint')}
        multiple={false}
        onFiles={([first]) => setFile(first ?? null)}
        onRefused={() => setProblem('foreign')}
        error={problem && t(`problem.${problem}`)}
      />
    );
  return (
    <Unlock
      file={file}
      problem={problem}
      onProblem={setProblem}
      onUnlocked={setUnlocked}
      onAnother={() => {
        setFile(null);
        setProblem(null);
      }}
    />
  );
}

type UnlockProps = {
  file: File;
  problem: ProblemKey | null;
  onProblem: (problem: ProblemKey | null) => void;
  onUnlocked: (unlocked: Snapshot) => void;
  onAnother: () => void;
};

function Unlock({ file, problem, onProblem, onUnlocked, onAnother }: UnlockProps) {
  const { t } = useTranslation('rescue');
  const { engine } = useSignedIn();
  const [words, setWords] = useState('');
  const [busy, setBusy] = useState(false);
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (busy || words === '') return;
    setBusy(true);
    onProblem(null);
    engine.rescue
      .unlock(file, words)
      .then(onUnlocked, (error: unknown) => onProblem(rescueProblem(error)))
      .finally(() => setBusy(false));
  };
  const isWords = problem === 'locked';
  return (
    <form className="stack rescue-form" onSubmit={open}>
      {problem && !isWords && <Banner tone="bad" title={t(`problem.${problem}`)} />}
      <p className="strong rescue-name">{file.name}</p>
      <PasswordInput
        showLabel={t('show')}
        hideLabel={t('hide')}
        autoComplete="off"
        label={t('make.words')}
        error={isWords ? t('problem.locked') : undefined}
        value={words}
        onChange={event => setWords(event.target.value)}
      />
      <div className="row wrap rescue-acts">
        <Button variant="plain" onClick={onAnother}>
          {t('take.another')}
        </Button>
        <Button variant="primary" type="submit" busy={busy}>
          {t('take.act')}
        </Button>
      </div>
    </form>
  );
}

function Opened({ unlocked, onDone }: { unlocked: Snapshot; onDone: () => void }) {
  const { t } = useTranslation('rescue');
  const { user } = useSignedIn();
  const { contents } = unlocked;
  const { owner, madeAt, entries, files, conflicts } = contents;
  const changes = entries.filter(({ operation }) => operation !== 'upload').length;
  const held = [
    changes > 0 && t('take.things', { count: changes }),
    files.length > 0 && t('take.photos', { count: files.length }),
    conflicts.length > 0 && t('take.conflicts', { count: conflicts.length }),
  ].filter(Boolean);
  return (
    <div className="stack rescue-form">
      <div>
        <p className="strong rescue-name">{t('take.of', { email: owner.email })}</p>
        <p className="muted sm num">{t('take.at', { when: exactly(madeAt) })}</p>
        <p className="num">{held.length > 0 ? held.join(' · ') : t('take.empty')}</p>
      </div>
      {held.length > 0 && owner.id === user.id && <Mine unlocked={unlocked} onDone={onDone} />}
      {held.length > 0 && owner.id !== user.id && <Theirs unlocked={unlocked} onDone={onDone} />}
    </div>
  );
}

type ActProps = { unlocked: Snapshot; onDone: () => void };

/** Runs the one act of this step; what goes wrong is said in its place. */
function useAct(act: () => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ProblemKey | null>(null);
  const run = () => {
    setBusy(true);
    setProblem(null);
    act()
      .catch((error: unknown) => setProblem(rescueProblem(error)))
      .finally(() => setBusy(false));
  };
  return { busy, problem, run };
}

function Mine({ unlocked, onDone }: ActProps) {
  const { t } = useTranslation('rescue');
  const { engine } = useSignedIn();
  const { busy, problem, run } = useAct(async () => {
    const { entries, files, conflicts } = await engine.rescue.take(unlocked);
    toast({ title: t(entries + files + conflicts > 0 ? 'take.taken' : 'take.takenNone') });
    onDone();
  });
  return (
    <>
      {problem && <Banner tone="bad" title={t(`problem.${problem}`)} />}
      <p className="muted sm">{t('take.mineText')}</p>
      <Button variant="primary" busy={busy} onClick={run}>
        {t('take.mine')}
      </Button>
    </>
  );
}

/** An administrator takes over what is work of the organisation they look at; nobody else takes anything. */
function Theirs({ unlocked, onDone }: ActProps) {
  const { t } = useTranslation('rescue');
  const { engine } = useSignedIn();
  const { organization, may } = useSpace();
  const { organizations, owner, files } = unlocked.contents;
  const isOurs = organizations.some(({ id, isPrivate }) => id === organization.id && !isPrivate);
  const { busy, problem, run } = useAct(async () => {
    const {
      accepted: taken,
      known,
      refused,
      files: came,
    } = await engine.rescue.submitOnBehalf(unlocked, organization.id);
    const counts = { taken, known: known.length, refused: refused.length };
    const left = files.filter(({ organizationId }) => organizationId === organization.id).length - came;
    const text = [t('take.broughtText', counts), ...(left > 0 ? [t('take.notBrought', { count: left })] : [])].join(
      ' ',
    );
    toast({ title: t('take.brought'), description: text, ...(left > 0 && { tone: 'bad' as const }) });
    onDone();
  });
  if (!isOurs || !may('orphaned_edits.review'))
    return (
      <Banner tone="warn" title={t('take.notYours', { email: owner.email })}>
        {t('take.notYoursText')}
      </Banner>
    );
  return (
    <>
      {problem && <Banner tone="bad" title={t(`problem.${problem}`)} />}
      <Banner title={t('take.theirs')}>{t('take.theirsText', { organization: organization.name })}</Banner>
      <Button variant="primary" busy={busy} onClick={run}>
        {t('take.bring')}
      </Button>
    </>
  );
}
