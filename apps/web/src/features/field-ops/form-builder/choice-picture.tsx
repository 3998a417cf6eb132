import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ImageOff, ImagePlus } from 'lucide-react';
import type { Choice } from '@cairn/core/forms/definition/form-definition.ts';
import { addFormPictures } from '@cairn/core/forms/definition/form-pictures.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { formPicture } from '../answers/form-picture.ts';
import { usePictures } from '../answers/use-choices.ts';
import '../answers/special-answers.css';

type Props = {
  choice: Choice;
  /** What the choice is called on the screen. */
  name: string;
  onChange: (next: (choice: Choice) => Choice) => void;
};

/** The picture of one answer: seen, picked, exchanged or taken away. */
export function ChoicePicture({ choice, name, onChange }: Props) {
  const { t } = useTranslation('builder');
  const store = useStore();
  const { organization } = useSpace();
  const input = useRef<HTMLInputElement>(null);
  const url = usePictures([choice]).get(choice.picture ?? '');
  const picking = useAction(async (file: File) => {
    const picture = await formPicture(file, file.name);
    const added = { organizationId: organization.id, pictures: [picture] };
    await store.write('field-ops.add-pictures', tx => addFormPictures(tx, added));
    onChange(before => ({ ...before, image: picture.name, picture: picture.id }));
  });
  return (
    <div className="choice-picture">
      <input
        ref={input}
        type="file"
        className="sr"
        tabIndex={-1}
        aria-label={t('choices.picture', { name })}
        accept="image/*"
        onChange={event => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) picking.run(file);
        }}
      />
      {url === undefined ? (
        <IconButton
          icon={ImagePlus}
          label={t('choices.picture', { name })}
          disabled={picking.busy}
          onClick={() => input.current?.click()}
        />
      ) : (
        <>
          <button
            type="button"
            className="choice-thumb-button"
            aria-label={t('choices.otherPicture', { name })}
            onClick={() => input.current?.click()}
          >
            <img className="choice-thumb" src={url} alt="" />
          </button>
          <IconButton
            icon={ImageOff}
            label={t('choices.noPicture', { name })}
            onClick={() => onChange(({ image: _image, picture: _picture, ...rest }) => rest)}
          />
        </>
      )}
      <FailureLine failure={picking.failure} />
    </div>
  );
}
