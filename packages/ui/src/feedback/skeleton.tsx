import './skeleton.css';
import '../layout/surface.css';
import '../layout/tile.css';

type BoneProps = {
  /** CSS sizes, e.g. "68%" and "13px". */
  width: string;
  height: string;
  round?: boolean;
};

/** One grey shape that stands where text will be. */
export function Bone({ width, height, round = false }: BoneProps) {
  return <span className={`sk${round ? ' round' : ''}`} style={{ width, height }} />;
}

const NAME_WIDTHS = ['68%', '52%', '60%', '46%', '64%'];

type RowsProps = {
  /** Read by screen readers once, e.g. "Loading inspections". */
  label: string;
  rows?: number;
  /** Draws the round tick or icon at the start. */
  start?: boolean;
};

/** A list of rows as it will stand. */
export function SkeletonRows({ label, rows = 5, start = true }: RowsProps) {
  return (
    <div className="card flush">
      <output className="sr">{label}</output>
      <ul className="list" aria-hidden="true">
        {Array.from({ length: rows }, (_, index) => (
          <li className="item" key={index}>
            {start && <Bone width="22px" height="22px" round />}
            <span className="grow">
              <Bone width={NAME_WIDTHS[index % NAME_WIDTHS.length] ?? '60%'} height="13px" />
              <Bone width="38%" height="11px" />
            </span>
            <Bone width="44px" height="12px" />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Four tiles as they will stand. */
export function SkeletonTiles({ label, tiles = 4 }: { label: string; tiles?: number }) {
  return (
    <div className="tiles">
      <output className="sr">{label}</output>
      {Array.from({ length: tiles }, (_, index) => (
        <div className="card tile" key={index} aria-hidden="true">
          <Bone width="60%" height="13px" />
          <Bone width="40%" height="30px" />
          <Bone width="70%" height="11px" />
        </div>
      ))}
    </div>
  );
}

/** A title and its line as they will stand. */
export function SkeletonHeading({ label }: { label: string }) {
  return (
    <div className="stack">
      <output className="sr">{label}</output>
      <Bone width="min(62%, 260px)" height="26px" />
      <Bone width="min(44%, 200px)" height="15px" />
    </div>
  );
}
