import { Box, DataList, Group, Paper, Stack, Text } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import { type CSSProperties, type ReactNode, useId } from 'react';
import { colorOf } from './state';

/** Says how wide each of `.columns` is at least. */
export const minWidth = (width: string) => ({ '--min': width }) as CSSProperties;

/** The head of a page: where it is, its title, its state and what can be done. */
export function PageHead(props: {
  title: string;
  trail?: ReactNode;
  state?: ReactNode;
  detail?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <Stack component="header" gap="xs">
      {props.trail && <nav aria-label="Breadcrumb">{props.trail}</nav>}
      <Group justify="space-between">
        <Group className="page-title">
          <h1>{props.title}</h1>
          {props.state}
        </Group>
        {props.actions && <Group gap="xs">{props.actions}</Group>}
      </Group>
      {props.detail && <p className="muted">{props.detail}</p>}
    </Stack>
  );
}

/** A titled part of a page. */
export function Panel(props: {
  title?: string;
  note?: ReactNode;
  actions?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Paper component="section" withBorder miw={0} aria-labelledby={props.title ? id : undefined}>
      {props.title && (
        <Group p="sm" pb={props.flush ? 'sm' : 0} justify="space-between">
          <Group gap="sm">
            <h2 id={id}>{props.title}</h2>
            {props.note && <span className="muted small">{props.note}</span>}
          </Group>
          {props.actions && <Group gap="xs">{props.actions}</Group>}
        </Group>
      )}
      <Box p={props.flush ? 0 : 'sm'}>{props.children}</Box>
    </Paper>
  );
}

/** One figure with its name. */
export function Figure(props: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  icon?: LucideIcon;
  isBad?: boolean;
}) {
  return (
    <Paper withBorder p="sm" className="figure">
      <dt className="muted small">
        {props.icon && <props.icon size={14} />} {props.label}
      </dt>
      <dd>
        <Text
          component="span"
          fz="xl"
          fw={600}
          className="figure-value"
          {...(props.isBad ? { c: colorOf('bad') } : {})}
        >
          {props.value}
        </Text>{' '}
        {props.note && <span className="muted small">{props.note}</span>}
      </dd>
    </Paper>
  );
}

export const Figures = ({ children }: { children: ReactNode }) => (
  <dl className="columns" style={minWidth('10.5rem')}>
    {children}
  </dl>
);

/** Names and values, one pair a line. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <DataList orientation="vertical" className="columns" style={minWidth('15rem')}>
      {facts.map(([name, value]) => (
        <DataList.Item key={name}>
          <DataList.ItemLabel>{name}</DataList.ItemLabel>
          <DataList.ItemValue>{value ?? <span className="muted">–</span>}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  );
}
