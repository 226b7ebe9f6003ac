import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import type { Schemas } from '../api/shapes';
import { Failure } from '../design/feedback';

export const MODE_LABELS: Readonly<Record<Schemas['Supplier']['creation_mode'], string>> = {
  direct: 'Direct',
  'dry-run-first': 'Dry run first',
  staged: 'Staged until released',
};

const MODE_OPTIONS = Object.entries(MODE_LABELS).map(([value, label]) => ({ value, label }));
const PROFILES: Schemas['Supplier']['profile'][] = ['core', 'gb-energy'];
const FORMATS: Schemas['Supplier']['v1_error_format'][] = ['standard', 'fields'];

/** The settings as a form holds them: numbers as text, which may be empty. */
interface Draft {
  creation_mode: Schemas['Supplier']['creation_mode'];
  profile: Schemas['Supplier']['profile'];
  region: string;
  currency: string;
  time_zone: string;
  document_root: string;
  v1_error_format: Schemas['Supplier']['v1_error_format'];
  retain_payload_days: string;
  max_processing_accounts: string;
  verify_documents: boolean;
  reject_undocumented_fields: boolean;
  send_migration_emails: boolean;
}

const draftOf = (supplier: Schemas['Supplier']): Draft => ({
  creation_mode: supplier.creation_mode,
  profile: supplier.profile,
  region: supplier.region,
  currency: supplier.currency,
  time_zone: supplier.time_zone,
  document_root: supplier.document_root,
  v1_error_format: supplier.v1_error_format,
  retain_payload_days: supplier.retain_payload_days === null ? '' : String(supplier.retain_payload_days),
  max_processing_accounts:
    supplier.max_processing_accounts === null ? '' : String(supplier.max_processing_accounts),
  verify_documents: supplier.verify_documents,
  reject_undocumented_fields: supplier.reject_undocumented_fields,
  send_migration_emails: supplier.send_migration_emails,
});

const NUMBERS = new Set<string>(['retain_payload_days', 'max_processing_accounts']);

/** The settings that differ from those of the supplier, in the form of the API. */
function changesOf(draft: Draft, before: Draft): Schemas['SupplierSettingsRequest'] {
  const changed = Object.entries(draft).filter(([name, value]) => value !== before[name as keyof Draft]);
  return Object.fromEntries(
    changed.map(([name, value]) => [
      name,
      NUMBERS.has(name) ? (value === '' ? null : Number(value)) : (value as unknown),
    ]),
  );
}

/** The settings of a supplier, of which only the changed ones are sent. */
export function SettingsForm(props: {
  supplier: Schemas['Supplier'];
  isSaving: boolean;
  error: Error | null;
  onSave: (changes: Schemas['SupplierSettingsRequest']) => void;
}) {
  const before = draftOf(props.supplier);
  const [draft, setDraft] = useState(before);
  const changes = changesOf(draft, before);
  const count = Object.keys(changes).length;
  const set = <Name extends keyof Draft>(name: Name, value: Draft[Name]) => {
    setDraft((all) => ({ ...all, [name]: value }));
  };
  const text = (
    name: 'region' | 'currency' | 'time_zone' | 'document_root',
    label: string,
    description: string,
  ) => (
    <TextInput
      label={label}
      description={description}
      required
      withAsterisk={false}
      value={draft[name]}
      onChange={({ currentTarget }) => {
        set(name, currentTarget.value);
      }}
    />
  );
  const number = (
    name: 'retain_payload_days' | 'max_processing_accounts',
    label: string,
    description: string,
  ) => (
    <TextInput
      type="number"
      min={1}
      label={label}
      description={description}
      value={draft[name]}
      onChange={({ currentTarget }) => {
        set(name, currentTarget.value);
      }}
    />
  );
  const flag = (
    name: 'verify_documents' | 'reject_undocumented_fields' | 'send_migration_emails',
    label: string,
  ) => (
    <Checkbox
      label={label}
      checked={draft[name]}
      onChange={({ currentTarget }) => {
        set(name, currentTarget.checked);
      }}
    />
  );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    props.onSave(changes);
  };
  return (
    <form onSubmit={submit} className="form">
      <div className="form-columns">
        <NativeSelect
          label="Creation of accounts"
          description="Directly, after a dry run, or after an operator's release."
          data={MODE_OPTIONS}
          value={draft.creation_mode}
          onChange={({ currentTarget }) => {
            set('creation_mode', currentTarget.value as Draft['creation_mode']);
          }}
        />
        <NativeSelect
          label="Validation profile"
          description="The set of rules that accounts must follow."
          data={PROFILES}
          value={draft.profile}
          onChange={({ currentTarget }) => {
            set('profile', currentTarget.value as Draft['profile']);
          }}
        />
        {text('region', 'Region', 'ISO 3166 country code, for telephone numbers.')}
        {text('currency', 'Currency', 'ISO 4217 code.')}
        {text('time_zone', 'Time zone', 'Such as Europe/London.')}
        {text('document_root', 'Document root', 'Its folder in the document store.')}
        {number('retain_payload_days', 'Days that payloads are kept', 'Empty: they are kept.')}
        {number('max_processing_accounts', 'Accounts processed at once', 'Empty: no limit.')}
        <NativeSelect
          label="Form of errors in v1"
          description="How the older endpoints list errors."
          data={FORMATS}
          value={draft.v1_error_format}
          onChange={({ currentTarget }) => {
            set('v1_error_format', currentTarget.value as Draft['v1_error_format']);
          }}
        />
      </div>
      <fieldset className="checks">
        <legend className="visually-hidden">Options</legend>
        {flag('verify_documents', 'Verify that documents exist')}
        {flag('reject_undocumented_fields', 'Reject undocumented fields')}
        {flag('send_migration_emails', 'Send welcome e-mails to customers')}
      </fieldset>
      {props.error && <Failure error={props.error} />}
      <div className="form-foot">
        <Button type="submit" size="sm" disabled={count === 0} loading={props.isSaving}>
          Save settings
        </Button>
        <span className="muted small" role="status">
          {count === 0
            ? 'Nothing is changed.'
            : `${count} ${count === 1 ? 'setting is' : 'settings are'} changed.`}
        </span>
      </div>
    </form>
  );
}
