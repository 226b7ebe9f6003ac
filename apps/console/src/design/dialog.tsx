import {
  Button,
  type ButtonProps,
  Code,
  Group,
  Modal,
  Stack,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { type QueryKey, useMutation } from '@tanstack/react-query';
import { Copy, type LucideIcon } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { renew } from '../api/query-client';
import { Failure, Note, useNotify } from './feedback';
import { type Fields, Form } from './form';

/** Moves the focus to the content of the page, where the element that had it has gone. */
function focusContent(): void {
  document.querySelector('main')?.focus({ preventScroll: true });
}

/** A dialog that keeps the focus inside and gives it back when it closes. */
export function Dialog(props: { title: string; isOpen: boolean; onClose: () => void; children: ReactNode }) {
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      onExitTransitionEnd={() => {
        if (document.activeElement === document.body) focusContent();
      }}
      title={props.title}
      size="34rem"
    >
      <Stack gap="sm">{props.children}</Stack>
    </Modal>
  );
}

/** The field in which the operator types what a dangerous action affects. */
export function TypedConfirmation(props: {
  expected: string;
  what: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <TextInput
      label={
        <>
          Type <b>{props.expected}</b> to confirm
        </>
      }
      description={props.what}
      value={props.value}
      onChange={({ currentTarget }) => {
        props.onChange(currentTarget.value);
      }}
    />
  );
}

interface ActionButtonProps<T> {
  label: string;
  icon?: LucideIcon;
  title: string;
  confirmLabel: string;
  /** What the action does, and what it does not; or the fields of what it creates, by their names. */
  children: ReactNode;
  /** What the operator has to type, and its name. */
  typed?: { expected: string; what: string };
  isDangerous?: boolean;
  variant?: ButtonProps['variant'];
  run: (fields: Fields) => Promise<T>;
  /** How far the action is, and where it stopped. */
  progress?: string;
  /** The keys of the queries that the action changes. They are read again. */
  renews?: readonly QueryKey[];
  /** The sentence that announces the outcome. */
  announce?: (result: T) => string;
  onDone?: (result: T) => void;
  /** The secret that the action has made, and what the operator has to know about it. */
  secret?: { label: string; of: (result: T) => string; note: string };
}

/**
 * A button whose action is confirmed in a dialog. Two that replace each other need keys: otherwise the outcome of one is
 * announced by the other, if the page learns of the change before the answer arrives.
 */
export function ActionButton<T>(props: ActionButtonProps<T>) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const notify = useNotify();
  const button = useRef<HTMLButtonElement>(null);
  // The action may replace its own button, which has the focus.
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (own !== null && own === document.activeElement) setTimeout(focusContent);
    };
  }, []);
  const action = useMutation({
    mutationFn: props.run,
    onSuccess: (result) => {
      setOpen(false);
      renew(...(props.renews ?? []));
      props.onDone?.(result);
      if (props.announce) notify(props.announce(result));
    },
  });
  const open = () => {
    action.reset();
    setTyped('');
    setOpen(true);
  };
  const color = props.isDangerous ? { color: 'red' } : {};
  return (
    <>
      <Button
        ref={button}
        variant={props.variant ?? 'default'}
        onClick={open}
        {...(props.variant === 'filled' ? color : {})}
        {...(props.icon ? { leftSection: <props.icon size={14} /> } : {})}
      >
        {props.label}
      </Button>
      <Dialog
        title={props.title}
        isOpen={isOpen}
        onClose={() => {
          setOpen(false);
        }}
      >
        <Form
          onSubmit={(fields) => {
            action.mutate(fields);
          }}
        >
          {props.children}
          {props.typed && (
            <TypedConfirmation
              expected={props.typed.expected}
              what={props.typed.what}
              value={typed}
              onChange={setTyped}
            />
          )}
          {!action.isIdle && props.progress && <p role="status">{props.progress}</p>}
          {action.error && <Failure error={action.error} />}
          <Group justify="flex-end" gap="xs">
            <Button
              variant="default"
              size="sm"
              onClick={() => {
                setOpen(false);
              }}
            >
              Cancel
            </Button>
            <Button
              type="submit"
              size="sm"
              {...color}
              loading={action.isPending}
              disabled={props.typed !== undefined && typed !== props.typed.expected}
            >
              {props.confirmLabel}
            </Button>
          </Group>
        </Form>
      </Dialog>
      {props.secret && (
        <SecretDialog
          {...props.secret}
          secret={action.data === undefined ? undefined : props.secret.of(action.data)}
          onClose={action.reset}
        />
      )}
    </>
  );
}

/** A secret that is shown once, with a button to copy it. */
function SecretDialog(props: {
  label: string;
  secret: string | undefined;
  note: string;
  onClose: () => void;
}) {
  const notify = useNotify();
  const { secret = '' } = props;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      notify('Copied.');
    } catch {
      notify('Copying is not possible here. Select the text and copy it.', 'bad');
    }
  };
  return (
    <Dialog title={props.label} isOpen={props.secret !== undefined} onClose={props.onClose}>
      <Note tone="warn">Shown once. It cannot be read again later.</Note>
      <Group className="secret">
        <VisuallyHidden>{props.label}</VisuallyHidden>
        <Code fz="md" flex={1}>
          {secret}
        </Code>
        <Button variant="default" onClick={() => void copy()} leftSection={<Copy size={14} />}>
          Copy
        </Button>
      </Group>
      <p>{props.note}</p>
      <Group justify="flex-end">
        <Button size="sm" onClick={props.onClose}>
          Done
        </Button>
      </Group>
    </Dialog>
  );
}
