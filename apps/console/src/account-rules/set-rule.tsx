import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../design/dialog';

/** Sets one setting of the account rules; an empty value restores its default. */
export function SetRule(props: {
  /** Undefined: the operator types the name. */
  names?: readonly string[];
  /** What the setting is of. */
  subject: string;
  run: (name: string, value: string | null) => Promise<unknown>;
}) {
  const [chosen, setName] = useState('');
  const [value, setValue] = useState('');
  const name = chosen === '' ? (props.names?.[0] ?? '') : chosen;
  return (
    <ActionButton
      label="Set rule"
      title={`Set a rule of ${props.subject}`}
      confirmLabel="Set rule"
      run={async () => props.run(name, value === '' ? null : value)}
      onDone={() => {
        setValue('');
        return undefined;
      }}
    >
      {props.names ? (
        <NativeSelect
          label="Setting"
          data={[...props.names]}
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
          }}
        />
      ) : (
        <TextInput
          label="Setting"
          description="Its name in the documentation of the rules. A name that does not exist is refused with the list."
          required
          withAsterisk={false}
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
          }}
        />
      )}
      <TextInput
        label="Value"
        description="Such as true, false, a number or a code. Empty: the default."
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={({ currentTarget }) => {
          setValue(currentTarget.value);
        }}
      />
      <p>It holds for accounts that arrive from now on, and for those that wait.</p>
    </ActionButton>
  );
}
