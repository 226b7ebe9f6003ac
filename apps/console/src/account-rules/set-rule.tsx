import { NativeSelect, TextInput } from '@mantine/core';
import { ActionButton } from '../design/dialog';

/** Sets one setting of the account rules; an empty value restores its default. */
export function SetRule(props: {
  /** Undefined: the operator types the name. */
  names?: readonly string[];
  /** What the setting is of. */
  subject: string;
  run: (name: string, value: string | null) => Promise<unknown>;
}) {
  return (
    <ActionButton
      label="Set rule"
      title={`Set a rule of ${props.subject}`}
      confirmLabel="Set rule"
      run={async ({ name = '', value }) => props.run(name, value || null)}
    >
      {props.names ? (
        <NativeSelect label="Setting" name="name" data={[...props.names]} />
      ) : (
        <TextInput
          label="Setting"
          description="Its name in the documentation of the rules. A name that does not exist is refused with the list."
          required
          name="name"
        />
      )}
      <TextInput
        label="Value"
        description="Such as true, false, a number or a code. Empty: the default."
        name="value"
      />
      <p>It holds for accounts that arrive from now on, and for those that wait.</p>
    </ActionButton>
  );
}
