/** A small chart of one value a minute, the newest on the right. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const width = 120;
  const height = 28;
  // oxlint-disable-next-line portage/no-unbounded-spread -- one number a minute, of an hour
  const most = Math.max(...values, 1);
  const step = width / Math.max(values.length, 1);
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
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
  );
}
