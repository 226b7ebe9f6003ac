import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '../api/api-error';
import { change } from '../api/client';
import { queryClient } from '../api/query-client';
import { Note } from '../design/feedback';
import { type Fields, Form } from '../design/form';
import { sessionQuery } from './session';

const MIN_LENGTH = 12;

/** Changes the operator's own password. */
export function PasswordForm(props: { currentLabel: string; onDone: () => void }) {
  const [differs, setDiffers] = useState(false);
  const save = useMutation({
    mutationFn: async ({ current, next }: Fields) =>
      change('POST', '/session/password', { current_password: current, new_password: next }),
    // The token of the session may be a new one.
    onSuccess: async () => queryClient.query({ ...sessionQuery, staleTime: 0 }),
  });
  return (
    <Form
      onChange={({ next, repeated }) => {
        setDiffers(repeated !== '' && repeated !== next);
      }}
      onSubmit={(fields, form) => {
        if (fields['next'] !== fields['repeated']) return;
        save.mutate(fields, {
          onSuccess: () => {
            form.reset();
            props.onDone();
          },
        });
      }}
    >
      {save.error && <Note tone="bad">{describeError(save.error).detail}</Note>}
      <PasswordInput label={props.currentLabel} name="current" autoComplete="current-password" />
      <PasswordInput
        label="New password"
        description={`At least ${MIN_LENGTH} characters. A few unrelated words are a good password.`}
        name="next"
        autoComplete="new-password"
        minLength={MIN_LENGTH}
      />
      <PasswordInput
        label="New password again"
        name="repeated"
        autoComplete="new-password"
        error={differs ? 'The two passwords differ.' : undefined}
      />
      <Button type="submit" size="sm" loading={save.isPending} disabled={differs}>
        Change password
      </Button>
    </Form>
  );
}
