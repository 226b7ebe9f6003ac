import { Group, NativeSelect, TextInput } from '@mantine/core';
import { Ban, CircleCheck, Clock, Plus } from 'lucide-react';
import { change, path } from '../api/client';
import type { OperatorView, OperatorWithPassword, Role } from '../api/shapes';
import type { Column } from '../design/data-table';
import { ActionButton } from '../design/dialog';
import { PageHead } from '../design/layout';
import { ListPanel } from '../design/list-panel';
import { Chip } from '../design/state';
import { Moment } from '../design/time';
import { useSession } from '../session/session';

const ROLES: readonly { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer: sees everything but personal data' },
  { value: 'operator', label: 'Operator: also changes accounts, submissions, queues' },
  { value: 'admin', label: 'Admin: also suppliers, keys and operators' },
];

const OPERATORS = ['operators'] as const;

const ONE_TIME_PASSWORD = {
  label: 'One-time password',
  of: (issued: OperatorWithPassword) => issued.one_time_password,
  note: 'It is valid for 7 days and for one login, at which the operator chooses a password.',
};

/** Who may use the console. */
export function OperatorsPage() {
  const { operator: me } = useSession();
  return (
    <>
      <PageHead title="Operators" actions={<CreateOperator />} />
      <ListPanel
        title="All operators"
        queryKey={OPERATORS}
        url="/operators"
        columns={columnsFor(me.name)}
        rowId={({ name }) => name}
      />
    </>
  );
}

const columnsFor = (me: string): readonly Column<OperatorView>[] => [
  {
    header: 'Name',
    isRowHeader: true,
    cell: ({ name }) => (
      <>
        {name} {name === me && <span className="muted small">(you)</span>}
      </>
    ),
  },
  { header: 'Role', cell: ({ role }) => role },
  {
    header: 'State',
    cell: ({ is_disabled: isDisabled, must_change_password: isNew }) => {
      if (isDisabled) return <Chip tone="calm" icon={Ban} label="Disabled" />;
      return isNew ? (
        <Chip tone="warn" icon={Clock} label="One-time password" />
      ) : (
        <Chip tone="good" icon={CircleCheck} label="Enabled" />
      );
    },
  },
  {
    header: 'Signs in with',
    cell: ({ sign_in: method, has_totp: hasTotp }) =>
      method === 'openid-connect' ? 'OpenID Connect' : hasTotp ? 'Password and code' : 'Password',
  },
  { header: 'Last login', cell: ({ last_login_at: at }) => <Moment at={at} missing="never" /> },
  {
    header: 'Actions',
    cell: (operator) => <OperatorActions operator={operator} isMe={operator.name === me} />,
  },
];

function OperatorActions({ operator, isMe }: { operator: OperatorView; isMe: boolean }) {
  const { name, role, is_disabled: isDisabled, sign_in: method } = operator;
  const patch = async (body: { role?: Role; is_disabled?: boolean }) =>
    change<OperatorView>('PATCH', path('operators', name), body);
  if (isMe) return <span className="muted small">Under “My account”</span>;
  return (
    <Group gap="xs" wrap="nowrap">
      <ActionButton
        label="Set role"
        title={`Set the role of ${name}`}
        confirmLabel="Set role"
        run={async ({ role: chosen }) => patch({ role: chosen as Role })}
        renews={[OPERATORS]}
        announce={({ role: now }) => `${name} is ${now} now.`}
      >
        <NativeSelect label="Role" data={[...ROLES]} name="role" defaultValue={role} />
        <p>It holds from the next request of every session of {name}.</p>
      </ActionButton>
      {method === 'password' && (
        <ActionButton
          label="Reset password"
          title={`Reset the password of ${name}`}
          confirmLabel="Reset password"
          run={async () => change<OperatorWithPassword>('POST', `${path('operators', name)}/reset-password`)}
          renews={[OPERATORS]}
          secret={ONE_TIME_PASSWORD}
        >
          <p>Ends all sessions of {name} and gives a one-time password, which is shown once.</p>
        </ActionButton>
      )}
      {isDisabled ? (
        <ActionButton
          key="Enable"
          label="Enable"
          title={`Enable ${name}`}
          confirmLabel="Enable"
          run={async () => patch({ is_disabled: false })}
          renews={[OPERATORS]}
          announce={() => `${name} can sign in.`}
        >
          <p>{name} can sign in again.</p>
        </ActionButton>
      ) : (
        <ActionButton
          key="Disable"
          label="Disable"
          title={`Disable ${name}`}
          confirmLabel="Disable"
          isDangerous
          typed={{ expected: name, what: 'The name of the operator.' }}
          run={async () => patch({ is_disabled: true })}
          renews={[OPERATORS]}
          announce={() => `${name} cannot sign in any more.`}
        >
          <p>Ends all sessions of {name}, who cannot sign in any more.</p>
        </ActionButton>
      )}
    </Group>
  );
}

function CreateOperator() {
  return (
    <ActionButton
      label="Create operator"
      icon={Plus}
      variant="filled"
      title="Create an operator"
      confirmLabel="Create"
      run={async (fields) => change<OperatorWithPassword>('POST', '/operators', fields)}
      renews={[OPERATORS]}
      secret={ONE_TIME_PASSWORD}
    >
      <TextInput label="Name" description="The audit shows it." required autoCapitalize="none" name="name" />
      <NativeSelect label="Role" data={[...ROLES]} name="role" />
    </ActionButton>
  );
}
