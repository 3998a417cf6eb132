import { Link } from '@tanstack/react-router';
import { ProvenanceLine } from '../../features/marketplace/provenance-line.tsx';

/** Where a policy came from, where it came from a pack. */
export function ProvenanceOf({ targetId }: { targetId: string }) {
  return (
    <ProvenanceLine
      targetId={targetId}
      renderPack={(packId, face) => (
        <Link to="/policy-marketplace/$packId" params={{ packId }} className="link tap">
          {face}
        </Link>
      )}
    />
  );
}
