import { useState } from 'react';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isFitValue } from '@cairn/base/filled-text.ts';
import { newId } from '@cairn/base/id.ts';
import {
  addVariable,
  isVariableName,
  knownVariables,
  OWN_NAME,
  removeVariable,
  setVariable,
  type PolicyVariable,
} from '@cairn/core/policies/policy-variables.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import './variables.css';

type Props = { onInsert: (name: string) => void; onClose: () => void };

const isUnfit = (value: string): boolean => value.trim() !== '' && !isFitValue(value);

/** The words of an organisation that its texts name: what each stands for, and the way into the text. */
export function VariablesSheet({ onInsert, onClose }: Props) {
  const { t } = useTranslation('policyAuthoring');
  const { organization } = useSpace();
  const found = useLive(knownVariables(organization.id));
  const known = found.status === 'ready' ? found.answer : null;
  const own = known?.variables.some(({ key }) => key === OWN_NAME) ? undefined : known?.values[OWN_NAME];
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('variables.title')}
      description={t('variables.text')}
      closeLabel={t('close')}
    >
      {known && (
        <div className="parts">
          <ul className="parts">
            {own !== undefined && (
              <li className="variable-line">
                <span className="grow">
                  <Mark name={OWN_NAME} />
                  <span className="sm muted">{own}</span>
                </span>
                <Button size="sm" onClick={() => onInsert(OWN_NAME)}>
                  {t('variables.insert')} <span className="sr">{OWN_NAME}</span>
                </Button>
              </li>
            )}
            {known.variables.map(variable => (
              <VariableLine key={variable.id} variable={variable} onInsert={() => onInsert(variable.key)} />
            ))}
          </ul>
          <NewVariable taken={known.variables.map(({ key }) => key)} />
        </div>
      )}
    </Sheet>
  );
}

const Mark = ({ name }: { name: string }) => <span className="mono sm variable-mark">{`{{${name}}}`}</span>;

function VariableLine({ variable, onInsert }: { variable: PolicyVariable; onInsert: () => void }) {
  const { t } = useTranslation('policyAuthoring');
  const store = useStore();
  const { id, key, value } = variable;
  const [typed, setTyped] = useState(value);
  const saving = useAction((next: string) => store.write('policies.variable', tx => setVariable(tx, id, next)));
  const removing = useAction(() => store.write('policies.variable-gone', tx => removeVariable(tx, id)));
  const keep = () => {
    if (typed.trim() !== value && !isUnfit(typed)) saving.run(typed);
  };
  return (
    <li className="stack">
      <div className="variable-line">
        <Mark name={key} />
        <span className="row">
          <Button size="sm" onClick={onInsert}>
            {t('variables.insert')} <span className="sr">{key}</span>
          </Button>
          <IconButton icon={Trash2} label={t('variables.remove', { name: key })} onClick={() => removing.run()} />
        </span>
      </div>
      <Input
        label={t('variables.valueOf', { name: key })}
        labelHidden
        placeholder={t('variables.none')}
        value={typed}
        maxLength={200}
        error={isUnfit(typed) ? t('variables.unfit') : undefined}
        onChange={event => setTyped(event.target.value)}
        onBlur={keep}
      />
      <FailureLine failure={saving.failure ?? removing.failure} />
    </li>
  );
}

function NewVariable({ taken }: { taken: readonly string[] }) {
  const { t } = useTranslation('policyAuthoring');
  const { organization } = useSpace();
  const store = useStore();
  const [typed, setTyped] = useState({ key: '', value: '' });
  const [tried, setTried] = useState(false);
  const adding = useAction(async (key: string, value: string) => {
    const made = { id: newId(), organizationId: organization.id, key, value };
    await store.write('policies.add-variable', tx => addVariable(tx, made));
    setTyped({ key: '', value: '' });
    setTried(false);
  });
  const nameFault = () => {
    if (!isVariableName(typed.key)) return t('variables.nameBad');
    return taken.includes(typed.key) ? t('variables.nameTaken') : undefined;
  };
  return (
    <form
      className="parts variable-new"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (nameFault() === undefined && !isUnfit(typed.value)) adding.run(typed.key, typed.value);
      }}
    >
      <Input
        label={t('variables.name')}
        hint={t('variables.nameHint')}
        value={typed.key}
        maxLength={60}
        autoCapitalize="none"
        spellCheck={false}
        error={tried ? nameFault() : undefined}
        onChange={event => setTyped({ ...typed, key: event.target.value })}
      />
      <Input
        label={t('variables.value')}
        value={typed.value}
        maxLength={200}
        error={isUnfit(typed.value) ? t('variables.unfit') : undefined}
        onChange={event => setTyped({ ...typed, value: event.target.value })}
      />
      <FailureLine failure={adding.failure} />
      <div className="row">
        <Button type="submit" icon={Plus} busy={adding.busy}>
          {t('variables.add')}
        </Button>
      </div>
    </form>
  );
}
