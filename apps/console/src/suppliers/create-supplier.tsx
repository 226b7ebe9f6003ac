import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { change } from '../api/client';
import type { Schemas } from '../api/shapes';
import { ActionButton } from '../design/dialog';
import { organisationsQuery } from '../organisations/organisation-queries';
import { MODE_LABELS } from './settings-form';

/** Creates a supplier with the settings that matter first; its page has all others. */
export function CreateSupplier() {
  const [code, setCode] = useState('');
  const [organisation, setOrganisation] = useState('');
  const [mode, setMode] = useState<Schemas['Supplier']['creation_mode']>('direct');
  const organisations = useQuery(organisationsQuery);
  const names = organisations.data?.items.map(({ name }) => name) ?? [];
  const client = useQueryClient();
  const navigate = useNavigate();
  const supplier: Schemas['CreateSupplierRequest'] = {
    code,
    organisation: organisation || (names[0] ?? ''),
    creation_mode: mode,
  };
  return (
    <ActionButton
      label="Create supplier"
      icon={Plus}
      variant="filled"
      title="Create a supplier"
      confirmLabel="Create"
      run={async () => change<Schemas['Supplier']>('POST', '/suppliers', supplier)}
      onDone={(created) => {
        void client.invalidateQueries({ queryKey: ['suppliers'] });
        void navigate({ to: '/suppliers/$code/settings', params: { code: created.code } });
        return `Supplier ${created.code} was created.`;
      }}
    >
      <TextInput
        label="Code"
        description="Suppliers send it with every account. It cannot be changed later."
        required
        withAsterisk={false}
        autoComplete="off"
        value={code}
        onChange={({ currentTarget }) => {
          setCode(currentTarget.value);
        }}
      />
      <NativeSelect
        label="Organisation"
        description="The tenant that owns the supplier and its API keys."
        data={names}
        value={organisation || names[0]}
        onChange={({ currentTarget }) => {
          setOrganisation(currentTarget.value);
        }}
      />
      <NativeSelect
        label="Creation of accounts"
        data={Object.entries(MODE_LABELS).map(([value, label]) => ({ value, label }))}
        value={mode}
        onChange={({ currentTarget }) => {
          setMode(currentTarget.value as Schemas['Supplier']['creation_mode']);
        }}
      />
    </ActionButton>
  );
}
