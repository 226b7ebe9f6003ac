import { Center, Paper, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import logo from '../layout/portage.svg';

/** A page without a session. */
export function Door(props: { title: string; detail: string; children: ReactNode; below?: ReactNode }) {
  return (
    <Center component="main" mih="100vh" p="lg">
      <Stack align="center">
        <Paper withBorder p="xl" w="min(24rem, calc(100vw - 3rem))">
          <Stack>
            <Stack align="center" gap="xs" ta="center">
              <img src={logo} alt="" width={44} height={44} />
              <h1>{props.title}</h1>
              <p className="muted">{props.detail}</p>
            </Stack>
            {props.children}
          </Stack>
        </Paper>
        {props.below}
      </Stack>
    </Center>
  );
}
