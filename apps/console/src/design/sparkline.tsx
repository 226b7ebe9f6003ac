import { formatCount } from './format';

/** A small chart of one value for each minute of the last hour, the newest on the right, with its unit. */
export function Sparkline({ values, what }: { values: readonly number[]; what: string }) {
  const width = 120;
  const height = 28;
  // oxlint-disable-next-line portage/no-unbounded-spread -- one number a minute, of an hour
  const most = Math.max(...values, 0);
  const step = width / Math.max(values.length, 1);
  return (
    <>
      <svg
        className="sparkline"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${what} in each of the last ${values.length} minutes, at most ${formatCount(most)}`}
      >
        <line x1="0" y1={height - 0.5} x2={width} y2={height - 0.5} className="sparkline-base" />
        {values.map((value, index) => {
          if (value <= 0) return null;
          const tall = Math.max((value / most) * (height - 2), 1.5);
          // A place in time has no other identity than its index.
          return (
            <rect
              key={index}
              x={index * step}
              y={height - tall}
              width={Math.max(step - 0.5, 0.5)}
              height={tall}
            />
          );
        })}
      </svg>
      <p className="muted small">
        {most > 0 ? `Last hour, at most ${formatCount(most)} a minute` : 'None in the last hour'}
      </p>
    </>
  );
}
