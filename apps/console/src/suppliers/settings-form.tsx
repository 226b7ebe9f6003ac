import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SupplierSettingsChange, SupplierSettingsView } from '../api/shapes';
import { Failure } from '../design/feedback';
import { type Fields, Form } from '../design/form';
import { minWidth } from '../design/layout';

type Settings = SupplierSettingsView;

export const MODE_LABELS: Readonly<Record<Settings['creation_mode'], string>> = {
  direct: 'Direct',
  'dry-run-first': 'Dry run first',
  staged: 'Staged until released',
};

interface Field {
  name: Exclude<keyof Settings, 'rule_settings'>;
  label: string;
  description: string;
  options?: readonly (string | { value: string; label: string })[];
  isNumber?: boolean;
}

const FIELDS: readonly Field[] = [
  {
    name: 'creation_mode',
    label: 'Creation of accounts',
    description: "Directly, after a dry run, or after an operator's release.",
    options: Object.entries(MODE_LABELS).map(([value, label]) => ({ value, label })),
  },
  {
    name: 'profile',
    label: 'Validation profile',
    description: 'The set of rules that accounts must follow.',
    options: ['core', 'gb-energy'] satisfies Settings['profile'][],
  },
  { name: 'region', label: 'Region', description: 'ISO 3166 country code, for telephone numbers.' },
  { name: 'currency', label: 'Currency', description: 'ISO 4217 code.' },
  { name: 'time_zone', label: 'Time zone', description: 'Such as Europe/London.' },
  { name: 'document_root', label: 'Document root', description: 'Its folder in the document store.' },
  {
    name: 'retain_payload_days',
    label: 'Days that payloads are kept',
    description: 'Empty: they are kept.',
    isNumber: true,
  },
  {
    name: 'max_processing_accounts',
    label: 'Accounts processed at once',
    description: 'Empty: no limit.',
    isNumber: true,
  },
  {
    name: 'v1_error_format',
    label: 'Form of errors in v1',
    description: 'How the older endpoints list errors.',
    options: ['standard', 'fields'] satisfies Settings['v1_error_format'][],
  },
];

const FLAGS = [
  { name: 'verify_documents', label: 'Verify that documents exist' },
  { name: 'reject_undocumented_fields', label: 'Reject undocumented fields' },
  { name: 'send_migration_emails', label: 'Send welcome e-mails to customers' },
  { name: 'corrections', label: 'Imported accounts can be corrected' },
  { name: 'reimport_after_erasure', label: 'Numbers of erased accounts can be imported again' },
] as const;

/** The settings with their labels, for operators who may not change them. */
export function settingsFacts(settings: Settings): [string, string][] {
  return [
    ...FIELDS.map(({ name, label }): [string, string] => [
      label,
      name === 'creation_mode' ? MODE_LABELS[settings[name]] : String(settings[name] ?? 'no limit'),
    ]),
    ...FLAGS.map(({ name, label }): [string, string] => [label, settings[name] ? 'Yes' : 'No']),
  ];
}

/** The settings that differ from those of the supplier, in the form of the API. */
function changesOf(fields: Fields, before: Settings): SupplierSettingsChange {
  const changed = [
    ...FIELDS.map(({ name, isNumber }) => {
      const text = fields[name] ?? '';
      if (!isNumber) return [name, text];
      return [name, text === '' ? null : Number(text)];
    }),
    ...FLAGS.map(({ name }) => [name, name in fields]),
  ].filter(([name, value]) => value !== before[name as keyof Settings]);
  return Object.fromEntries(changed) as SupplierSettingsChange;
}

/** The settings of a supplier, of which only the changed ones are sent. */
export function SettingsForm(props: {
  supplier: Settings;
  isSaving: boolean;
  error: Error | null;
  onSave: (changes: SupplierSettingsChange) => void;
}) {
  const { supplier } = props;
  const [count, setCount] = useState(0);
  return (
    <Form
      onChange={(fields) => {
        setCount(Object.keys(changesOf(fields, supplier)).length);
      }}
      onSubmit={(fields) => {
        props.onSave(changesOf(fields, supplier));
      }}
    >
      <div className="columns" style={minWidth('17rem')}>
        {FIELDS.map(({ options, isNumber, ...field }) => {
          const value = String(supplier[field.name] ?? '');
          if (options)
            return <NativeSelect key={field.name} {...field} data={[...options]} defaultValue={value} />;
          if (isNumber)
            return <TextInput key={field.name} {...field} type="number" min={1} defaultValue={value} />;
          return <TextInput key={field.name} {...field} required defaultValue={value} />;
        })}
      </div>
      <Fieldset legend="Options">
        <Stack gap="xs">
          {FLAGS.map(({ name, label }) => (
            <Checkbox key={name} name={name} label={label} defaultChecked={supplier[name]} />
          ))}
        </Stack>
      </Fieldset>
      {props.error && <Failure error={props.error} />}
      <Group>
        <Button type="submit" size="sm" disabled={count === 0} loading={props.isSaving}>
          Save settings
        </Button>
        <span className="muted small" role="status">
          {count === 0
            ? 'Nothing is changed.'
            : `${count} ${count === 1 ? 'setting is' : 'settings are'} changed.`}
        </span>
      </Group>
    </Form>
  );
}
