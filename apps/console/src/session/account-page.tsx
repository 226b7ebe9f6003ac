import { Box, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleDashed, ShieldCheck } from 'lucide-react';
import { renderSVG } from 'uqr';
import { change } from '../api/client';
import { queryClient } from '../api/query-client';
import type { EnrolledTotp } from '../api/shapes';
import { Failure, useNotify } from '../design/feedback';
import { type Fields, Form } from '../design/form';
import { Facts, PageHead, Panel } from '../design/layout';
import { Chip } from '../design/state';
import { Moment } from '../design/time';
import { PasswordForm } from './password-form';
import { sessionQuery, useSession } from './session';

const renewSession = async () => queryClient.query({ ...sessionQuery, staleTime: 0 });

/** The operator's own password, second factor and session. */
export function AccountPage() {
  const { operator, expires_at: end, idle_expires_at: idleEnd } = useSession();
  const notify = useNotify();
  return (
    <>
      <PageHead title="My account" detail={`${operator.name}, ${operator.role}`} />
      <div className="columns">
        <Panel title="Password">
          <PasswordForm
            currentLabel="Current password"
            onDone={() => {
              notify('The password was changed.');
            }}
          />
        </Panel>
        <Stack>
          <Panel
            title="Authenticator"
            note={
              operator.has_totp ? (
                <Chip tone="good" icon={ShieldCheck} label="In use" />
              ) : (
                <Chip tone="calm" icon={CircleDashed} label="Not in use" />
              )
            }
          >
            {operator.has_totp ? <RemoveTotp /> : <EnrolTotp />}
          </Panel>
          <Panel title="Session">
            <Facts
              facts={[
                ['Ends at the latest', <Moment key="end" at={end} />],
                ['Ends without use', <Moment key="idle" at={idleEnd} />],
              ]}
            />
          </Panel>
        </Stack>
      </div>
    </>
  );
}

function EnrolTotp() {
  const notify = useNotify();
  const enrol = useMutation({
    mutationFn: async (fields: Fields) => change<EnrolledTotp>('POST', '/session/totp', fields),
  });
  const confirm = useMutation({
    mutationFn: async ({ code = '' }: Fields) =>
      change('PUT', '/session/totp', { code: code.replaceAll(' ', '') }),
    onSuccess: async () => {
      await renewSession();
      notify('Logins need a code of your authenticator from now on. Your other sessions have ended.');
    },
  });
  if (!enrol.data)
    return (
      <Form
        onSubmit={(fields) => {
          enrol.mutate(fields);
        }}
      >
        <p className="muted">
          With an authenticator app, a stolen password is not enough to sign in: each login needs a code of
          six digits as well. To set it up, enter your password.
        </p>
        <PasswordInput label="Password" autoComplete="current-password" name="password" />
        {enrol.error && <Failure error={enrol.error} />}
        <div>
          <Button type="submit" variant="default" size="sm" loading={enrol.isPending}>
            Set up
          </Button>
        </div>
      </Form>
    );
  const { secret, uri } = enrol.data;
  return (
    <Form
      onSubmit={(fields) => {
        confirm.mutate(fields);
      }}
    >
      <Group>
        <img
          alt="QR code of the secret, for the authenticator app"
          width={148}
          height={148}
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`}
        />
        <Box flex="1 1 12rem">
          <p>Scan the code with your app, or enter this secret:</p>
          <p className="secret-text">
            <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
          </p>
        </Box>
      </Group>
      <TextInput
        label="Code that the app shows"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        name="code"
      />
      {confirm.error && <Failure error={confirm.error} />}
      <div>
        <Button type="submit" size="sm" loading={confirm.isPending}>
          Confirm
        </Button>
      </div>
    </Form>
  );
}

function RemoveTotp() {
  const notify = useNotify();
  const remove = useMutation({
    mutationFn: async (fields: Fields) => change('DELETE', '/session/totp', fields),
    onSuccess: async () => {
      await renewSession();
      notify('Logins need no code any more.');
    },
  });
  return (
    <Form
      onSubmit={(fields) => {
        remove.mutate(fields);
      }}
    >
      <p className="muted">
        Each login needs a code of your authenticator app. To remove it, enter your password.
      </p>
      <PasswordInput label="Password" autoComplete="current-password" name="password" />
      {remove.error && <Failure error={remove.error} />}
      <div>
        <Button type="submit" variant="default" size="sm" loading={remove.isPending}>
          Remove authenticator
        </Button>
      </div>
    </Form>
  );
}
