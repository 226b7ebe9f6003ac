import { Button, Group, Text } from '@mantine/core';
import { Eye, Lock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { change, path } from '../api/client';
import type { InspectedAccount, Payload, ProcessDetailView } from '../api/shapes';
import { ActionButton } from '../design/dialog';
import { Panel } from '../design/layout';

/** The payload of a process, once an operator has asked for it. */
export function PayloadPanel({ process, canRead }: { process: ProcessDetailView; canRead: boolean }) {
  return (
    <PersonalData
      title="Payload"
      closed={
        process.has_payload
          ? 'The account as the supplier sent it has personal data. Reading it is recorded in the audit with your name.'
          : 'The payload was erased.'
      }
      label="Show payload"
      note={`The audit records that you read the payload of ${process.external_account_number}.`}
      exists={process.has_payload}
      canRead={canRead}
      read={async () => {
        const url = `${path('suppliers', process.import_supplier, 'processes', process.id)}/payload`;
        return (await change<Payload>('POST', url)).payload;
      }}
    />
  );
}

/** The data of the account that was created, once an operator has asked for it. */
export function AccountDataPanel({
  process: { created },
  canRead,
}: {
  process: ProcessDetailView;
  canRead: boolean;
}) {
  if (created === null) return null;
  const { platform_account_number: number, erased_at: erasedAt } = created;
  return (
    <PersonalData
      title="Account data"
      closed={
        erasedAt === null
          ? 'The account as it is stored now has personal data. Reading it is recorded in the audit with your name.'
          : 'The personal data of the account was erased.'
      }
      label="Show account"
      note={`The audit records that you read the account ${number}.`}
      exists={erasedAt === null}
      canRead={canRead}
      read={async () => change<InspectedAccount>('POST', `${path('accounts', number)}/read`)}
    />
  );
}

function PersonalData(props: {
  title: string;
  closed: string;
  label: string;
  note: ReactNode;
  exists: boolean;
  canRead: boolean;
  read: () => Promise<unknown>;
}) {
  const [data, setData] = useState<unknown>();
  return (
    <Panel
      title={props.title}
      actions={
        data !== undefined && (
          <Button
            variant="default"
            onClick={() => {
              setData(undefined);
            }}
          >
            Hide
          </Button>
        )
      }
    >
      {data !== undefined ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls
        <pre className="payload" tabIndex={0} aria-label={props.title}>
          {JSON.stringify(data, null, 2)}
        </pre>
      ) : (
        <Group>
          <Lock size={18} />
          <Text flex="1 1 18rem">{props.closed}</Text>
          {props.exists &&
            (props.canRead ? (
              <ActionButton
                label={props.label}
                icon={Eye}
                title="Show personal data"
                confirmLabel={props.label}
                run={props.read}
                onDone={setData}
              >
                <p>{props.note}</p>
              </ActionButton>
            ) : (
              <span className="muted small">Operators can read it; viewers cannot.</span>
            ))}
        </Group>
      )}
    </Panel>
  );
}
