import { useTranslation } from 'react-i18next';
import { Avatar } from '@cairn/ui/images/avatar.tsx';
import type { NearPerson } from '../../shared/server/near-server.ts';

type Props = {
  near: readonly NearPerson[];
  /** Whoever may be there at all, with their names; anybody else who says they are is not believed. */
  people: readonly { id: string; name: string }[];
};

/** Faces beside the words. */
const MAX_FACES = 3;

/** Says who else is here, and who writes; it takes no room of its own while nobody is. */
export function NearLine({ near, people }: Props) {
  const { t } = useTranslation('comments');
  const here = near.flatMap(({ id, isWriting }) => {
    const name = people.find(person => person.id === id)?.name;
    return name === undefined ? [] : [{ id, name, isWriting }];
  });
  const writers = here.filter(({ isWriting }) => isWriting);
  const [first] = writers.length > 0 ? writers : here;
  const others = (writers.length > 0 ? writers : here).length - 1;
  const key = writers.length > 0 ? ('writes' as const) : ('here' as const);
  return (
    <output className="near-line">
      {first && (
        <>
          {here.slice(0, MAX_FACES).map(({ id, name }) => (
            <Avatar key={id} name={name} />
          ))}
          <span className="sm muted">
            {others > 0
              ? t(`near.${key}More`, { name: first.name, count: others })
              : t(`near.${key}`, { name: first.name })}
          </span>
        </>
      )}
    </output>
  );
}
