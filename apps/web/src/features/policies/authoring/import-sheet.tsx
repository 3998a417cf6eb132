import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { linkNamedControls } from '@cairn/core/controls/take-framework.ts';
import { importPolicy, type ImportedPolicy } from '@cairn/core/policies/import-policy.ts';
import { writePolicy } from '@cairn/core/policies/write-policy.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { FileDrop } from '@cairn/ui/controls/file-drop.tsx';
import { List, Row } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { textOfFile } from '../../../shared/files/unless-stalled.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { MeantFrameworks, useMeantFrameworks } from './meant-frameworks.tsx';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';

/** Bytes of one file: four for each character a policy may have. */
const MAX_BYTES = 1_600_000;

type ReadFile = { id: string; name: string; result: ImportedPolicy };

/** Markdown files become drafts: choose them, see what was understood, then keep them. */
export function ImportSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('policyAuthoring');
  const [read, setRead] = useState<readonly ReadFile[]>([]);
  const reading = useAction(async (files: File[]) => {
    const found = await Promise.all(
      files.map(async file => ({
        id: newId(),
        name: file.name,
        result: importPolicy(await textOfFile(file), file.name),
      })),
    );
    setRead(before => [...before, ...found]);
  });
  const refuse = (names: string[]) =>
    setRead(before => [
      ...before,
      ...names.map(name => ({ id: newId(), name, result: { ok: false, problem: 'too_large' } as const })),
    ]);
  const good = read.filter(({ result }) => result.ok);
  const meant = useMeantFrameworks(good.flatMap(({ result }) => (result.ok ? result.satisfies : [])));
  const keeping = useKeeping(onClose, meant.chosen);
  const failure = reading.failure ?? keeping.failure;
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('bring.title')}
      closeLabel={t('close')}
      actions={
        good.length > 0 && (
          <Button variant="primary" busy={keeping.busy} onClick={() => keeping.run(good)}>
            {t('bring.act', { count: good.length })}
          </Button>
        )
      }
    >
      <div className="parts">
        <FileDrop
          label={t('bring.pick')}
          hint={t('bring.hint')}
          accept=".md,.markdown,.txt,text/markdown,text/plain"
          maxBytes={MAX_BYTES}
          onFiles={reading.run}
          onRefused={refused => {
            const files = refused.map(({ file }) => file);
            refuse(files.filter(({ size }) => size > MAX_BYTES).map(({ name }) => name));
            // What another one is, is told by reading it.
            const others = files.filter(({ size }) => size <= MAX_BYTES);
            if (others.length > 0) reading.run(others);
          }}
        />
        {good.length > 0 && (
          <List>
            {good.map(({ id, name, result }) => (
              <Row
                key={id}
                title={result.ok ? result.title : name}
                detail={result.ok ? <Notes result={result} /> : name}
              />
            ))}
          </List>
        )}
        <MeantFrameworks {...meant} />
        {read.map(
          ({ id, name, result }) =>
            !result.ok && (
              <Banner key={id} tone="bad" title={t('bring.refused', { name })}>
                {t(`bring.problem.${result.problem}`)}
              </Banner>
            ),
        )}
        <FailureLine failure={failure} />
      </div>
    </Sheet>
  );
}

function Notes({ result }: { result: Extract<ImportedPolicy, { ok: true }> }) {
  const { t } = useTranslation('policyAuthoring');
  const { satisfies } = result;
  const answers =
    satisfies.length > 0 ? t('bring.satisfies', { names: satisfies.map(({ name }) => name).join(', ') }) : null;
  return (
    <>{[result.code, answers, ...result.notes.map(note => t(`bring.note.${note}`))].filter(Boolean).join(' · ')}</>
  );
}

function useKeeping(onDone: () => void, chosen: ReadonlyMap<string, string | null>) {
  const { t } = useTranslation('policyAuthoring');
  const { organization, userId } = useSpace();
  const organizationId = organization.id;
  const store = useStore();
  return useAction(async (read: readonly ReadFile[]) => {
    for (const { id, result } of read) {
      if (!result.ok) continue;
      const { title, code, body, changelog, satisfies: names } = result;
      const facts = {
        summary: '',
        classification: 'internal',
        reviewMonths: 12,
        source: 'markdown',
        by: userId,
      } as const;
      // Each for itself: one that is refused holds no other up.
      await store.write(
        'policies.import',
        async tx => {
          await writePolicy(tx, { id, organizationId, title, code, body, changelog, ...facts });
          await linkNamedControls(tx, { organizationId, names, chosen, target: { table: 'policies', id } });
        },
        { together: true },
      );
    }
    toast({ title: t('bring.done', { count: read.length }) });
    onDone();
  });
}
