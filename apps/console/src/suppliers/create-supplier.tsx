import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { CREATION_MODES } from '../../../../libs/tenants/src/suppliers/import-supplier';
import { change } from '../api/client';
import type { SupplierSettingsView } from '../api/shapes';
import { ActionButton } from '../design/dialog';
import { organisationsQuery } from '../organisations/organisation-queries';

/** Creates a supplier with the settings that matter first; its page has all others. */
export function CreateSupplier() {
  const organisations = useQuery(organisationsQuery);
  const names = organisations.data?.items.map(({ name }) => name) ?? [];
  const navigate = useNavigate();
  return (
    <ActionButton
      label="Create supplier"
      icon={Plus}
      variant="filled"
      title="Create a supplier"
      confirmLabel="Create"
      run={async (fields) => change<SupplierSettingsView>('POST', '/suppliers', fields)}
      renews={[['suppliers']]}
      onDone={({ code }) => void navigate({ to: '/suppliers/$code/settings', params: { code } })}
      announce={({ code }) => `Supplier ${code} was created.`}
    >
      <TextInput
        label="Code"
        description="Suppliers send it with every account. It cannot be changed later."
        required
        name="code"
      />
      <NativeSelect
        label="Organisation"
        description="The tenant that owns the supplier and its API keys."
        data={names}
        name="organisation"
      />
      <NativeSelect
        label="Creation mode"
        description="Directly, after a dry run, or after a dry run and an operator's release."
        data={[...CREATION_MODES]}
        name="creation_mode"
      />
    </ActionButton>
  );
}
