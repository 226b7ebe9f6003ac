import {
  Affix,
  Alert,
  Box,
  Button,
  EmptyState,
  Notification,
  Skeleton,
  Stack,
  VisuallyHidden,
} from '@mantine/core';
import { CircleAlert, CircleCheck, type LucideIcon, OctagonX, RefreshCw, TriangleAlert } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { describeError } from '../api/api-error';
import { colorOf } from './state';

/** Why a place is empty, and what fills it. */
export function Empty(props: { icon: LucideIcon; title: string; children?: ReactNode }) {
  return (
    <EmptyState p="xl" size="sm" icon={<props.icon />} title={props.title} description={props.children} />
  );
}

const NOTE_ICONS = { good: CircleCheck, busy: CircleAlert, warn: TriangleAlert, bad: OctagonX } as const;

/** A sentence that the operator should not miss: an alert if it is bad, otherwise a state. */
export function Note({ tone, children }: { tone: keyof typeof NOTE_ICONS; children: ReactNode }) {
  const Icon = NOTE_ICONS[tone];
  return (
    <Alert role={tone === 'bad' ? 'alert' : 'status'} color={colorOf(tone)} icon={<Icon size={16} />}>
      {children}
    </Alert>
  );
}

/** What failed, with the code that the API gave, and a way to try again. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, detail, code } = describeError(error);
  return (
    <Alert color={colorOf('bad')} icon={<TriangleAlert size={20} />} title={title}>
      <p>{detail}</p>
      {code && <code>{code}</code>}
      {retry && (
        <Box mt="xs">
          <Button variant="default" onClick={retry} leftSection={<RefreshCw size={14} />}>
            Try again
          </Button>
        </Box>
      )}
    </Alert>
  );
}

/** The place of content that is being read. */
export function Loading() {
  return (
    <Stack className="loading" role="status" p="sm" gap="sm">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Skeleton h="6rem" aria-hidden="true" />
    </Stack>
  );
}

interface Read<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** Shows content that was read, or that it is being read, or why it could not be read. Old content stays during errors. */
export function Loaded<T>(props: { query: Read<T>; children: (data: T) => ReactNode }) {
  const { data, error, refetch } = props.query;
  const retry = () => void refetch();
  if (data === undefined) {
    if (error) return <Failure error={error} retry={retry} />;
    return <Loading />;
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
  const remove = (id: number) => {
    setNotices((all) => all.filter((notice) => notice.id !== id));
  };
  const notify = useCallback((text: string, tone: Notice['tone'] = 'good') => {
    const id = Date.now() + Math.random();
    setNotices((all) => [...all.slice(-3), { id, text, tone }]);
    setTimeout(() => {
      remove(id);
    }, NOTICE_MS);
  }, []);
  return (
    <Notify.Provider value={notify}>
      {children}
      <Affix position={{ bottom: 16, right: 16 }} maw="calc(100vw - 2rem)" role="status" aria-live="polite">
        {notices.map(({ id, text, tone }) => (
          <Notification
            key={id}
            className="notice"
            role="none"
            mt="xs"
            withBorder
            color={colorOf(tone)}
            closeButtonProps={{ 'aria-label': 'Dismiss' }}
            onClose={() => {
              remove(id);
            }}
          >
            {text}
          </Notification>
        ))}
      </Affix>
    </Notify.Provider>
  );
}
