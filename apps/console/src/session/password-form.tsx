import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { OctagonX } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { describeError } from '../api/api-error';
import { change } from '../api/client';
import { queryClient } from '../api/query-client';
import { sessionQuery } from './session';

const MIN_LENGTH = 12;

/** Changes the operator's own password. */
export function PasswordForm(props: { currentLabel: string; onDone: () => void }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [repeated, setRepeated] = useState('');
  const differs = repeated !== '' && repeated !== next;
  const save = useMutation({
    mutationFn: async () =>
      change('POST', '/session/password', { current_password: current, new_password: next }),
    onSuccess: async () => {
      // The token of the session may be a new one.
      await queryClient.query({ ...sessionQuery, staleTime: 0 });
      setCurrent('');
      setNext('');
      setRepeated('');
      props.onDone();
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (next === repeated) save.mutate();
  };
  const toggle = { 'aria-label': 'Show the password' };
  return (
    <form onSubmit={submit} className="form">
      {save.error && (
        <p className="note tone-bad" role="alert">
          <OctagonX size={16} /> {describeError(save.error).detail}
        </p>
      )}
      <PasswordInput
        label={props.currentLabel}
        autoComplete="current-password"
        required
        withAsterisk={false}
        visibilityToggleButtonProps={toggle}
        value={current}
        onChange={({ currentTarget }) => {
          setCurrent(currentTarget.value);
        }}
      />
      <PasswordInput
        label="New password"
        description={`At least ${MIN_LENGTH} characters. A few unrelated words are a good password.`}
        autoComplete="new-password"
        minLength={MIN_LENGTH}
        required
        withAsterisk={false}
        visibilityToggleButtonProps={toggle}
        value={next}
        onChange={({ currentTarget }) => {
          setNext(currentTarget.value);
        }}
      />
      <PasswordInput
        label="New password again"
        autoComplete="new-password"
        required
        withAsterisk={false}
        visibilityToggleButtonProps={toggle}
        error={differs ? 'The two passwords differ.' : undefined}
        value={repeated}
        onChange={({ currentTarget }) => {
          setRepeated(currentTarget.value);
        }}
      />
      <Button type="submit" size="sm" loading={save.isPending} disabled={differs}>
        Change password
      </Button>
    </form>
  );
}
