import { Button } from '@mantine/core';
import {
  CircleCheck,
  CircleDashed,
  type LucideIcon,
  OctagonX,
  RefreshCw,
  TriangleAlert,
  X,
} from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { describeError } from '../api/api-error';

/** Why a place is empty, and what fills it. */
export function Empty(props: { icon?: LucideIcon; title: string; children?: ReactNode }) {
  const Icon = props.icon ?? CircleDashed;
  return (
    <div className="empty">
      <Icon size={26} />
      <p className="empty-title">{props.title}</p>
      {props.children && <div className="empty-text">{props.children}</div>}
    </div>
  );
}

/** What failed, with the code that the API gave, and a way to try again. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, detail, code } = describeError(error);
  return (
    <div className="failure" role="alert">
      <TriangleAlert size={20} />
      <div>
        <p className="failure-title">{title}</p>
        <p>{detail}</p>
        {code && <code>{code}</code>}
      </div>
      {retry && (
        <Button variant="default" onClick={retry} leftSection={<RefreshCw size={14} />}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** The place of content that is being read. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className="loading-line" aria-hidden="true" />
      ))}
    </div>
  );
}

interface Read<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** Shows content that was read, or that it is being read, or why it could not be read. Old content stays during errors. */
export function Loaded<T>(props: { query: Read<T>; lines?: number; children: (data: T) => ReactNode }) {
  const { data, error, refetch } = props.query;
  const retry = () => void refetch();
  if (data === undefined) {
    if (error) return <Failure error={error} retry={retry} />;
    return <Loading {...(props.lines === undefined ? {} : { lines: props.lines })} />;
  }
  return (
    <>
      {Boolean(error) && <Failure error={error} retry={retry} />}
      {props.children(data)}
    </>
  );
}

interface Notice {
  id: number;
  text: string;
  tone: 'good' | 'bad';
}

const Notify = createContext<(text: string, tone?: Notice['tone']) => void>(() => undefined);

export const useNotify = () => useContext(Notify);

const NOTICE_MS = 8_000;

/** Announces outcomes of actions, also to assistive technology. */
export function NoticeProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const remove = useCallback((id: number) => {
    setNotices((all) => all.filter((notice) => notice.id !== id));
  }, []);
  const notify = useCallback(
    (text: string, tone: Notice['tone'] = 'good') => {
      const id = Date.now() + Math.random();
      setNotices((all) => [...all.slice(-3), { id, text, tone }]);
      setTimeout(() => {
        remove(id);
      }, NOTICE_MS);
    },
    [remove],
  );
  const items = useMemo(
    () =>
      notices.map((notice) => (
        <div key={notice.id} className={`notice tone-${notice.tone}`}>
          {notice.tone === 'good' ? <CircleCheck size={18} /> : <OctagonX size={18} />}
          <span>{notice.text}</span>
          <button
            type="button"
            className="icon-button"
            aria-label="Dismiss"
            onClick={() => {
              remove(notice.id);
            }}
          >
            <X size={14} />
          </button>
        </div>
      )),
    [notices, remove],
  );
  return (
    <Notify.Provider value={notify}>
      {children}
      <div className="notices" role="status" aria-live="polite">
        {items}
      </div>
    </Notify.Provider>
  );
}
