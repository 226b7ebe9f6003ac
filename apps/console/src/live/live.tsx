import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { queryClient } from '../api/query-client';
import type { Schemas } from '../api/shapes';

/** `polling`: the stream cannot be opened, so that pages read at intervals. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'polling';

interface Live {
  state: LiveState;
  /** Asks for the events of a topic until the returned function is called. */
  listen: (topic: string) => () => void;
}

const LiveContext = createContext<Live>({ state: 'connecting', listen: () => () => undefined });

const REOPEN_MS = 10_000;
const POLL_MS = 5_000;

/** The key of the query whose content the events of a topic have: `['supplier', 'DEMO']` for `supplier:DEMO`. */
function keyOf(topic: string): readonly string[] {
  const colon = topic.indexOf(':');
  return colon < 0 ? [topic] : [topic.slice(0, colon), topic.slice(colon + 1)];
}

/** Keeps one stream of server-sent events for all pages, with the topics that the shown page needs. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<LiveState>('connecting');
  const [topics, setTopics] = useState<readonly string[]>([]);
  const [attempt, setAttempt] = useState(0);
  const wanted = [...new Set(topics)].sort().join();

  useEffect(() => {
    const names = ['overview', ...(wanted === '' ? [] : wanted.split(','))];
    const source = new EventSource(`/operator/v1/live?topics=${encodeURIComponent(names.join())}`);
    let reopening: ReturnType<typeof setTimeout> | undefined;
    source.onopen = () => {
      setState('live');
    };
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) {
        setState('reconnecting');
        return;
      }
      // The API refused the stream. One read tells whether the session has ended.
      setState('polling');
      void queryClient.invalidateQueries({ queryKey: ['session'] });
      reopening = setTimeout(() => {
        setAttempt((count) => count + 1);
      }, REOPEN_MS);
    };
    // The content of a topic is that of the query of the same name.
    for (const topic of names)
      source.addEventListener(topic, ({ data }: MessageEvent<string>) => {
        queryClient.setQueryData(keyOf(topic), JSON.parse(data));
      });
    source.addEventListener('end', ({ data }: MessageEvent<string>) => {
      const { reason } = JSON.parse(data) as Schemas['LiveEnd'];
      // After any other reason the browser opens the stream again.
      if (reason === 'session_ended') void queryClient.invalidateQueries({ queryKey: ['session'] });
    });
    return () => {
      clearTimeout(reopening);
      source.close();
    };
  }, [wanted, attempt]);

  const live = useMemo<Live>(
    () => ({
      state,
      listen: (topic) => {
        setTopics((all) => [...all, topic]);
        return () => {
          setTopics((all) => {
            const index = all.indexOf(topic);
            return all.filter((_, place) => place !== index);
          });
        };
      },
    }),
    [state],
  );
  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>;
}

export const useLiveState = (): LiveState => useContext(LiveContext).state;

/** Renews the queries of a topic such as `supplier:DEMO`, whose keys start with `['supplier', 'DEMO']`, by its events. */
export function useLiveTopic(topic: string): void {
  const { listen } = useContext(LiveContext);
  useEffect(() => listen(topic), [listen, topic]);
}

/** The interval at which a query that the stream renews is read without it. */
export function usePolling(): number | false {
  return useLiveState() === 'live' ? false : POLL_MS;
}
