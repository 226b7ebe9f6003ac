import { type IconName, OUTLINES } from './outlines';

export type { IconName };

/** An icon beside a text that says the same, or the content of a control that has a label of its own. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {OUTLINES[name]}
    </svg>
  );
}
