import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  SUPPLIER_SETTINGS,
  type SupplierSetting,
  type SupplierSettingName,
} from '../../../../libs/tenants/src/suppliers/supplier-settings';
import type { SupplierSettingsChange, SupplierSettingsView } from '../api/shapes';
import { Failure } from '../design/feedback';
import { type Fields, Form } from '../design/form';
import { humanise } from '../design/format';
import { minWidth } from '../design/layout';

type Settings = SupplierSettingsView;

/** The settings with their labels, for operators who may not change them. */
export function settingsFacts(settings: Settings): [string, string][] {
  return SUPPLIER_SETTINGS.map(([name, { type }]) => [
    humanise(name),
    type === 'flag' ? (settings[name] ? 'Yes' : 'No') : String(settings[name] ?? 'none'),
  ]);
}

/** The settings that differ from those of the supplier, in the form of the API. */
function changesOf(fields: Fields, before: Settings): SupplierSettingsChange {
  const changed = SUPPLIER_SETTINGS.map(([name, { type }]) => {
    const text = fields[name] ?? '';
    if (type === 'flag') return [name, name in fields] as const;
    if (type === 'number') return [name, text === '' ? null : Number(text)] as const;
    return [name, text] as const;
  }).filter(([name, value]) => value !== before[name]);
  return Object.fromEntries(changed) as SupplierSettingsChange;
}

function SettingField(props: {
  name: SupplierSettingName;
  setting: SupplierSetting;
  value: string | number | boolean | null;
}) {
  const { name, setting, value } = props;
  const field = { name, label: humanise(name), description: setting.description };
  if (setting.type === 'flag') return <Checkbox {...field} defaultChecked={value === true} />;
  const text = String(value ?? '');
  if (setting.type === 'number')
    return <TextInput {...field} type="number" min={setting.min} placeholder="none" defaultValue={text} />;
  if (setting.choices) return <NativeSelect {...field} data={[...setting.choices]} defaultValue={text} />;
  return <TextInput {...field} required defaultValue={text} />;
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
        {SUPPLIER_SETTINGS.map(([name, setting]) => (
          <SettingField key={name} name={name} setting={setting} value={supplier[name]} />
        ))}
      </div>
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
