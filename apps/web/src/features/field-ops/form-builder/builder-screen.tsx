import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formBuilt, type FormInProgress } from '@cairn/core/forms/draft/form-draft.ts';
import type { FormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import { findNode } from '@cairn/core/forms/draft/form-outline.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonHeading, SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { BuilderPreview } from './builder-preview.tsx';
import { BuilderTop } from './builder-top.tsx';
import { Elsewhere, Problems } from './builder-notices.tsx';
import { EditorPane, type Pane } from './editor-pane.tsx';
import { OutlinePane } from './outline-pane.tsx';
import { useBuilder } from './use-builder.ts';
import './builder.css';

type Props = { formId: string; backLink: ReactNode; onClose: () => void };

/** A form being built: its questions in order, beside them whichever is being edited. */
export function BuilderScreen({ formId, backLink, onClose }: Props) {
  const { t } = useTranslation('builder');
  const { may } = useSpace();
  const built = useLive(formBuilt(formId));
  if (built.status === 'loading') {
    return (
      <div className="forms-page">
        <SkeletonHeading label={t('loading')} />
        <SkeletonRows label={t('loading')} />
      </div>
    );
  }
  if (!built.answer) return <Stopped title={t('missing')} text={t('missingText')} backLink={backLink} />;
  if (!may('form.manage')) return <Stopped title={t('notAllowed')} text={t('notAllowedText')} backLink={backLink} />;
  const { definition } = built.answer;
  if (!definition) return <Stopped title={t('unreadable')} text={t('unreadableText')} backLink={backLink} />;
  return <Loaded key={formId} built={built.answer} definition={definition} onClose={onClose} />;
}

function Stopped({ title, text, backLink }: { title: string; text: string; backLink: ReactNode }) {
  return (
    <EmptyState level={1} title={title} action={backLink}>
      {text}
    </EmptyState>
  );
}

type LoadedProps = { built: FormInProgress; definition: FormDefinition; onClose: () => void };

function Loaded({ built, definition, onClose }: LoadedProps) {
  const builder = useBuilder(built, definition);
  const { outline, problems, checked } = builder;
  const [chosen, setPane] = useState<Pane | null>(null);
  // What was edited may be gone: deleted, or another version of the form came in its place.
  const pane = chosen?.kind === 'node' && !findNode(outline, chosen.key) ? null : chosen;
  const [previewing, setPreviewing] = useState(false);
  if (previewing && checked.compiled) {
    return <BuilderPreview compiled={checked.compiled} onClose={() => setPreviewing(false)} />;
  }
  return (
    <div className={`builder${pane ? ' is-editing' : ''}`}>
      <BuilderTop
        built={built}
        builder={builder}
        onPreview={checked.compiled ? () => setPreviewing(true) : null}
        onGone={onClose}
        onClose={onClose}
      />
      {builder.save === 'elsewhere' && <Elsewhere built={built} builder={builder} />}
      <div className="builder-body">
        <div className="builder-side">
          <Problems
            problems={problems}
            outline={outline}
            onOpen={key => setPane(key === null ? { kind: 'add', spot: null } : { kind: 'node', key, isNew: false })}
          />
          <OutlinePane builder={builder} pane={pane} setPane={setPane} />
        </div>
        <EditorPane builder={builder} pane={pane} setPane={setPane} />
      </div>
    </div>
  );
}
