import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Empty, Loaded } from '../design/feedback';
import { suppliersQuery } from './supplier-queries';

/** Content that belongs to one supplier, which is chosen above it. */
export function PerSupplier(props: {
  chosen: string | undefined;
  onChoose: (code: string) => void;
  children: (code: string) => ReactNode;
}) {
  const query = useQuery(suppliersQuery());
  return (
    <Loaded query={query}>
      {({ items }) => {
        const code = props.chosen ?? items[0]?.code;
        if (code === undefined) return <Empty icon={Building2} title="There are no suppliers yet" />;
        const codes = items.map((supplier) => supplier.code);
        return (
          <>
            <NativeSelect
              maw="20rem"
              label="Supplier"
              data={codes.includes(code) ? codes : [code, ...codes]}
              value={code}
              onChange={({ currentTarget }) => {
                props.onChoose(currentTarget.value);
              }}
            />
            {props.children(code)}
          </>
        );
      }}
    </Loaded>
  );
}
