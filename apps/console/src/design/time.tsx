import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { formatDateTime, formatDistance, type Side } from './format';

const Now = createContext(Date.now());

/** Gives all relative times of the page one clock, which ticks each second. */
export function ClockProvider({ children }: { children: ReactNode }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1_000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return <Now.Provider value={now}>{children}</Now.Provider>;
}

export const useNow = (): number => useContext(Now);

/** A moment with date, time and the name of its zone. */
export function Moment({ at, missing = '–' }: { at: string | null | undefined; missing?: string }) {
  if (!at) return <span className="muted">{missing}</span>;
  return (
    <time className="nowrap" dateTime={at}>
      {formatDateTime(at)}
    </time>
  );
}

/** How long ago a moment was, or how far it is; the moment itself as its title. */
export function Distance(props: { at: string | null | undefined; missing?: string; side?: Side }) {
  const { at, missing = '–', side } = props;
  const now = useNow();
  if (!at) return <span className="muted">{missing}</span>;
  return (
    <time className="nowrap" dateTime={at} title={formatDateTime(at)}>
      {formatDistance(at, now, side)}
    </time>
  );
}
