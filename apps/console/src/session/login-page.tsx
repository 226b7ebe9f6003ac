import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { describeError, hasCode } from '../api/api-error';
import { Note } from '../design/feedback';
import { type Fields, Form } from '../design/form';
import { ColorSchemeSwitch } from '../layout/color-scheme-switch';
import { Door } from './door';
import { useGoToNextPage } from './next-page';
import { signIn, signInMethodsQuery } from './session';

const route = getRouteApi('/login');

/** Signs an operator in: name and password, the code of an authenticator if the operator has one, or OpenID Connect. */
export function LoginPage() {
  const { next, reason, error } = route.useSearch();
  const methods = useQuery(signInMethodsQuery);
  const navigate = useNavigate();
  const goTo = useGoToNextPage();
  const [needsCode, setNeedsCode] = useState(false);
  const login = useMutation({
    mutationFn: signIn,
    onSuccess: async ({ operator }) => {
      if (operator.must_change_password) await navigate({ to: '/change-password', search: { next } });
      else goTo(next);
    },
    onError: (error) => {
      if (hasCode(error, 'totp_required')) setNeedsCode(true);
    },
  });
  const submit = ({ name = '', password = '', totp }: Fields) => {
    login.mutate({ name, password, ...(totp === undefined ? {} : { totp: totp.replaceAll(' ', '') }) });
  };
  const isCodeMissing = hasCode(login.error, 'totp_required') && !login.variables?.totp;
  const openId = methods.data?.openid_connect;

  return (
    <Door
      title="Sign in to Portage"
      detail="The operator console of this installation."
      below={<ColorSchemeSwitch />}
    >
      {reason === 'expired' && !login.error && (
        <Note tone="warn">Your session has ended. Sign in to go on where you were.</Note>
      )}
      {error === 'openid-connect' && !login.error && (
        <Note tone="bad">
          Portage did not accept the sign-in of your provider. An operator needs a role there and a name that
          no other operator has.
        </Note>
      )}
      {login.error && !isCodeMissing && <Note tone="bad">{describeError(login.error).detail}</Note>}
      <Form onSubmit={submit}>
        {methods.data?.password !== false && (
          <>
            <TextInput label="Name" name="name" autoComplete="username" autoCapitalize="none" required />
            <PasswordInput label="Password" name="password" autoComplete="current-password" />
            {needsCode && (
              <TextInput
                label="Code of your authenticator"
                description="Six digits, from the app that you enrolled."
                name="totp"
                inputMode="numeric"
                autoComplete="one-time-code"
                ref={(input: HTMLInputElement | null) => {
                  input?.focus();
                }}
                required
              />
            )}
            <Button type="submit" size="sm" fullWidth loading={login.isPending}>
              Sign in
            </Button>
          </>
        )}
        {openId && (
          <Button
            component="a"
            href={`${openId.start_url}?next=${encodeURIComponent(next ?? '/console/')}`}
            variant="default"
            size="sm"
            fullWidth
            leftSection={<ShieldCheck size={16} />}
          >
            Sign in with {openId.name}
          </Button>
        )}
      </Form>
    </Door>
  );
}
