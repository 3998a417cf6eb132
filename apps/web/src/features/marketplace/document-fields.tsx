import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PackContents } from '@cairn/core/marketplace/pack-contents.ts';
import { withDocument, withoutDocument, type PackPart } from '@cairn/core/marketplace/pack-writing.ts';
import { Accordion, type AccordionItem } from '@cairn/ui/layout/accordion.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormPreview } from './pack-documents.tsx';

/** Draws the field for a text in Markdown, with its preview. */
export type RenderMarkdown = (body: string, onChange: (body: string) => void) => ReactNode;
type Props = { contents: PackContents; onChange: (contents: PackContents) => void; renderWords: RenderMarkdown };
type FieldProps<D> = { document: D; onChange: (document: D) => void };

/** Every document of a draft, each to be opened, written and taken out. */
export function DocumentFields({ contents, onChange, renderWords }: Props) {
  const { t } = useTranslation('marketplace');
  const fold = (part: PackPart, key: string, title: string, fields: ReactNode): AccordionItem => ({
    value: `${part}/${key}`,
    title: title.trim() === '' ? key : title,
    detail: t(`kinds.${KIND_OF[part]}`),
    content: (
      <div className="stack market-stack">
        {fields}
        <div className="row">
          <Button variant="plain" onClick={() => onChange(withoutDocument(contents, part, key))}>
            {t('write.takeOut')}
          </Button>
        </div>
      </div>
    ),
  });
  const folds = [
    ...contents.policies.map(policy =>
      fold(
        'policies',
        policy.key,
        policy.title,
        <PolicyFields
          document={policy}
          onChange={next => onChange(withDocument(contents, 'policies', next))}
          renderWords={renderWords}
        />,
      ),
    ),
    ...contents.forms.map(form =>
      fold(
        'forms',
        form.key,
        form.name,
        <FormFields document={form} onChange={next => onChange(withDocument(contents, 'forms', next))} />,
      ),
    ),
    ...contents.tasks.map(task =>
      fold(
        'tasks',
        task.key,
        task.title,
        <TaskFields document={task} onChange={next => onChange(withDocument(contents, 'tasks', next))} />,
      ),
    ),
  ];
  return <Accordion folds={folds} level={3} />;
}

const KIND_OF = { policies: 'policy', forms: 'form', tasks: 'task' } as const;

type Policy = PackContents['policies'][number];

function PolicyFields({ document, onChange, renderWords }: FieldProps<Policy> & { renderWords: RenderMarkdown }) {
  const { t } = useTranslation('marketplace');
  return (
    <>
      <Input
        label={t('write.title')}
        maxLength={180}
        value={document.title}
        onChange={event => onChange({ ...document, title: event.target.value })}
      />
      <Textarea
        label={t('write.summary')}
        maxLength={800}
        value={document.summary ?? ''}
        onChange={event => onChange({ ...document, summary: event.target.value })}
      />
      {renderWords(document.body, body => onChange({ ...document, body }))}
    </>
  );
}

function FormFields({ document, onChange }: FieldProps<PackContents['forms'][number]>) {
  const { t } = useTranslation('marketplace');
  return (
    <>
      <Input
        label={t('write.title')}
        maxLength={180}
        value={document.name}
        onChange={event => onChange({ ...document, name: event.target.value })}
      />
      <Textarea
        label={t('write.summary')}
        maxLength={2000}
        value={document.description ?? ''}
        onChange={event => onChange({ ...document, description: event.target.value })}
      />
      <FormPreview definition={document.definition} words={text => text} />
      <p className="sm muted">{t('write.questions')}</p>
    </>
  );
}

function TaskFields({ document, onChange }: FieldProps<PackContents['tasks'][number]>) {
  const { t } = useTranslation('marketplace');
  return (
    <>
      <Input
        label={t('write.title')}
        maxLength={280}
        value={document.title}
        onChange={event => onChange({ ...document, title: event.target.value })}
      />
      <Textarea
        label={t('write.notes')}
        maxLength={10_000}
        value={document.notes ?? ''}
        onChange={event => onChange({ ...document, notes: event.target.value })}
      />
    </>
  );
}
